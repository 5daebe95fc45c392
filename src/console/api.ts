import { parseKnown } from './parse-known.ts';
import type { paths } from '../contract/generated/control.ts';
import { ControlProblem, type Schemas } from './control-problem.ts';

export { ControlProblem, type Schemas };

type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';
type Path = keyof paths;
/** The methods that the contract defines for a path. */
type VerbOf<P extends Path> = {
  [V in Verb]: paths[P] extends { readonly [K in V]: { readonly responses: unknown } } ? V : never;
}[Verb];
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type JsonOf<Reply> = Reply extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : null;
type AnswerOf<O> = O extends { readonly responses: infer All }
  ? All extends { readonly 200: infer Reply }
    ? JsonOf<Reply>
    : All extends { readonly 201: infer Reply }
      ? JsonOf<Reply>
      : null
  : never;
type BodyOf<O> = O extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? [body: Body]
  : O extends { readonly requestBody?: { readonly content: { readonly 'application/json': infer Body } } }
    ? [body?: Body]
    : [];

/** Sends one request as the contract defines it: method, path, values for the path's braces, and body. */
export async function ask<P extends Path, V extends VerbOf<P>>(
  verb: V,
  path: P,
  parameters: Readonly<Record<NamesIn<P>, string>>,
  ...body: BodyOf<paths[P][V]>
): Promise<AnswerOf<paths[P][V]>> {
  return (await exchange(verb, path, parameters, ...body)).content;
}

/** What a request returned. */
export interface Exchanged<T> {
  readonly content: T;
  readonly headers: Headers;
}

/** Like `ask`, but returns the headers of the response, too. */
export async function exchange<P extends Path, V extends VerbOf<P>>(
  verb: V,
  path: P,
  parameters: Readonly<Record<NamesIn<P>, string>>,
  ...[body]: BodyOf<paths[P][V]>
): Promise<Exchanged<AnswerOf<paths[P][V]>>> {
  const reply = await send(verb, fillPath(path, parameters), body);
  return { content: await contentOf(reply), headers: reply.headers };
}

/** Returns the target of a request: a path with values for its braces. */
export function fillPath<P extends Path>(path: P, parameters: Readonly<Record<NamesIn<P>, string>>): string {
  const values: Readonly<Record<string, string>> = parameters;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** Reads a response of this server as JSON of the type that its contract defines; null for 204. */
export async function contentOf<T>(reply: Response): Promise<T> {
  return parseKnown(reply.status === 204 ? 'null' : await reply.text());
}

/** Request settings in addition to the defaults. */
interface Sending {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is sent even if the page closes. */
  readonly keepalive?: boolean;
}

/** The title of the problem that there is no response, such as while the server starts again. */
export const noResponse = 'No response';

/** Like `ask`, for responses that are not a single JSON value: streams, files, filtered lists. */
export async function send(
  verb: string,
  target: string,
  body?: unknown,
  more: Sending = {},
): Promise<Response> {
  const token = readToken();
  const headers = {
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(target, {
    method: verb.toUpperCase(),
    ...more,
    headers: { ...headers, ...more.headers },
    ...content,
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ControlProblem({
      status: 0,
      title: noResponse,
      detail: 'The server does not respond. Is it still running?',
    });
  });
  if (reply.ok) {
    if (verb !== 'get') dispatchEvent(new Event(changed));
    return reply;
  }
  // Not for a request that was sent before the token was saved.
  if (reply.status === 401 && readToken() === token)
    dispatchEvent(new CustomEvent<TokenWanted>(tokenWanted, { detail: { isForAction: verb !== 'get' } }));
  throw await problemIn(reply);
}

async function problemIn(reply: Response): Promise<ControlProblem> {
  const text = await reply.text();
  if ((reply.headers.get('content-type') ?? '').startsWith('application/problem+json')) {
    return new ControlProblem(parseKnown<Schemas['Problem']>(text));
  }
  const detail =
    reply.status === 404
      ? 'The control plane was not found at this address.'
      : `The server returned ${reply.status}: ${text.slice(0, 200)}`;
  return new ControlProblem({ status: reply.status, title: 'Unexpected response', detail });
}

/** Window event: this page has changed something. */
export const changed = 'console-changed';

/** Window event: the control plane requires a token. */
export const tokenWanted = 'console-token-wanted';

/** The detail of that event. */
export interface TokenWanted {
  /** Whether a person wanted to change something; pages load by themselves, again and again. */
  readonly isForAction: boolean;
}

declare global {
  interface WindowEventMap {
    [tokenWanted]: CustomEvent<TokenWanted>;
  }
}

const tokenPlace = 'control-token';

function readToken(): string | null {
  return sessionStorage.getItem(tokenPlace);
}

/** Window event: there is a new token, so what could not be loaded can be loaded now. */
export const tokenKept = 'console-token-kept';

/** Stores the token for as long as the tab is open. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenPlace, token);
  dispatchEvent(new Event(tokenKept));
}

/** Converts any error to one that can be shown to the user. */
export function asProblem(error: unknown): ControlProblem {
  if (error instanceof ControlProblem) return error;
  return new ControlProblem({
    status: 0,
    title: 'The console failed',
    detail: error instanceof Error ? error.message : String(error),
  });
}
