import { mayPass, type Attempt } from './attempt.ts';

/**
 * Distinguishes repeats after a fault or a temporary failure from those without one: in a scope in which nothing went
 * wrong, a test may repeat a request on purpose.
 */
export class Trouble {
  readonly #first = new Map<string, number>();

  constructor(attempts: readonly Attempt[]) {
    for (const attempt of attempts) {
      const { client, number, entry } = attempt;
      const isTrouble = mayPass(attempt) || entry.faults.length > 0;
      if (isTrouble && !this.#first.has(client)) this.#first.set(client, number);
    }
  }

  /** Whether something had gone wrong in the scope before a call. */
  isBefore({ client, number }: Attempt): boolean {
    return number > (this.#first.get(client) ?? Infinity);
  }
}
