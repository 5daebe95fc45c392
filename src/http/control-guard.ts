import { createHash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '../base/problem.ts';
import type { TokenHolder } from '../control/token-holder.ts';
import type { SandboxTokens } from '../sandbox/sandbox-tokens.ts';

/** How the control plane is protected. */
export interface ControlAccess {
  /** The token that permits every request; null if requests need none. */
  readonly token: string | null;
  /** Reads the tokens of single sandboxes; null if there are none. */
  readonly tokens: SandboxTokens | null;
  /**
   * Whether only this machine can reach the server. Then the only threat is a web page in a browser on it.
   */
  readonly loopback: boolean;
  /** The server's own public URL; null if it has none. */
  readonly publicUrl: string | null;
}

/** The value of WWW-Authenticate in a response with status 401. */
export const challenge = 'Bearer realm="control plane"';

/** The parts of a request that decide about access. */
interface Asking {
  readonly method?: string | undefined;
  header(name: string): string | undefined;
}

/** Returns who sends a request, or why the request may not use the control plane. */
export function admit(request: Asking, access: ControlAccess): TokenHolder | Problem {
  return turnAway(request, access) ?? holderOf(request.header('authorization'), access);
}

/** Whether the request was not admitted. */
export function isProblem(admitted: TokenHolder | Problem): admitted is Problem {
  return typeof admitted === 'object' && 'status' in admitted;
}

/** Returns why a request from this place may not use the control plane, or null. */
function turnAway(request: Asking, { loopback, publicUrl }: ControlAccess): Problem | null {
  const host = request.header('host') ?? '';
  if (loopback && !isLoopbackName(host)) {
    return forbidden(
      `The Host header must be a loopback name such as 127.0.0.1 or localhost, but is ${JSON.stringify(host)}.`,
    );
  }
  const origin = request.header('origin');
  if (origin !== undefined && !isOwn(origin, host, publicUrl)) {
    return forbidden(
      `Web pages of the origin ${JSON.stringify(origin)} may not use the control plane of this server.`,
    );
  }
  const site = request.header('sec-fetch-site');
  if (origin === undefined && (site === 'cross-site' || site === 'same-site')) {
    return forbidden('Web pages of another origin may not use the control plane of this server.');
  }
  return null;
}

/** Returns whom the token in a header `Authorization` belongs to, or that the request needs another one. */
export function holderOf(
  header: string | undefined,
  { token, tokens }: Pick<ControlAccess, 'token' | 'tokens'>,
): TokenHolder | Problem {
  if (token === null) return 'operator';
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return 'operator';
  const content = given === undefined ? null : (tokens?.read(given) ?? null);
  if (content !== null) return content;
  const sent = given === undefined ? 'The request has no token.' : 'The token in the request is wrong.';
  return {
    status: 401,
    title: 'Unauthorized',
    detail: `The control plane needs the header Authorization: Bearer <control token>. ${sent}`,
  };
}

export function forbidden(detail: string): Problem {
  return { status: 403, title: 'Forbidden', detail };
}

const loopbackName = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

function isLoopbackName(host: string): boolean {
  return loopbackName.test(host);
}

/** Returns whether only this machine can reach a server, based on its address and its public URL. */
export function isPrivate(address: string, publicUrl: string | null): boolean {
  const isHere = isLoopbackName(address) || address === '::1';
  return (
    isHere && (publicUrl === null || (URL.canParse(publicUrl) && isLoopbackName(new URL(publicUrl).host)))
  );
}

function isOwn(origin: string, host: string, publicUrl: string | null): boolean {
  if (publicUrl !== null && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return true;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
