import { messageOf } from '../base/message-of.ts';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { fieldOf, isObject } from '../base/is-object.ts';
import { memo } from '../base/memo.ts';
import { quoted } from '../base/violation.ts';
import { packageFolder, packageRoot } from '../base/package-files.ts';
import { generatedPrefix } from '../generate/counts.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';

/** Folders of `fixtures/` that are not seeds. */
const notSeeds = new Set(['assets', 'media', 'scenarios']);

/** The report of `lp-sandbox record`, in the folder of the seed that it wrote. */
export const reportFile = 'record-report.json';

/** The failures and unusual values of a recording, for `--scenario`, in the folder of its seed. */
export const scenarioFile = 'record-scenario.json';

/** How long the service took, for `--latency-from`, in the folder of the seed of a recording. */
export const latencyFile = 'record-latencies.json';

/** The seed of a recording in progress, in one file. If it exists, the seed is in it, not in the other files. */
export const checkpointFile = 'checkpoint.json';

/** What `record --append` needs to continue a recording, in the folder of its seed. */
export const stateFile = 'recording-state.json';

/** The files of a recording that are not collections. */
export const recordingFiles: readonly string[] = [
  reportFile,
  scenarioFile,
  latencyFile,
  checkpointFile,
  stateFile,
];

/** An example of a generated seed, for messages. */
const generatedExample = `${generatedPrefix}videos=1000`;

/** The files of a seed, unchecked. */
export interface SeedSource {
  readonly folder: string;
  /** The text of each collection. */
  readonly texts: readonly (readonly [CollectionName, string])[];
  /** Whether `record` wrote it, so that its records are in the order in which the service listed them. */
  readonly isRecorded: boolean;
  /** The names of JSON files that are not collections. */
  readonly strays: readonly string[];
  /** A hash of the collections that are not empty, so that a new collection does not change it. */
  readonly fingerprint: string;
}

/** Returns the names of the seeds that the package ships. */
export function seedNames(): readonly string[] {
  const folders = packageFolder('fixtures/');
  return folders
    .filter((entry) => entry.isDirectory() && !notSeeds.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Reads the files of a seed, by its name or the path of its folder. Throws SandboxError if it is missing. */
export function readSeedSource(nameOrFolder: string): SeedSource {
  const folder = seedFolder(nameOrFolder);
  const checkpoint = readCheckpoint(folder);
  const texts = collectionNames.map(
    (name) => [name, checkpoint?.(name) ?? readIfThere(join(folder, `${name}.json`))] as const,
  );
  const files = readdirSync(folder);
  const isRecorded = files.some((file) => recordingFiles.includes(file));
  return { folder, texts, isRecorded, strays: files.filter(isStray), fingerprint: fingerprintOf(texts) };
}

/** The length of texts whose hash is kept, with the texts, for the next server that starts with them. */
const maxKeptChars = 4_000_000;

/** A test suite may start a server for each test, all with the same seed. */
const keptHashOf = memo(1, (texts: string) => hashOf([texts]));

function fingerprintOf(collections: SeedSource['texts']): string {
  const texts = collections.flatMap(([name, text]) => (isEmptyList(text) ? [] : [`${name}\n${text}\n`]));
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  return chars <= maxKeptChars ? keptHashOf(texts.join('')) : hashOf(texts);
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** Returns the texts of the collections in a checkpoint; null if there is none. Throws SandboxError if it is damaged. */
function readCheckpoint(folder: string): ((name: CollectionName) => string) | null {
  const file = join(folder, checkpointFile);
  if (!existsSync(file)) return null;
  const collections = fieldOf(parseFile(file), 'collections');
  if (!isObject(collections))
    throw new SandboxError(`${file} is not a checkpoint of a recording. Delete it, and record again.`);
  return (name) => JSON.stringify(fieldOf(collections, name) ?? []);
}

function parseFile(file: string): object {
  try {
    const parsed: unknown = JSON.parse(readIfThere(file));
    return isObject(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    return {};
  }
}

/** Returns whether the text of a collection has no records. */
function isEmptyList(text: string): boolean {
  return /^\s*\[\s*\]\s*$/.test(text);
}

/** Returns whether the text of a collection can have relative times, which saves a look at each record. */
export function mayHaveRelativeTimes(text: string): boolean {
  return /"(?:now|next |today )/.test(text);
}

function seedFolder(nameOrFolder: string): string {
  const known = seedNames();
  if (known.includes(nameOrFolder)) return fileURLToPath(new URL(`fixtures/${nameOrFolder}/`, packageRoot));
  const folder = resolve(nameOrFolder);
  if (nameOrFolder !== '' && existsSync(folder) && statSync(folder).isDirectory()) return folder;
  throw unknownSeed(
    nameOrFolder,
    `; or give the path of a folder of fixtures, or generate one: ${generatedExample}.`,
  );
}

/** Returns the error for a seed that does not exist. */
export function unknownSeed(name: string, ending: string): SandboxError {
  const known = seedNames();
  return new SandboxError(
    `There is no seed ${quoted(name)}.${didYouMean(name, known)} Known seeds: ${known.join(', ')}${ending}`,
  );
}

function readIfThere(file: string): string {
  if (!existsSync(file)) return '[]';
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SandboxError(`Cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Returns whether a file looks like that of an unknown collection. */
function isStray(file: string): boolean {
  const isOwn = recordingFiles.includes(file);
  return file.endsWith('.json') && !isOwn && !isCollection(file.slice(0, -'.json'.length));
}

function isCollection(name: string): name is CollectionName {
  return collectionNames.some((known) => known === name);
}
