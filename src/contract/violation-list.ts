import type { ErrorObject } from 'ajv';
import { explain } from './explain.ts';
import type { Violation } from '../base/violation.ts';

/** Gathers violations up to a maximum, and counts the others, so that hostile input cannot fill the memory with messages. */
export class ViolationList {
  readonly told: Violation[] = [];
  readonly #most: number;
  #untold = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.told.length === 0;
  }

  /** How many violations are not in the list. */
  get untold(): number {
    return this.#untold;
  }

  /** Adds a violation, whose message is only made if there is room. */
  add(pointer: string, message: () => string): void {
    if (this.told.length < this.#most) this.told.push({ pointer, message: message() });
    else this.#untold += 1;
  }

  /** Adds what ajv found. `base` is where the checked value stands. */
  addErrors(errors: readonly ErrorObject[], base: string): void {
    const room = Math.max(0, this.#most - this.told.length);
    for (const error of errors.slice(0, room)) this.told.push(explain(error, base));
    this.#untold += Math.max(0, errors.length - room);
  }

  addAll(violations: readonly Violation[]): void {
    for (const { pointer, message } of violations) this.add(pointer, () => message);
  }
}
