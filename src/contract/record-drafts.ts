import { generateSync, type GenerateOptions, type JsonSchema } from 'json-schema-faker';
import type { Records } from './generated/facts.ts';
import { generationSchemas } from './generated/generation-schemas.js';

/** What makes a value that a schema calls for by the keyword `faker`. */
export type Words = Readonly<Record<string, () => unknown>>;

/** Drafts of records: all that their collection's schema tells of, but for their ids and those of the records that they name. */
export class RecordDrafts {
  readonly #options: GenerateOptions;
  #failure: { readonly error: unknown } | null = null;

  /** Throws where a schema calls for a word that is not there. */
  constructor(words: Words) {
    for (const word of wordsIn(generationSchemas))
      if (words[word] === undefined) throw new Error(`There is no word ${word} to generate with.`);
    const faker = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, () => this.#guarded(word)]));
    this.#options = { maxDepth: 20, alwaysFakeOptionals: true, extensions: { faker } };
  }

  /** The same seed gives the same draft, as far as the words do too. */
  draft<N extends keyof Records>(collection: N, seed: number): Partial<Records[N]> {
    // The generator's own type of the same, which only lacks `readonly`.
    const draft = generateSync(generationSchemas[collection] as JsonSchema, { ...this.#options, seed });
    if (this.#failure !== null) throw this.#failure.error;
    // Made from the schema of this very collection.
    return draft as Partial<Records[N]>;
  }

  /** The generator would take any text in place of a word that fails. */
  #guarded(word: () => unknown): unknown {
    try {
      return word();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** The words that schemas call for, however deep. */
function wordsIn(schemas: unknown): readonly string[] {
  if (typeof schemas !== 'object' || schemas === null) return [];
  return Object.entries(schemas).flatMap(([keyword, value]) =>
    keyword === 'faker' && typeof value === 'string' ? [value] : wordsIn(value),
  );
}
