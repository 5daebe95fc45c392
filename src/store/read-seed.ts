import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../base/did-you-mean.ts';
import { checkRecord } from '../contract/record-check.ts';
import { describe, pointerTo, sentence } from '../base/violation.ts';
import { SandboxError } from '../base/errors.ts';
import { checkReferences } from '../sandbox/references.ts';
import { isRelativeTime } from '../base/relative-time.ts';
import {
  anchored,
  collectionNames,
  SeedCollection,
  type CollectionName,
  type Seed,
} from '../sandbox/seed.ts';
import { deepFreeze } from '../sandbox/state.ts';
import type { Records } from '../contract/generated/facts.ts';
import { generatedPrefix } from '../generate/counts.ts';
import { GeneratedSeeds } from './generated-seeds.ts';
import { packageFolder, packageRoot } from '../base/package-files.ts';

/** Whether a name may also be the path of a local file. HTTP requests must not read files. */
export type PathPolicy = 'names-only' | 'names-and-files';

/** Folders of `fixtures/` that are not seeds. */
const notSeeds = new Set(['assets', 'media', 'scenarios']);

/** The report of `lp-sandbox record`, in the folder of the seed that it wrote. */
export const reportFile = 'record-report.json';

/** An example of a generated seed, for messages. */
const generatedExample = `${generatedPrefix}videos=1000`;

/** Returns the names of the seeds that the package ships. */
export function seedNames(): readonly string[] {
  const folders = packageFolder('fixtures/');
  return folders
    .filter((entry) => entry.isDirectory() && !notSeeds.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Loads the seeds of a server, each once. */
export class Seeds {
  readonly #loaded = new Map<string, Seed>();
  readonly #generated = new GeneratedSeeds();

  /**
   * Returns a seed by name, or by the path of a folder. Rejects with SandboxError if it is missing or
   * invalid.
   */
  async named(nameOrFolder: string, pathPolicy: PathPolicy = 'names-and-files'): Promise<Seed> {
    if (nameOrFolder.startsWith(generatedPrefix)) return this.#generated.named(nameOrFolder, pathPolicy);
    if (pathPolicy === 'names-only' && !seedNames().includes(nameOrFolder))
      throw unknownSeed(nameOrFolder, '.');
    const seed = this.#loaded.get(nameOrFolder) ?? readSeed(nameOrFolder);
    this.#loaded.set(nameOrFolder, seed);
    return seed;
  }
}

/** Reads a seed without a cache. Throws as `Seeds` does. */
export function readSeed(nameOrFolder: string): Seed {
  const folder = seedFolder(nameOrFolder);
  const texts = collectionNames.map((name) => [name, readIfThere(join(folder, `${name}.json`))] as const);
  const strays = readdirSync(folder).filter(isStray);
  const problems = strays.map(
    (file) => `${file} is not a collection.${didYouMean(file.slice(0, -'.json'.length), collectionNames)}`,
  );
  const hash = createHash('sha256');
  const collections = texts.map(([name, text]) => {
    hash.update(`${name}\n${text}\n`);
    return [name, readCollection(name, text, problems)];
  });
  // The entries have one collection for each name.
  const seed: Seed = {
    name: nameOrFolder,
    fingerprint: hash.digest('hex'),
    collections: Object.fromEntries(collections) as Seed['collections'],
  };
  if (problems.length === 0)
    problems.push(...checkReferences(lookup(seed), everyRecord(seed)).map((problem) => sentence(problem)));
  if (problems.length === 0 && seed.collections.schools.byId.size === 0) {
    problems.push('schools.json has no school, so no API key would work.');
  }
  if (problems.length === 0) return seed;
  const more = problems.length > 20 ? `\n  and ${problems.length - 20} more` : '';
  throw new SandboxError(`The seed in ${folder} is invalid:\n  ${problems.slice(0, 20).join('\n  ')}${more}`);
}

function seedFolder(nameOrFolder: string): string {
  const known = seedNames();
  if (known.includes(nameOrFolder)) return fileURLToPath(new URL(`fixtures/${nameOrFolder}/`, packageRoot));
  const folder = resolve(nameOrFolder);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  throw unknownSeed(
    nameOrFolder,
    `; or give the path of a folder of fixtures, or generate one: ${generatedExample}.`,
  );
}

function unknownSeed(name: string, ending: string): SandboxError {
  const known = seedNames();
  return new SandboxError(
    `There is no seed "${name}".${didYouMean(name, known)} Known seeds: ${known.join(', ')}${ending}`,
  );
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '[]';
}

/** Returns whether a file looks like that of an unknown collection. */
function isStray(file: string): boolean {
  return file.endsWith('.json') && file !== reportFile && !isCollection(file.slice(0, -'.json'.length));
}

function isCollection(name: string): name is CollectionName {
  return collectionNames.some((known) => known === name);
}

/** Parses the file of a collection. Adds invalid records to `problems`. */
function readCollection<N extends CollectionName>(
  name: N,
  text: string,
  problems: string[],
): SeedCollection<N> {
  const valid: Records[N][] = [];
  const relative = new Set<string>();
  const mayBeRelative = text.includes('"now');
  for (const [index, record] of parseList(name, text, problems).entries()) {
    const isRelative =
      mayBeRelative &&
      typeof record === 'object' &&
      record !== null &&
      Object.values(record).some(isRelativeTime);
    const wrong = checkRecord(name, isRelative ? anchored(record, 0) : record, pointerTo('', index));
    problems.push(...wrong.map((violation) => `${name}.json: ${sentence(violation)}`));
    if (wrong.length > 0) continue;
    // The record has passed the check of its collection.
    const frozen = deepFreeze(record as Records[N]);
    valid.push(frozen);
    if (isRelative) relative.add(frozen.id);
  }
  problems.push(...findDuplicates(name, valid, 'id'));
  if (name === 'schools') problems.push(...findDuplicates(name, valid, 'slug'));
  return new SeedCollection(name, valid, relative);
}

/** Returns a problem for each value of a field that an earlier record has too. */
function findDuplicates(
  collection: string,
  records: readonly Readonly<Record<string, unknown>>[],
  field: string,
): readonly string[] {
  const seen = new Set<unknown>();
  const problems: string[] = [];
  for (const [index, { [field]: value }] of records.entries()) {
    if (seen.has(value))
      problems.push(
        `${collection}.json: /${index}/${field} ${describe(value)} is already used by an earlier record.`,
      );
    seen.add(value);
  }
  return problems;
}

function parseList(name: string, text: string, problems: string[]): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
    problems.push(`${name}.json must be an array of records, but is ${describe(parsed)}.`);
  } catch (error) {
    problems.push(`${name}.json is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [];
}

function lookup(seed: Seed) {
  return (collection: CollectionName, id: string): boolean => seed.collections[collection].byId.has(id);
}

function* everyRecord(seed: Seed): Iterable<readonly [CollectionName, object]> {
  for (const name of collectionNames)
    for (const record of seed.collections[name].byId.values()) yield [name, record];
}
