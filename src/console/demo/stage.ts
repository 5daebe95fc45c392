import { contentOf, send } from '../api.ts';
import { keyOf } from '../parts/key-of.ts';
import { readOutput, type Output } from './output.ts';
import { nothingPlayed, type Played, type ShownCall, type ShownResponse, type Visual } from './played.ts';
import { requireServer, withTimeout } from './require-server.ts';

interface Call {
  readonly operation: string;
  readonly parameters?: object;
  /** The slug of the school; Riverside if missing. */
  readonly school?: string;
  readonly marked?: Partial<ShownCall['marked']>;
  /** Names of response headers to show. */
  readonly headers?: readonly string[];
}

/** The response to a call of the public API. */
export interface Reply {
  readonly status: number;
  readonly output: Output | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
}

export interface StageOptions {
  readonly sandbox: string;
  readonly baseUrl: string;
  /** The names of the schools by slug. */
  readonly schools: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly onChange: (played: Played) => void;
}

/** Sends the calls of a step, and shows each of them as it happens. */
export class Stage {
  readonly sandbox: string;
  readonly #options: StageOptions;
  #played = nothingPlayed;

  constructor(options: StageOptions) {
    this.sandbox = options.sandbox;
    this.#options = options;
  }

  show(visual: Visual): void {
    this.#change({ ...this.#played, visual });
  }

  note(text: string): void {
    const { items } = this.#played;
    this.#change({ ...this.#played, items: [...items, { kind: 'note', place: items.length, text }] });
  }

  /** Waits in real time, because the report judges the pauses of a client in real time. */
  async pause(milliseconds: number): Promise<void> {
    await new Promise((done) => setTimeout(done, milliseconds));
    this.#options.signal.throwIfAborted();
  }

  /** Calls the public API as a client. */
  async call(caption: string, call: Call): Promise<Reply> {
    const { school = 'riverside', operation, parameters, headers = [] } = call;
    const request = bodyOf(parameters);
    const path = `/public/${operation}`;
    const set = this.#begin({
      caption,
      by: 'client',
      method: 'POST',
      path,
      school: this.#options.schools.get(school) ?? school,
      request,
      marked: { request: [], response: [], ...call.marked },
    });
    const { response, reply } = await this.#send(path, request, school, headers);
    set(response);
    return reply;
  }

  /** Calls the public API as a client without showing it. */
  async callUnseen(operation: string): Promise<Reply> {
    return (await this.#send(`/public/${operation}`, bodyOf(), 'riverside', [])).reply;
  }

  async #send(
    path: string,
    request: string,
    school: string,
    headers: readonly string[],
  ): Promise<{ readonly response: ShownResponse; readonly reply: Reply }> {
    const { baseUrl, sandbox, signal } = this.#options;
    const sent = fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'SERVICE-API-KEY': keyOf(sandbox, school),
        // The journal shows that a page of the sandbox sent it.
        'Sandbox-Page': 'demo',
      },
      body: request,
      signal: withTimeout(signal),
    });
    const { response, retryAfter } = await responseOf(sent, headers, signal);
    const { status, text, requestId } = response;
    return { response, reply: { status, output: readOutput(text), requestId, retryAfter } };
  }

  /** Opens a signed URL as a player. */
  async open(caption: string, url: string, marked: readonly string[]): Promise<number> {
    const { pathname, search } = new URL(url);
    const [method, request] = ['GET', ''];
    const path = `${pathname}${search}`;
    const shown = { request: [], response: marked };
    const set = this.#begin({ caption, by: 'player', method, path, school: null, request, marked: shown });
    const { signal } = this.#options;
    const sent = fetch(url, { cache: 'no-store', signal: withTimeout(signal) });
    const { response } = await responseOf(sent, [], signal);
    // The journal has only calls of the API.
    set({ ...response, requestId: null });
    return response.status;
  }

  /**
   * Sends a request to the control plane; `path` continues the one of the sandbox. Returns the JSON of the
   * response.
   */
  async control<T>(
    caption: string,
    method: 'get' | 'put' | 'post' | 'delete',
    path: string,
    body?: object,
    marked: Partial<ShownCall['marked']> = {},
  ): Promise<T> {
    const target = `/control/sandboxes/${this.sandbox}${path}`;
    const set = this.#begin({
      caption,
      by: 'control plane',
      method: method.toUpperCase(),
      path: target,
      school: null,
      request: body === undefined ? '' : JSON.stringify(body),
      marked: { request: [], response: [], ...marked },
    });
    const reply = await send(method, target, body, { signal: withTimeout(this.#options.signal) });
    set({ status: reply.status, headers: [], text: await reply.clone().text(), requestId: null });
    return contentOf<T>(reply);
  }

  /** Shows a request, and returns a function that adds its response. */
  #begin(call: Omit<ShownCall, 'kind' | 'place' | 'response'>): (response: ShownResponse) => void {
    this.#options.signal.throwIfAborted();
    const { items } = this.#played;
    const shown: ShownCall = { ...call, kind: 'call', place: items.length, response: null };
    this.#change({ ...this.#played, items: [...items, shown] });
    return (response) =>
      this.#change({
        ...this.#played,
        items: this.#played.items.map((item) => (item.place === shown.place ? { ...shown, response } : item)),
      });
  }

  #change(played: Played): void {
    this.#played = played;
    if (!this.#options.signal.aborted) this.#options.onChange(played);
  }
}

function bodyOf(parameters: object = {}): string {
  return JSON.stringify({ data: [{ data: parameters }] });
}

interface Read {
  readonly response: ShownResponse;
  /** In seconds. */
  readonly retryAfter: number | null;
}

/**
 * Reads a response. A broken connection is a result, too: some steps are about it. Throws ControlProblem if the
 * server is gone.
 */
async function responseOf(
  sent: Promise<Response>,
  headers: readonly string[],
  signal: AbortSignal,
): Promise<Read> {
  let requestId: string | null = null;
  try {
    const reply = await sent;
    requestId = reply.headers.get('Sandbox-Request-Id');
    const { status } = reply;
    const seen = headers.flatMap((name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const seconds = reply.headers.get('Retry-After');
    return {
      response: { status, headers: seen, text: await reply.text(), requestId },
      retryAfter: seconds === null ? null : Number(seconds),
    };
  } catch {
    signal.throwIfAborted();
    await requireServer(signal);
    return { response: { status: 0, headers: [], text: '', requestId }, retryAfter: null };
  }
}
