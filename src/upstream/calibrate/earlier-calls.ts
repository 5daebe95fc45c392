import type { Options } from '../../assumptions.ts';
import { throttleStatuses } from '../../answer/statuses.ts';
import { windowSeconds } from './recent-calls.ts';
import type { Reply } from './reply.ts';
import type { Request } from './upstream.ts';

/**
 * The calls before this run, such as those of `calibrate`: they may have used up a limit of the service. A service
 * may throttle with a status that also has other meanings, so only the first minute of the run counts: the wait
 * ends with it, and is the only one.
 */
export class EarlierCalls {
  readonly #option: Options['throttleReply'];
  readonly #now: () => number;
  readonly #until: number;
  #hasWaited = false;

  constructor({ throttleReply }: Pick<Options, 'throttleReply'>, now: () => number) {
    this.#option = throttleReply;
    this.#now = now;
    this.#until = now() + windowSeconds * 1000;
  }

  /** Returns how long earlier calls count, if a reply may be due to them; otherwise null. */
  secondsLeft(request: Request, reply: Reply): number | null {
    const seconds = (this.#until - this.#now()) / 1000;
    if (this.#hasWaited || seconds <= 0 || !this.#mayThrottle(request, reply)) return null;
    this.#hasWaited = true;
    return seconds;
  }

  /** Says what a refusal may mean; empty if it is not how the service throttles. */
  advice(request: Request, reply: Reply): string {
    return this.#mayThrottle(request, reply)
      ? ` The service throttles calls in this way (throttleReply: ${this.#option}), but a minute without too many calls has not helped. Other clients may use its limit: stop them, or set a larger --pace.`
      : '';
  }

  #mayThrottle({ key = 'own', method = 'POST', path }: Request, { status, outputs }: Reply): boolean {
    // A call without a valid key, or to no operation, has no limit.
    if (key === 'none' || key === 'wrong' || method !== 'POST' || path !== undefined) return false;
    const expected = throttleStatuses[this.#option];
    if (expected !== 'inside-body') return status === expected;
    return status === 200 && outputs?.[0] !== undefined && outputs.every((one) => one.status === 'error');
  }
}
