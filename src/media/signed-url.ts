import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OptionOf } from '../assumptions.ts';
import { closest } from '../base/did-you-mean.ts';

/** Returns the path of the folder of a session's recording, with a slash at the end. */
export function sessionFolder(sandboxId: string, sessionId: string): string {
  return `/media/${sandboxId}/sessions/${encodeURIComponent(sessionId)}/`;
}

const lifetimes = { '1h': 3600, '5m': 300, '15s': 15 } as const;

/** The assumed lifetime, the sandbox's time, and its secrets. */
interface Signing {
  readonly assume: (name: 'signedUrlLifetime') => OptionOf<'signedUrlLifetime'>;
  readonly now: number;
  readonly secret: (purpose: string) => string;
}

/**
 * Returns the query that gives access to a folder until it expires on the sandbox's clock:
 * `?expires=…&signature=…` (endpoints 7 and 13).
 */
export function signedQuery(folder: string, { assume, now, secret }: Signing): string {
  const expires = Math.floor(now / 1000) + lifetimes[assume('signedUrlLifetime')];
  return `?expires=${expires}&signature=${signature(folder, expires, secret('signed-url'))}`;
}

/** The data to check the query of a request. */
interface Checking {
  /** Milliseconds since 1970, on the sandbox's clock. */
  readonly now: number;
  readonly secret: (purpose: string) => string;
  /** Returns the folders of the sandbox's other sessions, to recognize a signature of one of them. */
  readonly others: () => Iterable<string>;
}

/**
 * The maximum number of other sessions to compare a signature with: each takes some microseconds, and any
 * client can cause it.
 */
const maxOthers = 1000;

const parts = ['expires', 'signature'] as const;

/** Returns why a query gives no access to a folder. Null if it does. */
export function whyClosed(
  folder: string,
  query: URLSearchParams,
  { now, secret, others }: Checking,
): string | null {
  const [expires, sent] = parts.map((part) => query.get(part));
  if (typeof expires !== 'string' || typeof sent !== 'string') return unsigned(query);
  const moment = /^(0|-?[1-9]\d{0,11})$/.test(expires) ? Number(expires) : null;
  const key = secret('signed-url');
  const isFor = (path: string): boolean => moment !== null && isSame(signature(path, moment, key), sent);
  if (moment === null || !isFor(folder)) {
    let compared = 0;
    for (const other of others()) {
      compared += 1;
      if (compared > maxOthers) break;
      if (isFor(other))
        return `The signature is for another path: it gives access to ${other}, but this URL is under ${folder}.`;
    }
    return 'The signature is invalid: the path, expires or signature was altered, or another sandbox created the URL. Append urlSearchParamString unchanged and only once.';
  }
  if (now < moment * 1000) return null;
  const late = Math.floor(now / 1000) - moment;
  return `The URL expired at ${new Date(moment * 1000).toISOString()}, ${late} s ago on the sandbox's clock. Call the operation again for a new one.`;
}

function unsigned(query: URLSearchParams): string {
  const missing = parts.filter((part) => !query.has(part)).join(' and no ');
  const slips = [...query.keys()].map((name) => ({ name, meant: closest(name, parts) }));
  const slip = slips.find(({ meant }) => meant !== undefined && !query.has(meant));
  const sent =
    slip === undefined ? '' : ` You sent ${JSON.stringify(slip.name)}: did you mean "${slip.meant}"?`;
  return `The URL is not signed: it has no ${missing}.${sent} Append urlSearchParamString (of get-signed-url-data-for-live-event-session-playback) to every playlist, segment and key, or use downloadUrl unchanged.`;
}

/** Returns the expiry and signature of a query, without its other parameters. */
export function openedBy(query: URLSearchParams): string {
  return `?${parts.map((part) => `${part}=${query.get(part)}`).join('&')}`;
}

/** Returns the hexadecimal HMAC-SHA-256 of the folder and its expiry, in seconds since 1970. */
function signature(folder: string, expires: number, secret: string): string {
  return createHmac('sha256', secret).update(`${folder}\n${expires}`).digest('hex');
}

/** Compares in constant time, so that no signature can be guessed digit by digit. */
function isSame(right: string, sent: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
