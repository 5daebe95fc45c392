import type { Digest } from './digest.ts';

/**
 * Replaces texts one to one: equal texts get equal replacements, different texts different ones. Stores
 * digests, not texts.
 */
export class OneToOne {
  readonly #digest: Digest;
  readonly #purpose: string;
  readonly #candidate: (value: string, attempt: number) => string;
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** `candidate` returns a replacement; later attempts must offer any number of different ones. */
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

  /** Returns the given replacements by the digests of their originals. */
  given(): readonly (readonly [digest: string, replacement: string])[] {
    return [...this.#given];
  }

  /** Restores replacements, so that the same originals get them again. */
  restore(given: readonly (readonly [digest: string, replacement: string])[]): void {
    for (const [digest, replacement] of given) {
      this.#given.set(digest, replacement);
      this.#taken.add(replacement);
    }
  }
}
