import { generateSync, type GenerateOptions, type JsonSchema } from 'json-schema-faker';
import type { Records } from './generated/facts.ts';
import { generationSchemas } from './generated/generation-schemas.js';

/** Functions that create the values that schemas name with the keyword `faker`. */
export type Words = Readonly<Record<string, () => unknown>>;

/** Creates drafts of records: all fields except ids and references. */
export class RecordDrafts {
  readonly #options: GenerateOptions;
  #failure: { readonly error: unknown } | null = null;

  /** Throws if a schema names a missing word. */
  constructor(words: Words) {
    for (const word of wordsIn(generationSchemas))
      if (words[word] === undefined)
        throw new Error(`The schemas name the word ${word}, which does not exist.`);
    const faker = Object.fromEntries(
      Object.entries(words).map(([name, word]) => [name, () => this.#guarded(word)]),
    );
    this.#options = { maxDepth: 20, alwaysFakeOptionals: true, extensions: { faker } };
  }

  /** Returns the same draft for the same seed, if the words return the same values. */
  draft<N extends keyof Records>(collection: N, seed: number): Partial<Records[N]> {
    // The generator's type differs only in the missing `readonly`.
    const draft = generateSync(generationSchemas[collection] as JsonSchema, { ...this.#options, seed });
    if (this.#failure !== null) throw this.#failure.error;
    // The draft follows the schema of this collection.
    return draft as Partial<Records[N]>;
  }

  /** Remembers the error of a word: the generator would replace a failed value with any text. */
  #guarded(word: () => unknown): unknown {
    try {
      return word();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** Returns the words that schemas name, at any depth. */
function wordsIn(schemas: unknown): readonly string[] {
  if (typeof schemas !== 'object' || schemas === null) return [];
  return Object.entries(schemas).flatMap(([keyword, value]) =>
    keyword === 'faker' && typeof value === 'string' ? [value] : wordsIn(value),
  );
}
