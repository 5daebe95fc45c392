import { BoundedMap } from '../base/bounded-map.ts';
import type { Attempt } from './attempt.ts';

/** The size of the bodies that stay parsed, in characters of JSON together. */
const maxChars = 2_000_000;

/** The elements of the calls that a check is looking at: it compares each call with the same later ones. */
export class RecentElements {
  readonly #parsed = new BoundedMap<Attempt, Parsed>(maxChars, ({ chars }) => chars);

  of(attempt: Attempt): readonly unknown[] {
    const known = this.#parsed.get(attempt);
    if (known !== undefined) return known.elements;
    const elements = attempt.elements();
    this.#parsed.set(attempt, { elements, chars: attempt.entry.request.length });
    return elements;
  }
}

interface Parsed {
  readonly elements: readonly unknown[];
  readonly chars: number;
}
