import type { ErrorObject } from 'ajv';
import { explain } from './explain.ts';
import { hintBudget } from './level-hints.ts';
import { shortViolation, type Violation } from '../base/violation.ts';

/**
 * Collects violations up to a maximum and counts the others, so that hostile input cannot fill the memory
 * with messages.
 */
export class ViolationList {
  readonly violations: Violation[] = [];
  readonly #maxListed: number;
  readonly #hints = hintBudget();
  #unlisted = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  get isEmpty(): boolean {
    return this.violations.length === 0;
  }

  /** The number of violations that are not in the list. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Adds a violation. Creates its message only if the list has room. */
  add(pointer: string, message: () => string): void {
    if (this.violations.length < this.#maxListed)
      this.violations.push(shortViolation({ pointer, message: message() }));
    else this.#unlisted += 1;
  }

  /** Adds ajv's errors. `base` is the pointer to the checked value. */
  addErrors(errors: readonly ErrorObject[], base: string): void {
    const room = Math.max(0, this.#maxListed - this.violations.length);
    const explained = explain(errors.slice(0, room), base, 'You sent', this.#hints);
    this.violations.push(...explained.map(shortViolation));
    this.#unlisted += Math.max(0, errors.length - room);
  }
}
