import { en, Faker } from '@faker-js/faker';
import { SeededRandom } from '../base/seeded-random.ts';
import type { Topic } from './topics.ts';

/** The subject of one record. */
export interface Subject {
  readonly school: { readonly name: string; readonly slug: string };
  readonly topic: Topic;
  /** Distinguishes the records of a collection. */
  readonly number: number;
  /** The number of records of this collection in the school. */
  readonly collectionSize: number;
}

/**
 * What the words of a record are drawn from: Faker with a seed per record, and what was already chosen for
 * the record.
 */
export class RecordContext {
  readonly faker: Faker;
  readonly #stream = new SeededRandom();
  readonly #said = new Map<string, unknown>();
  #subject: Subject | null = null;

  constructor() {
    this.faker = new Faker({ locale: en, randomizer: this.#stream });
  }

  /** Starts the next record. */
  about(subject: Subject, seed: number): void {
    this.#subject = subject;
    this.#stream.seed(seed);
    this.#said.clear();
  }

  get subject(): Subject {
    if (this.#subject === null) throw new Error('There is nothing to talk about yet.');
    return this.#subject;
  }

  /** Returns the same value for the whole record, whichever field asks first. */
  once<T>(name: string, make: () => T): T {
    // Only `make` for the same name stores a value, so it is a T.
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

/** Returns lowercase letters, digits and dashes, as in a URL path. */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[^\p{L}\p{N} -]/gu, '');
  return plain
    .toLowerCase()
    .trim()
    .replaceAll(/[^a-z0-9]+/g, '-');
}
