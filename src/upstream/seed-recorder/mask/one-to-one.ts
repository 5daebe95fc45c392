import type { Digest } from './digest.ts';

/**
 * Replaces texts one to one: the same text by the same one, two texts never by the same one. Keeps digests of what it has seen, not
 * the texts themselves.
 */
export class OneToOne {
  readonly #digest: Digest;
  readonly #purpose: string;
  readonly #candidate: (value: string, attempt: number) => string;
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** `candidate` makes a replacement; from some attempt on it must have room for any number of them. */
  constructor(digest: Digest, purpose: string, candidate: (value: string, attempt: number) => string) {
    this.#digest = digest;
    this.#purpose = purpose;
    this.#candidate = candidate;
  }

  readonly mask = (value: string): string => {
    const own = this.#digest(this.#purpose, value).toString('base64url');
    const known = this.#given.get(own);
    if (known !== undefined) return known;
    let attempt = 0;
    let made = this.#candidate(value, attempt);
    while (this.#taken.has(made) || made === value) made = this.#candidate(value, (attempt += 1));
    this.#given.set(own, made);
    this.#taken.add(made);
    return made;
  };
}
