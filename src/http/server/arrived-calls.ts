import { inNextTurn } from '../../sandbox/clock.ts';
import type { ReadingTurns } from './reading-turns.ts';

/** Sends the reply to a call. Null if that was done, or will be. */
export type SendReply = (() => void) | null;

/** The most calls that are answered together, and the most characters in their bodies: waiting calls occupy memory. */
const maxCalls = 64;
const maxChars = 1_048_576;

/** A call that is not answered yet. */
interface Arrived {
  /** The length of its body. */
  readonly bodyChars: number;
  readonly answer: () => SendReply;
}

/**
 * Answers the calls that have arrived in a turn of the event loop one after the other, and then sends their replies.
 * They wait for another turn only if the time of this one is used up; until then, nothing more is read.
 *
 * Each system call makes a processor forget what it has learned about the running program. If every call were
 * answered between the reading and the writing of its own connection, each would take almost twice as long (all lines
 * of the benchmark).
 */
export class ArrivedCalls {
  readonly #reading: ReadingTurns;
  #waiting: Arrived[] = [];
  #chars = 0;
  #isExpected = false;

  constructor(reading: ReadingTurns) {
    this.#reading = reading;
  }

  /**
   * Answers a call when everything that has arrived is read, or when many calls wait. `bodyChars` is the length of its
   * body. Neither `answer` nor what it returns may throw.
   */
  add(bodyChars: number, answer: () => SendReply): void {
    this.#waiting.push({ bodyChars, answer });
    this.#chars += bodyChars;
    const areMany = this.#waiting.length >= maxCalls || this.#chars >= maxChars;
    if (areMany && !this.#reading.isOver()) this.#answerAll();
    else this.#expect();
  }

  #expect(): void {
    if (this.#isExpected) return;
    this.#isExpected = true;
    inNextTurn(() => {
      this.#isExpected = false;
      this.#answerAll();
    });
  }

  #answerAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const sendings: SendReply[] = [];
    for (const { bodyChars, answer } of waiting) {
      // Also before the first one, because the time begins with it.
      if (this.#reading.isOver() && sendings.length > 0) break;
      this.#chars -= bodyChars;
      sendings.push(answer());
    }
    for (const send of sendings) send?.();
    this.#postpone(waiting, sendings.length);
  }

  /** Keeps those after the first ones for the next turn. */
  #postpone(waiting: readonly Arrived[], answered: number): void {
    if (answered < waiting.length) {
      this.#waiting = [...waiting.slice(answered), ...this.#waiting];
      this.#reading.block();
      this.#expect();
    } else if (this.#waiting.length === 0) this.#reading.unblock();
  }
}
