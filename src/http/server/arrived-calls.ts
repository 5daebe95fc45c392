import { inNextTurn, stopwatch } from '../../sandbox/clock.ts';
import type { Slices } from '../../sandbox/slices.ts';

/** Sends the reply to a call. Null if that was done, or will be. */
export type SendReply = (() => void) | null;

/** Replies wait for the answers to this many calls at most, because they occupy memory. */
const maxReplies = 64;

/**
 * Answers the calls that have arrived in a turn of the event loop one after the other, and then sends their replies.
 *
 * Each system call makes a processor forget what it has learned about the running program. If every call were
 * answered between the reading and the writing of its own connection, each would take almost twice as long (all lines
 * of the benchmark).
 */
export class ArrivedCalls {
  readonly #slices: Pick<Slices, 'turnMs'>;
  #waiting: (() => SendReply)[] = [];

  constructor(slices: Pick<Slices, 'turnMs'>) {
    this.#slices = slices;
  }

  /** Answers a call when everything that has arrived is read. Neither `answer` nor what it returns may throw. */
  add(answer: () => SendReply): void {
    this.#waiting.push(answer);
    if (this.#waiting.length === 1) inNextTurn(() => this.#turn());
  }

  #turn(): void {
    const waiting = this.#waiting;
    const endsAt = stopwatch() + this.#slices.turnMs;
    let done = 0;
    do done = answerSome(waiting, done, endsAt);
    while (done < waiting.length && stopwatch() < endsAt);
    // Many clients can send calls that take long: others get a turn before the rest.
    this.#waiting = done === waiting.length ? [] : waiting.slice(done);
    if (this.#waiting.length > 0) inNextTurn(() => this.#turn());
  }
}

/** Answers at least one call, and sends the replies. Returns the index of the next call. */
function answerSome(waiting: readonly (() => SendReply)[], from: number, endsAt: number): number {
  const sendings: SendReply[] = [];
  do sendings.push(waiting[from + sendings.length]?.() ?? null);
  while (sendings.length < maxReplies && from + sendings.length < waiting.length && stopwatch() < endsAt);
  for (const send of sendings) send?.();
  return from + sendings.length;
}
