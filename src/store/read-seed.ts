import { checkedSeeds } from '../contract/generated/checked-seeds.js';
import type { Records } from '../contract/generated/facts.ts';
import { generatedPrefix } from '../generate/counts.ts';
import type { CollectionName, Seed, SeedCollection } from '../sandbox/seed.ts';
import { GeneratedSeeds, type SeedRequest } from './generated-seeds.ts';
import {
  checkedCollectionOf,
  collectionOf,
  collectionsFrom,
  type NamedCollection,
} from './seed-collection.ts';
import { mayHaveRelativeTimes, readSeedSource, seedNames, unknownSeed } from './seed-source.ts';

/** Whether a name may also be the path of a local file. HTTP requests must not read files. */
export type PathPolicy = 'names-only' | 'names-and-files';

/** Loads the seeds of a server, each once. */
export class Seeds {
  readonly #loaded = new Map<string, Seed>();
  readonly #generated = new GeneratedSeeds();

  /**
   * Returns a seed by name, or by the path of a folder. Rejects with SandboxError if it is missing or
   * invalid. `request` is for generated seeds only.
   */
  async named(
    nameOrFolder: string,
    pathPolicy: PathPolicy = 'names-and-files',
    request: SeedRequest = {},
  ): Promise<Seed> {
    if (nameOrFolder.startsWith(generatedPrefix))
      return this.#generated.named(nameOrFolder, pathPolicy, request);
    if (pathPolicy === 'names-only' && !seedNames().includes(nameOrFolder))
      throw unknownSeed(nameOrFolder, '.');
    const seed = this.#loaded.get(nameOrFolder) ?? (await readSeed(nameOrFolder));
    this.#loaded.set(nameOrFolder, seed);
    return seed;
  }

  /** Ends what is in progress, because the server stops. */
  stop(): void {
    this.#generated.stop();
  }
}

/**
 * Reads a seed without a cache. Rejects as `Seeds` does. Seeds that the build has checked are not checked
 * again, so that the server starts sooner.
 */
export async function readSeed(nameOrFolder: string): Promise<Seed> {
  const source = readSeedSource(nameOrFolder);
  const isChecked = checkedSeeds.includes(source.fingerprint) && source.strays.length === 0;
  const valid = isChecked ? null : (await import('./check-seed.ts')).validRecords(source);
  const collections = source.texts.map(([name, text]): NamedCollection => [
    name,
    readCollection(name, text, valid?.get(name) ?? null),
  ]);
  return {
    name: nameOrFolder,
    fingerprint: source.fingerprint,
    isRecorded: source.isRecorded,
    collections: collectionsFrom(collections),
  };
}

/** Returns a collection from its text and the valid records in it, or null if the build has checked them. */
function readCollection<N extends CollectionName>(
  name: N,
  text: string,
  valid: readonly object[] | null,
): SeedCollection<N> {
  const mayBeRelative = mayHaveRelativeTimes(text);
  if (valid === null) return checkedCollectionOf(name, text, mayBeRelative);
  // Every record has passed the check of its collection.
  return collectionOf(name, valid as readonly Records[N][], mayBeRelative);
}
