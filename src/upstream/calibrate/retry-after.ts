import { CannotCalibrate } from './cannot-calibrate.ts';
import type { Reply } from './reply.ts';

/** The longest wait that a service can ask for with Retry-After. */
const maxWaitSeconds = 15 * 60;

/** The longest time that all waits of a run take together. */
const maxTotalSeconds = 60 * 60;

/** Returns whether a service asks to retry a call later. */
export function isThrottled({ status, header }: Reply): boolean {
  return status === 429 || (status === 503 && header('retry-after') !== null);
}

/** How long a command waits because a service throttles its calls. */
export class Patience {
  readonly #service: string;
  readonly #onward: string;
  #waits = 0;
  #waitedSeconds = 0;

  /** `onward` says what to do after the command has stopped because it waited too long. */
  constructor(service: string, onward: string) {
    this.#service = service;
    this.#onward = onward;
  }

  /**
   * Returns how long a service asks to wait with Retry-After: seconds, or a date on the clock of the service.
   * `otherwise` is for a response that does not say so. Throws CannotCalibrate if it is too long, alone or
   * together with the waits before.
   */
  secondsToWait(reply: Reply, otherwise: number): number {
    const asked = secondsIn(reply);
    if (asked !== null && asked > maxWaitSeconds)
      throw new CannotCalibrate(
        `${this.#service} asks to wait ${Math.round(asked)} s (Retry-After), but this command waits at most ${maxWaitSeconds} s. Run it again later.`,
      );
    const seconds = asked ?? otherwise;
    if (this.#waitedSeconds + seconds > maxTotalSeconds)
      throw new CannotCalibrate(
        `${this.#service} throttles too many calls: this command has waited ${this.#waits} times, ${Math.round(this.#waitedSeconds)} s in total, and would now wait ${Math.round(seconds)} s more. It waits at most ${maxTotalSeconds} s in a run. Set a larger --pace. ${this.#onward}`,
      );
    this.#waits += 1;
    this.#waitedSeconds += seconds;
    return seconds;
  }
}

function secondsIn({ header }: Reply): number | null {
  const asked = header('retry-after') ?? '';
  const sentAt = Date.parse(header('date') ?? '');
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - sentAt) / 1000;
  return Number.isNaN(seconds) || seconds <= 0 ? null : seconds;
}
