import { messageOf } from '../../base/message-of.ts';
import { ElsewhereError } from '../../base/errors.ts';
import { decoded, isCall, splitTarget } from '../../base/request-target.ts';
import { pauseFor, stopwatch } from '../../sandbox/clock.ts';
import { isPlainName, parseKey } from '../../sandbox/keys.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Fail } from '../not-available.ts';
import type { Handler } from '../public-app.ts';
import { sendProblem } from '../send-problem.ts';
import { DirectRequest } from '../server/direct-request.ts';
import type { DirectResponse } from '../server/direct-response.ts';
import { ResponseOrder } from '../server/response-order.ts';
import { isGone, whenGone } from '../server/when-gone.ts';
import { takeForwarded } from './forwarded.ts';
import { Forwarder } from './forwarding.ts';
import { misdirected, notHereHeader, type Outcome } from './outcome.ts';
import { SentBody } from './sent-body.ts';

/** How long a replica is sought that has a sandbox, in milliseconds. */
const maxSeekMs = 5000;
const seekAgainMs = 20;

/** What this replica needs to know of the others. */
export interface ReplicaPlace {
  /** The secret that all replicas share. */
  readonly secret: string;
  /** The URL at which others reach this one. */
  readonly address: string;
  /** Counts the requests about a sandbox that clients send to this replica. */
  readonly requests: { received: number; forwarded: number };
  forget(id: string): void;
  depose(address: string): Promise<void>;
}

/**
 * Serves requests to sandboxes of this replica, and takes those that no replica has. Forwards the other requests to the
 * replica that has their sandbox.
 */
export class ReplicaApp {
  readonly #sandboxes: Sandboxes;
  readonly #place: ReplicaPlace;
  readonly #fail: Fail;
  readonly #forwarder: Forwarder;
  readonly #order = new ResponseOrder();

  constructor(sandboxes: Sandboxes, place: ReplicaPlace, fail: Fail) {
    this.#sandboxes = sandboxes;
    this.#place = place;
    this.#fail = fail;
    this.#forwarder = new Forwarder(place.secret, (address) => place.depose(address).catch(() => {}));
  }

  close(): void {
    this.#forwarder.close();
  }

  /** Returns the handler in front of another one, which serves requests to sandboxes in memory. */
  before(serve: Handler): Handler {
    return (request, response) => {
      const from = takeForwarded(request, this.#place.secret);
      if (from !== null) request.forwardedFor = from;
      const id = sandboxIdOf(request);
      if (id === null) return serve(request, response);
      if (from === null) this.#place.requests.received += 1;
      // Later, the request may not have it any more.
      const { previous } = request;
      const { pipelinedRequests: maxWaiting } = this.#sandboxes.caps;
      const serveHere = (): void => {
        const sandbox = this.#sandboxes.get(id);
        if (sandbox !== undefined) hold(sandbox, request, response);
        serve(request, response);
      };
      const loading = this.#sandboxes.load(id);
      if (loading === null) return serveHere();
      const begin = (act: () => void): void => {
        if (isGone(response)) return;
        try {
          act();
        } catch (error) {
          this.#fail(error, response);
        }
      };
      loading.then(
        () => begin(serveHere),
        (error: unknown) =>
          begin(() => {
            if (!(error instanceof ElsewhereError)) refuse(response, 503, messageOf(error));
            else if (from !== null) refuse(response, misdirected, error.message);
            // As at the owner, requests that a client sends at once take effect one after another.
            else
              this.#order.after(
                previous,
                request.socket,
                maxWaiting,
                () => void this.#forward(id, error.replica, request, response),
              );
          }),
      );
    };
  }

  async #forward(id: string, to: string, request: DirectRequest, response: DirectResponse): Promise<void> {
    this.#place.requests.forwarded += 1;
    const text = this.#forwarder.relayed(request, response);
    if (text !== null)
      return this.#tryReplicas(id, to, response, {
        send: (address) => this.#forwarder.relay(address, text, response),
        canRepeat: () => true,
      });
    if (request.awaitsContinue()) response.writeContinue();
    const body = new SentBody(request, this.#sandboxes.largeBodies);
    whenGone(response, () => body.leave());
    await this.#tryReplicas(id, to, response, {
      send: (address) => this.#forwarder.exchange(address, request, body, response),
      canRepeat: () => body.isKept,
    });
    body.leave();
  }

  /** Sends a request to the replica that has its sandbox, and on if it has it no more. */
  async #tryReplicas(
    id: string,
    to: string,
    response: DirectResponse,
    request: { readonly send: (address: string) => Promise<Outcome>; readonly canRepeat: () => boolean },
  ): Promise<void> {
    const until = stopwatch() + maxSeekMs;
    for (let address = to; !isGone(response);) {
      const outcome = await request.send(address);
      if (outcome === 'answered') return;
      this.#place.forget(id);
      // As if it had been sent to that replica directly.
      if (outcome === 'unknown') return void response.req.socket.destroy();
      if (!request.canRepeat() || stopwatch() > until) break;
      await pauseFor(seekAgainMs);
      const next = await this.#seek(id);
      if (next === null) break;
      address = next;
    }
    if (!isGone(response))
      refuse(response, 503, `No replica has the sandbox "${id}" at the moment. Send the request again.`);
  }

  /** Returns the address of the replica that has a sandbox; null if that is not known. */
  async #seek(id: string): Promise<string | null> {
    try {
      await this.#sandboxes.load(id);
      return this.#place.address;
    } catch (error) {
      return error instanceof ElsewhereError ? error.replica : null;
    }
  }
}

/** Keeps a sandbox in memory until the request is processed. */
function hold(sandbox: Sandbox, request: DirectRequest, response: DirectResponse): void {
  request.hold(sandbox);
  // Calls release it themselves, because a listener for each would cost too much.
  if (!isCall(request.url ?? '')) whenGone(response, () => DirectRequest.release(request));
}

function refuse(response: DirectResponse, status: number, detail: string): void {
  if (status === 503) response.setHeader('Retry-After', '1');
  else response.setHeader(notHereHeader, 'true');
  sendProblem(response, {
    status,
    title: status === 503 ? 'Sandbox not loaded' : 'Misdirected request',
    detail,
  });
}

/** The paths that begin with the id of a sandbox. */
const ofSandbox = /^\/(?:control\/sandboxes|media)\/([^/]+)/;

/** Returns the id of the sandbox that a request is to; null if it is to none. */
function sandboxIdOf(request: DirectRequest): string | null {
  const { path } = splitTarget(request.url ?? '/');
  // `OPTIONS *` is to the server itself.
  if (path === '*') return null;
  const key = request.header('service-api-key');
  const named = decoded(ofSandbox.exec(path)?.[1] ?? '');
  if (named !== '') return isPlainName(named) ? named : null;
  return key === undefined ? null : (parseKey(key)?.sandboxId ?? null);
}
