import type { ConnectionLimit } from '../http/server/http-server.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { descriptorLimit } from '../store/descriptor-limit.ts';

/** How many file descriptors connections leave for files and modules: a share, within bounds. */
const reserve = { share: 1 / 4, min: 44, max: 256 };

/** How often refused connections are reported, in milliseconds. */
const reportEveryMs = 60_000;

/**
 * Limits the open connections of this process, so that clients never take its last file descriptor: without
 * one, no change can be stored, and a module that cannot be opened may stay unusable until the process ends.
 * `forwards` states whether each call may need a second connection. Null if the system sets no limit.
 */
export function connectionLimit(forwards: boolean, warn: (message: string) => void): ConnectionLimit | null {
  const descriptors = descriptorLimit();
  if (descriptors === null) return null;
  const max = connectionsWith(descriptors, forwards);
  let lastMs = -Infinity;
  const refused = (open: number): void => {
    const nowMs = stopwatch();
    if (nowMs - lastMs < reportEveryMs) return;
    lastMs = nowMs;
    warn(
      `The server refused a connection: ${open} are open, as many as the file descriptors of this process (${descriptors}) allow. Raise that limit, for example with "ulimit -n".`,
    );
  };
  return { max, refused };
}

/** Returns how many connections may be open with this number of file descriptors. */
export function connectionsWith(descriptors: number, forwards: boolean): number {
  const kept = Math.min(reserve.max, Math.max(reserve.min, Math.ceil(descriptors * reserve.share)));
  return Math.max(1, Math.floor((descriptors - kept) / (forwards ? 2 : 1)));
}
