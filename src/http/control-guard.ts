import { createHash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '../base/problem.ts';

/** Who may use the control plane. */
export interface ControlAccess {
  /** What every request must carry; null where none is needed. */
  readonly token: string | null;
  /** Whether the server can be reached from this machine only. Then a web page that has found its way here is the only stranger. */
  readonly loopback: boolean;
  /** The server's own address where others are told of one; null else. */
  readonly publicUrl: string | null;
}

/** As much of a request as decides. */
interface Asking {
  readonly method?: string | undefined;
  header(name: string): string | undefined;
}

/** Why a request must not reach the control plane; null where it may. */
export function turnAway(request: Asking, { token, loopback, publicUrl }: ControlAccess): Problem | null {
  const host = request.header('host') ?? '';
  if (loopback && !isLoopbackName(host)) {
    return forbidden(`The Host header must be a loopback name such as 127.0.0.1 or localhost, but is ${JSON.stringify(host)}.`);
  }
  const origin = request.header('origin');
  if (origin !== undefined && !isOwn(origin, host, publicUrl)) {
    return forbidden(`A page of ${JSON.stringify(origin)} must not use the control plane of this server.`);
  }
  const site = request.header('sec-fetch-site');
  if (origin === undefined && (site === 'cross-site' || site === 'same-site')) {
    return forbidden('A page of another origin must not use the control plane of this server.');
  }
  if (token === null) return null;
  const given = /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return null;
  const sent = given === undefined ? 'The request carries none.' : 'The one that the request carries is another.';
  return {
    status: 401,
    title: 'Unauthorized',
    detail: `The control plane needs the header Authorization: Bearer <control token>. ${sent}`,
  };
}

function forbidden(detail: string): Problem {
  return { status: 403, title: 'Forbidden', detail };
}

const loopbackName = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

function isLoopbackName(host: string): boolean {
  return loopbackName.test(host);
}

/** Whether a server is for this machine only, by the address that it listens on and the URL that it tells others. */
export function isPrivate(address: string, publicUrl: string | null): boolean {
  const isHere = isLoopbackName(address) || address === '::1';
  return isHere && (publicUrl === null || (URL.canParse(publicUrl) && isLoopbackName(new URL(publicUrl).host)));
}

function isOwn(origin: string, host: string, publicUrl: string | null): boolean {
  if (publicUrl !== null && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return true;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Takes as long for a wrong token as for the right one, however much of it is right. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
