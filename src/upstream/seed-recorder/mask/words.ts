import { en, base, Faker } from '@faker-js/faker';
import { SeededRandom } from '../../../base/seeded-random.ts';
import type { Digest } from './digest.ts';

/** Invented words and names, derived from the values that they replace. */
export class Words {
  readonly #digest: Digest;
  readonly #random = new SeededRandom();
  readonly #faker = new Faker({ locale: [en, base], randomizer: this.#random });
  /** Words by length. */
  readonly #byLength: readonly (readonly string[])[];

  constructor(digest: Digest) {
    this.#digest = digest;
    const words = this.#faker.definitions.lorem.word;
    const longest = Math.max(...words.map(({ length }) => length));
    this.#byLength = Array.from({ length: longest + 1 }, (_, length) =>
      words.filter((word) => word.length === length),
    );
  }

  /** Restarts the generator from a value. */
  about(purpose: string, value: string): this {
    this.#random.seed(this.#digest(purpose, value).readUInt32BE());
    return this;
  }

  /** Returns a word of about the same length. */
  word(length: number): string {
    const ofLength = this.#byLength[length] ?? [];
    if (ofLength.length > 0) return this.#faker.helpers.arrayElement(ofLength);
    return length < 2 ? 'a' : `${this.word(Math.floor(length / 2))}${this.word(Math.ceil(length / 2))}`;
  }

  /** Returns the same number of digits. */
  digits(length: number): string {
    return this.#faker.string.numeric({ length, allowLeadingZeros: true });
  }

  /** Returns a whole number with the same number of digits. */
  number(length: number): number {
    return Number(this.#faker.string.numeric({ length: Math.min(length, 15), allowLeadingZeros: false }));
  }

  /** Returns a member of a non-empty list. */
  oneOf(list: readonly string[]): string {
    return this.#faker.helpers.arrayElement(list);
  }

  person(): { readonly first: string; readonly last: string } {
    return { first: this.#faker.person.firstName(), last: this.#faker.person.lastName() };
  }

  /** Returns the first part of a host name. */
  host(): string {
    return this.#faker.internet.domainWord();
  }
}
