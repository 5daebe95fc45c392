import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OptionOf } from '../assumptions.ts';
import { closest } from '../base/did-you-mean.ts';

/** The path under which everything of a session's recording is, with a slash at the end. */
export function sessionFolder(sandboxId: string, sessionId: string): string {
  return `/media/${sandboxId}/sessions/${encodeURIComponent(sessionId)}/`;
}

const lifetimes = { '1h': 3600, '5m': 300, '15s': 15 } as const;

/** What signing takes of an exchange: the lifetime chosen, the sandbox's time, and its secret. */
interface Signing {
  readonly assume: (name: 'signedUrlLifetime') => OptionOf<'signedUrlLifetime'>;
  readonly now: number;
  readonly secret: (purpose: string) => string;
}

/** The query that opens a folder until a moment on the sandbox's clock: `?expires=…&signature=…` (endpoints 7 and 13). */
export function signedQuery(folder: string, { assume, now, secret }: Signing): string {
  const expires = Math.floor(now / 1000) + lifetimes[assume('signedUrlLifetime')];
  return `?expires=${expires}&signature=${signature(folder, expires, secret('signed-url'))}`;
}

/** What a query is held against that came back. */
interface Checking {
  /** Milliseconds since 1970, on the sandbox's clock. */
  readonly now: number;
  readonly secret: (purpose: string) => string;
  /** The folders of the sandbox's other sessions, to tell a signature that is theirs from one that is nobody's. */
  readonly others: () => Iterable<string>;
}

/** With how many other sessions a signature is compared: each takes some microseconds, and anybody can ask. */
const maxOthers = 1000;

const parts = ['expires', 'signature'] as const;

/** Why a query does not open a folder, in words that a person can act on; null where it does. */
export function whyClosed(folder: string, query: URLSearchParams, { now, secret, others }: Checking): string | null {
  const [expires, sent] = parts.map((part) => query.get(part));
  if (typeof expires !== 'string' || typeof sent !== 'string') return unsigned(query);
  const moment = /^(0|-?[1-9]\d{0,11})$/.test(expires) ? Number(expires) : null;
  const key = secret('signed-url');
  const isOf = (one: string): boolean => moment !== null && isSame(signature(one, moment, key), sent);
  if (moment === null || !isOf(folder)) {
    let looked = 0;
    for (const other of others()) {
      looked += 1;
      if (looked > maxOthers) break;
      if (isOf(other)) return `The signature is that of another path: it opens what is under ${other}, and this is under ${folder}.`;
    }
    return 'The signature does not fit: the path, expires or signature was altered, or the URL was made by another sandbox. Append urlSearchParamString just as it came, and once.';
  }
  if (now < moment * 1000) return null;
  const late = Math.floor(now / 1000) - moment;
  return `The URL expired at ${new Date(moment * 1000).toISOString()}, ${late} s ago on the sandbox's clock. Ask the operation for a new one.`;
}

function unsigned(query: URLSearchParams): string {
  const missing = parts.filter((part) => !query.has(part)).join(' and no ');
  const slips = [...query.keys()].map((name) => ({ name, meant: closest(name, parts) }));
  const slip = slips.find(({ meant }) => meant !== undefined && !query.has(meant));
  const sent = slip === undefined ? '' : ` You sent ${JSON.stringify(slip.name)}: did you mean "${slip.meant}"?`;
  return `The URL is not signed: it has no ${missing}.${sent} Append urlSearchParamString (of get-signed-url-data-for-live-event-session-playback) to every playlist, segment and key, or take downloadUrl as it is.`;
}

/** The query by which something was opened, without whatever else came with it. */
export function openedBy(query: URLSearchParams): string {
  return `?${parts.map((part) => `${part}=${query.get(part)}`).join('&')}`;
}

/** HMAC-SHA-256 over the folder and the moment (seconds since 1970) at which it closes, in hexadecimal. */
function signature(folder: string, expires: number, secret: string): string {
  return createHmac('sha256', secret).update(`${folder}\n${expires}`).digest('hex');
}

/** Takes as long wherever the texts begin to differ, so that no signature can be found out digit by digit. */
function isSame(right: string, sent: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
