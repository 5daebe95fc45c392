import { messageOf } from '../base/message-of.ts';
import { jsonText } from '../base/escape.ts';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { fieldOf, isObject } from '../base/is-object.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import { createFolder } from './create-folder.ts';
import { hold, type Lock } from './lock.ts';
import { readSeed } from './read-seed.ts';
import { freePath } from './seed-folder.ts';
import { writeCollections, writeWhole } from './seed-files.ts';
import { checkpointFile, latencyFile, reportFile, scenarioFile, stateFile } from './seed-source.ts';

/** What a recording writes: only masked values. */
export interface RecordedFiles {
  readonly collections: { readonly [N in CollectionName]: readonly object[] };
  readonly report: object;
  /** The failures and unusual values, as a scenario; null if there were none. */
  readonly scenario?: object | null;
  /** How long the service took. */
  readonly latencies?: readonly object[];
  /** What a later recording needs to continue; null if it cannot. */
  readonly state?: object | null;
}

/** Returns the state of the recording in a folder. Throws SandboxError if there is none. */
export function readRecordingState(folder: string): object {
  const checkpoint = readState(join(folder, checkpointFile));
  const state = checkpoint === null ? readState(join(folder, stateFile)) : fieldOf(checkpoint, 'state');
  if (isObject(state)) return state;
  throw new SandboxError(
    `--append: ${folder} has no recording that can be continued. Give the folder of a recording that was made with --secret, or record into a new folder.`,
  );
}

/** Returns what `record --append` needs. Throws SandboxError if the file is damaged. */
function readState(file: string): object | null {
  try {
    return readJson(file);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new SandboxError(
      `--append: ${error.message} It holds what a recording needs to be continued, and is cut off or changed. Restore it from a copy, or record into a new folder.`,
    );
  }
}

function readJson(file: string): object | null {
  if (!existsSync(file)) return null;
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(parsed) ? parsed : null;
  } catch (error) {
    const why = messageOf(error);
    throw new SandboxError(
      error instanceof SyntaxError ? `${file} is not valid JSON.` : `${file} cannot be read: ${why}.`,
    );
  }
}

/**
 * The folder of a recording. While the recording runs, it holds a checkpoint, which is a whole seed in one file, so
 * that replacing it is atomic. At the end, it holds the files of a seed.
 */
export class RecordingFolder {
  #path: string;
  /** Whether the folder belongs to this recording. */
  #isOwn: boolean;
  #lock: Lock | null = null;

  constructor(path: string, isOwn = false) {
    this.#path = path;
    this.#isOwn = isOwn;
  }

  /**
   * Claims the folder, or one beside it with a number if it is no longer free, and locks it. Rejects with SandboxError
   * if another recording uses it: the one that ends last would replace the calls of the other.
   */
  async claim(owner: string): Promise<void> {
    if (this.#lock !== null) return;
    const path = this.#isOwn ? this.#path : this.#create();
    const place = { folder: realpathSync(path), stem: null };
    this.#lock = await hold(place, path, owner, { user: 'recording', flag: '--out' });
    this.#path = path;
    this.#isOwn = true;
  }

  /** Lets other recordings use the folder. */
  async release(): Promise<void> {
    await this.#lock?.release();
    this.#lock = null;
  }

  #create(): string {
    const path = freePath(this.#path);
    createFolder(path);
    return path;
  }

  /** Replaces the checkpoint, in a new folder if none is claimed. */
  writeCheckpoint(files: RecordedFiles): void {
    if (!this.#isOwn) {
      this.#path = this.#create();
      this.#isOwn = true;
    }
    const file = join(this.#path, checkpointFile);
    writeFileSync(`${file}.new`, JSON.stringify(files));
    renameSync(`${file}.new`, file);
  }

  /**
   * Writes the seed and its report after checking that the seed can be read, and removes the checkpoint. Returns the
   * path. Rejects with SandboxError if the seed is invalid.
   */
  async finish(files: RecordedFiles): Promise<string> {
    const { collections, report } = files;
    // Until it is removed, readers use it instead of the other files, which are replaced one by one.
    this.writeCheckpoint(files);
    const filled = collectionNames.filter((name) => collections[name].length > 0);
    await writeWhole(this.#path, async (draft) => {
      writeCollections(
        draft,
        filled.map((name) => [name, collections[name]]),
      );
      writeFileSync(join(draft, reportFile), jsonText(report));
      if (isObject(files.scenario)) writeFileSync(join(draft, scenarioFile), jsonText(files.scenario));
      if (files.latencies !== undefined && files.latencies.length > 0)
        writeFileSync(join(draft, latencyFile), this.#latencyText(files.latencies));
      if (isObject(files.state)) writeFileSync(join(draft, stateFile), JSON.stringify(files.state));
      await readSeed(draft);
    });
    for (const name of collectionNames.filter((one) => !filled.includes(one)))
      rmSync(join(this.#path, `${name}.json`), { force: true });
    rmSync(join(this.#path, checkpointFile));
    return this.#path;
  }

  /** Adds the latencies of an earlier part of the recording, for operations that this one did not call. */
  #latencyText(latencies: readonly object[]): string {
    const earlier = fieldOf(readJson(join(this.#path, latencyFile)) ?? {}, 'latencies');
    const called = new Set(latencies.map((one) => fieldOf(one, 'operation')));
    const others = (Array.isArray(earlier) ? earlier : []).filter(
      (one: unknown) => isObject(one) && !called.has(one['operation']),
    );
    return jsonText({ latencies: [...others, ...latencies] });
  }
}
