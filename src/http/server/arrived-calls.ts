import { inNextTurn } from '../../sandbox/clock.ts';

/** Sends the reply to a call. Null if that was done, or will be. */
export type SendReply = (() => void) | null;

/** The most calls that are answered together, and the most characters in their bodies: waiting calls occupy memory. */
const maxCalls = 64;
const maxChars = 1_048_576;

/**
 * Answers the calls that have arrived in a turn of the event loop one after the other, and then sends their replies.
 * None waits for another turn.
 *
 * Each system call makes a processor forget what it has learned about the running program. If every call were
 * answered between the reading and the writing of its own connection, each would take almost twice as long (all lines
 * of the benchmark).
 */
export class ArrivedCalls {
  #waiting: (() => SendReply)[] = [];
  #chars = 0;
  #isExpected = false;

  /**
   * Answers a call when everything that has arrived is read, or when many calls wait. `bodyChars` is the length of its
   * body. Neither `answer` nor what it returns may throw.
   */
  add(bodyChars: number, answer: () => SendReply): void {
    this.#waiting.push(answer);
    this.#chars += bodyChars;
    if (this.#waiting.length >= maxCalls || this.#chars >= maxChars) this.#answerAll();
    else if (!this.#isExpected) {
      this.#isExpected = true;
      inNextTurn(() => {
        this.#isExpected = false;
        this.#answerAll();
      });
    }
  }

  #answerAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#chars = 0;
    const sendings = waiting.map((answer) => answer());
    for (const send of sendings) send?.();
  }
}
