import { en, base, Faker } from '@faker-js/faker';
import type { Digest } from './digest.ts';

/** Made-up words and names, each following from the value that it stands for. */
export class Words {
  readonly #digest: Digest;
  readonly #faker = new Faker({ locale: [en, base] });
  /** Words by their length. */
  readonly #byLength: readonly (readonly string[])[];

  constructor(digest: Digest) {
    this.#digest = digest;
    const words = this.#faker.definitions.lorem.word;
    const longest = Math.max(...words.map(({ length }) => length));
    this.#byLength = Array.from({ length: longest + 1 }, (_, length) => words.filter((word) => word.length === length));
  }

  /** What draws from here on follows from the value. */
  about(purpose: string, value: string): this {
    const bytes = this.#digest(purpose, value);
    this.#faker.seed([0, 4, 8, 12].map((at) => bytes.readUInt32BE(at)));
    return this;
  }

  /** A word of about as many letters. */
  word(length: number): string {
    const ofLength = this.#byLength[length] ?? [];
    if (ofLength.length > 0) return this.#faker.helpers.arrayElement(ofLength);
    return length < 2 ? 'a' : `${this.word(Math.floor(length / 2))}${this.word(Math.ceil(length / 2))}`;
  }

  /** As many digits. */
  digits(length: number): string {
    return this.#faker.string.numeric({ length, allowLeadingZeros: true });
  }

  /** A whole number of as many digits. */
  number(length: number): number {
    return Number(this.#faker.string.numeric({ length: Math.min(length, 15), allowLeadingZeros: false }));
  }

  /** One of a list that is not empty. */
  oneOf(list: readonly string[]): string {
    return this.#faker.helpers.arrayElement(list);
  }

  person(): { readonly first: string; readonly last: string } {
    return { first: this.#faker.person.firstName(), last: this.#faker.person.lastName() };
  }

  /** The first part of a host's name. */
  host(): string {
    return this.#faker.internet.domainWord();
  }
}
