import { createHmac } from 'node:crypto';
import type { OptionOf } from '../assumptions.ts';

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

/** HMAC-SHA-256 over the folder and the moment (seconds since 1970) at which it closes, in hexadecimal. */
function signature(folder: string, expires: number, secret: string): string {
  return createHmac('sha256', secret).update(`${folder}\n${expires}`).digest('hex');
}
