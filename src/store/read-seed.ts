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
import { anchored, collectionNames, SeedCollection, type CollectionName, type Seed } from '../sandbox/seed.ts';
import { deepFreeze } from '../sandbox/state.ts';
import type { Records } from '../contract/generated/facts.ts';
import { generatedPrefix } from '../generate/counts.ts';
import { GeneratedSeeds } from './generated-seeds.ts';
import { packageFolder, packageRoot } from '../base/package-files.ts';

/** Whether names may be paths of files on this machine too: not for a request from elsewhere. */
export type PathPolicy = 'names-only' | 'names-and-files';

/** Folders of `fixtures/` that are no seeds. */
const notSeeds = new Set(['assets', 'media', 'scenarios']);

/** What a recording tells of itself, beside the collections that it wrote. */
export const reportFile = 'record-report.json';

/** A generated seed, as an example. */
const anyGenerated = `${generatedPrefix}videos=1000`;

/** The seeds that the package ships. */
export function seedNames(): readonly string[] {
  const folders = packageFolder('fixtures/');
  return folders
    .filter((entry) => entry.isDirectory() && !notSeeds.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** The seeds that a server uses, each loaded once and shared. */
export class Seeds {
  readonly #loaded = new Map<string, Seed>();
  readonly #generated = new GeneratedSeeds();

  /** A seed by its name, or from a folder by its path. Rejects with SandboxError where there is none, or where it does not fit. */
  async named(nameOrFolder: string, pathPolicy: PathPolicy = 'names-and-files'): Promise<Seed> {
    if (nameOrFolder.startsWith(generatedPrefix)) return this.#generated.named(nameOrFolder, pathPolicy);
    if (pathPolicy === 'names-only' && !seedNames().includes(nameOrFolder)) throw unknownSeed(nameOrFolder, '.');
    const seed = this.#loaded.get(nameOrFolder) ?? readSeed(nameOrFolder);
    this.#loaded.set(nameOrFolder, seed);
    return seed;
  }
}

/** Loads a seed anew. Throws as `Seeds` does. */
export function readSeed(nameOrFolder: string): Seed {
  const folder = seedFolder(nameOrFolder);
  const texts = collectionNames.map((name) => [name, readIfThere(join(folder, `${name}.json`))] as const);
  const strays = readdirSync(folder).filter(isStray);
  const problems = strays.map((file) => `${file} is no collection.${didYouMean(file.slice(0, -'.json'.length), collectionNames)}`);
  const hash = createHash('sha256');
  const collections = texts.map(([name, text]) => {
    hash.update(`${name}\n${text}\n`);
    return [name, readCollection(name, text, problems)];
  });
  // One collection per name, each read from the file of that name.
  const seed: Seed = {
    name: nameOrFolder,
    fingerprint: hash.digest('hex'),
    collections: Object.fromEntries(collections) as Seed['collections'],
  };
  if (problems.length === 0) problems.push(...checkReferences(lookup(seed), everyRecord(seed)).map((problem) => sentence(problem)));
  if (problems.length === 0 && seed.collections.schools.byId.size === 0) {
    problems.push('schools.json holds no school, so no key could be used.');
  }
  if (problems.length === 0) return seed;
  const more = problems.length > 20 ? `\n  and ${problems.length - 20} more` : '';
  throw new SandboxError(`The seed in ${folder} does not fit:\n  ${problems.slice(0, 20).join('\n  ')}${more}`);
}

function seedFolder(nameOrFolder: string): string {
  const known = seedNames();
  if (known.includes(nameOrFolder)) return fileURLToPath(new URL(`fixtures/${nameOrFolder}/`, packageRoot));
  const folder = resolve(nameOrFolder);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  throw unknownSeed(nameOrFolder, `; or give the path of a folder of fixtures, or have one made: ${anyGenerated}.`);
}

function unknownSeed(name: string, ending: string): SandboxError {
  const known = seedNames();
  return new SandboxError(`There is no seed "${name}".${didYouMean(name, known)} Known seeds: ${known.join(', ')}${ending}`);
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '[]';
}

/** Whether a file looks like one of a collection that there is not. */
function isStray(file: string): boolean {
  return file.endsWith('.json') && file !== reportFile && !isCollection(file.slice(0, -'.json'.length));
}

function isCollection(name: string): name is CollectionName {
  return collectionNames.some((known) => known === name);
}

/** A collection from the text of its file; what does not fit is added to `problems`. */
function readCollection<N extends CollectionName>(name: N, text: string, problems: string[]): SeedCollection<N> {
  const fitting: Records[N][] = [];
  const relative = new Set<string>();
  const mayBeRelative = text.includes('"now');
  for (const [index, record] of parseList(name, text, problems).entries()) {
    const isRelative = mayBeRelative && typeof record === 'object' && record !== null && Object.values(record).some(isRelativeTime);
    const wrong = checkRecord(name, isRelative ? anchored(record, 0) : record, pointerTo('', index));
    problems.push(...wrong.map((violation) => `${name}.json: ${sentence(violation)}`));
    if (wrong.length > 0) continue;
    // It has passed the check of its collection.
    const kept = deepFreeze(record as Records[N]);
    fitting.push(kept);
    if (isRelative) relative.add(kept.id);
  }
  problems.push(...repeated(name, fitting, 'id'));
  if (name === 'schools') problems.push(...repeated(name, fitting, 'slug'));
  return new SeedCollection(name, fitting, relative);
}

/** Values of a field that an earlier record has already. */
function repeated(collection: string, records: readonly Readonly<Record<string, unknown>>[], field: string): readonly string[] {
  const seen = new Set<unknown>();
  const problems: string[] = [];
  for (const [index, { [field]: value }] of records.entries()) {
    if (seen.has(value)) problems.push(`${collection}.json: /${index}/${field} ${describe(value)} stands for an earlier record already.`);
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
  for (const name of collectionNames) for (const record of seed.collections[name].byId.values()) yield [name, record];
}
