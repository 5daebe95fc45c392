import { CannotCalibrate } from './cannot-calibrate.ts';
import type { Reply } from './reply.ts';

/** The longest wait that a service can ask for with Retry-After. */
const maxWaitSeconds = 15 * 60;

/** Returns whether a service asks to retry a call later. */
export function isThrottled({ status, header }: Reply): boolean {
  return status === 429 || (status === 503 && header('retry-after') !== null);
}

/**
 * Returns how long a service asks to wait with Retry-After: seconds, or a date on the clock of the service.
 * `otherwise` is for a response that does not say so. Throws CannotCalibrate if it is too long.
 */
export function secondsToWait({ header }: Reply, service: string, otherwise: number): number {
  const asked = header('retry-after') ?? '';
  const sentAt = Date.parse(header('date') ?? '');
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - sentAt) / 1000;
  if (Number.isNaN(seconds) || seconds <= 0) return otherwise;
  if (seconds <= maxWaitSeconds) return seconds;
  throw new CannotCalibrate(
    `${service} asks to wait ${Math.round(seconds)} s (Retry-After), but this command waits at most ${maxWaitSeconds} s. Run it again later.`,
  );
}
