import { en, Faker } from '@faker-js/faker';
import type { Topic } from './topics.ts';

/** What the words of one record are about. */
export interface Subject {
  readonly school: { readonly name: string; readonly slug: string };
  readonly topic: Topic;
  /** Tells records of one collection apart. */
  readonly number: number;
  /** How many records of this collection the school has. */
  readonly collectionSize: number;
}

/** What all words draw from: Faker, from a seed per record, and what was said of the record already. */
export class RecordContext {
  readonly faker: Faker;
  readonly #stream = new SeededRandom();
  readonly #said = new Map<string, unknown>();
  #subject: Subject | null = null;

  constructor() {
    this.faker = new Faker({ locale: en, randomizer: this.#stream });
  }

  /** Goes on to another record. */
  about(subject: Subject, seed: number): void {
    this.#subject = subject;
    this.#stream.seed(seed);
    this.#said.clear();
  }

  get subject(): Subject {
    if (this.#subject === null) throw new Error('There is nothing to talk about yet.');
    return this.#subject;
  }

  /** The same for the whole record, whichever of its fields asks first. */
  once<T>(name: string, make: () => T): T {
    // Only `make` of the same name ever says it, so what was said is a T.
    if (this.#said.has(name)) return this.#said.get(name) as T;
    const said = make();
    this.#said.set(name, said);
    return said;
  }

  pick<T>(list: readonly T[]): T {
    return this.faker.helpers.arrayElement(list);
  }

  number(min: number, max: number): number {
    return this.faker.number.int({ min, max });
  }
}

/** Small letters, digits and dashes, as in the path of a URL. */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[^\p{L}\p{N} -]/gu, '');
  return plain
    .toLowerCase()
    .trim()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

/** Mulberry32: numbers that follow from a seed, and cost little to begin anew with every record. Faker calls its functions alone. */
class SeededRandom {
  #state = 0;

  readonly seed = (seed: number | readonly number[]): void => {
    this.#state = Number(typeof seed === 'number' ? seed : seed[0]) >>> 0;
  };

  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
