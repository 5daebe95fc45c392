import { messageOf } from '../base/message-of.ts';
import { ConflictError } from '../base/errors.ts';
import { after } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { unusedNumber } from '../sandbox/request-numbers.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { DataSync } from './data-sync.ts';
import { deleteFiles, finishDeletion, hasMark } from './delete-files.ts';
import { areFilesUsedUp } from './disk.ts';
import { DiskSyncs } from './disk-syncs.ts';
import { Keeper } from './keeper.ts';
import type { Loaded } from './restored.ts';
import type { Location, SandboxFiles } from './locations.ts';
import type { Lock } from './lock.ts';
import { LogFiles } from './log-files.ts';
import { fileAt, isMark, markFile } from './log-names.ts';
import { OpenLogs } from './open-logs.ts';
import { inspect, isThere, requireOwn } from './own-files.ts';
import { StatePort } from './state-port.ts';
import { StoredFiles } from './stored-files.ts';
import { isOfSystem } from './unusable-data.ts';

/** A stop writes logs into state files for this long, in milliseconds. The next start reads the other logs. */
const maxFoldingMs = 1000;

/** While some wait for the disk, others write. */
const maxFoldsAtOnce = 8;

/** Replies wait for other writes. */
const maxSettling = 2;

interface KeepersOptions {
  readonly location: Location;
  readonly lock: Lock | null;
  readonly dataSync: DataSync;
  readonly warn: (message: string) => void;
}

/** The keepers of the sandboxes in memory. */
export class Keepers {
  /** The number of states written since the start. */
  writes = 0;
  /** The number of failed attempts to store something since the start. */
  failures = 0;
  readonly #options: KeepersOptions;
  readonly #syncs = new DiskSyncs();
  readonly #logs = new OpenLogs(this.#syncs);
  readonly #byId = new Map<string, Keeper>();
  /** Those whose state files are to be written. */
  readonly #unsettled = new Set<Keeper>();
  #settling = 0;
  #hasStarted = false;
  #isVerifying = false;

  constructor(options: KeepersOptions) {
    this.#options = options;
  }

  /** Why a change could not be stored; null if all could. */
  get failure(): string | null {
    for (const { failure } of this.#byId.values()) if (failure !== null) return failure;
    return null;
  }

  /**
   * Begins to store a sandbox. `loaded` and `known` are what it was loaded from, if it was. Throws ConflictError
   * if there are files in the way, and StorageError if the system refuses to look.
   */
  keep(sandbox: Sandbox, loaded: Loaded | null, known: SandboxFiles | undefined): void {
    if (loaded === null) this.#requireDeleted(sandbox.id, this.#options.location.fileOf(sandbox.id));
    try {
      this.#begin(sandbox, loaded, known);
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      throw new StorageError(`The sandbox "${sandbox.id}" cannot be stored: ${String(error)}.`);
    }
  }

  #begin(sandbox: Sandbox, loaded: Loaded | null, known: SandboxFiles | undefined): void {
    const { location, lock, dataSync } = this.#options;
    const file = location.fileOf(sandbox.id);
    // A recovery may just have created the mark.
    const found = [...new Set([...(known?.logs ?? []), markFile(file, 'gap')])].filter(isThere);
    const logs = loaded === null ? found.filter((log) => isMark(log, 'gap')) : found;
    if (loaded === null && logs.length > 0) sandbox.numbers.skipTo(unusedNumber());
    if (loaded === null) requireOwn(sandbox.id, [file, fileAt(file, 1), ...(known?.logs ?? [])]);
    if (loaded === null && inspect({ file, logs: [fileAt(file, 1)] }) !== null)
      throw new ConflictError(`There are already files of a sandbox "${sandbox.id}": ${file}.`);
    let isPostponed = false;
    const port = new StatePort(file, dataSync === 'never' ? null : this.#syncs);
    if (loaded !== null) port.expect(loaded.stateId);
    const log = new LogFiles(file, this.#logs, logs, loaded?.chain);
    const keeper = new Keeper(sandbox, new StoredFiles(port, log, lock), {
      sync: dataSync,
      lastLine: loaded?.lastLine ?? 0,
      isStored: loaded !== null,
      isFolded: loaded?.isFolded ?? true,
      onError: (error, isFirst) => {
        this.failures += 1;
        if (isFirst) this.#report(sandbox, error);
      },
      onPostponed: (error) => {
        this.failures += 1;
        if (!isPostponed) this.#reportPostponed(sandbox, error);
        isPostponed = true;
      },
      onWritten: () => {
        this.writes += 1;
        isPostponed = false;
      },
    });
    this.#byId.set(sandbox.id, keeper);
  }

  /**
   * Deletes what is left of a deleted sandbox of this name: the next start would delete what is stored beside it. Throws
   * StorageError if something stays.
   */
  #requireDeleted(id: string, file: string): void {
    const { location, lock, dataSync } = this.#options;
    let failure: Error | null;
    try {
      // Its volume may be missing for a moment, with the mark.
      location.requireFolder();
      if (!hasMark(file)) return;
      lock?.check(true);
      failure = finishDeletion(location.files().get(id) ?? { file, logs: [] }, dataSync);
    } catch (error) {
      throw new StorageError(`The sandbox "${id}" cannot be stored: ${messageOf(error)}.`);
    }
    if (failure === null) return;
    throw new StorageError(
      `A sandbox "${id}" was deleted, but the system does not delete all of its files: ${failure.message}. Create one of another name, or remove the reason.`,
    );
  }

  #reportPostponed({ id }: Sandbox, error: unknown): void {
    this.#options.warn(
      `The state file of sandbox "${id}" cannot be written: ${String(error)}. Nothing is lost, because the log has all changes. The server tries again when the log has grown. ${adviceFor(error)}`,
    );
  }

  #report({ id }: Sandbox, error: unknown): void {
    this.#options.warn(
      `The state of sandbox "${id}" cannot be stored, so changes are refused. The server tries again every second: ${String(error)}`,
    );
    if (this.#isVerifying) return;
    // Others may have lost their files, too.
    this.#isVerifying = true;
    for (const keeper of this.#byId.values()) keeper.verify();
    this.#isVerifying = false;
  }

  /** Stops storing a sandbox that can be loaded again. Returns its files; null if it has to stay in memory. */
  release({ id }: Sandbox): SandboxFiles | null {
    const keeper = this.#byId.get(id);
    if (keeper?.verify() !== true) return null;
    const files = keeper.files.names;
    if (inspect(files)?.isUrgent !== false) return null;
    this.#end(id, keeper);
    return files;
  }

  /** Deletes the files of a removed sandbox, so that the next start does not load it. Throws StorageError. */
  forget({ id }: Sandbox): void {
    const keeper = this.#byId.get(id);
    if (keeper === undefined) return;
    const { location } = this.#options;
    deleteFiles(id, this.#options, () => {
      // A deletion has begun, and failed: others, of an earlier sandbox of this name, may be there.
      const begun = hasMark(location.fileOf(id)) ? location.files().get(id) : undefined;
      return begun ?? keeper.deletable();
    });
    this.#end(id, keeper);
  }

  #end(id: string, keeper: Keeper): void {
    keeper.end();
    this.#byId.delete(id);
  }

  /** Writes the state file of a sandbox soon if its log has lines. What fails is reported, and tried again later. */
  settle(id: string): void {
    const keeper = this.#byId.get(id);
    if (keeper === undefined || !this.#hasStarted) return;
    this.#unsettled.add(keeper);
    if (this.#settling < maxSettling) void this.#settleNext();
  }

  async #settleNext(): Promise<void> {
    this.#settling += 1;
    for (const keeper of this.#unsettled) {
      this.#unsettled.delete(keeper);
      await keeper.settle();
    }
    this.#settling -= 1;
  }

  /**
   * Writes the state files of the previous version, which lines cannot continue, and then the others in the background:
   * otherwise, a log that is read at each start would grow.
   */
  async start(): Promise<void> {
    await this.#foldEach((keeper) => (keeper.isOutdated ? keeper.settle() : Promise.resolve()));
    // Not before: on a slow disk, that delays the reading of other files.
    this.#hasStarted = true;
    for (const id of this.#byId.keys()) this.settle(id);
  }

  /** Writes the state files whose logs have lines, as far as there is time, and ends. Rejects if a write fails. */
  async close(): Promise<void> {
    const keepers = [...this.#byId.values()];
    this.#unsettled.clear();
    this.#syncs.hurry();
    const limit = after(maxFoldingMs, () => {
      for (const keeper of keepers) keeper.leaveToLog();
    });
    const failures: unknown[] = [];
    try {
      await this.#foldEach((keeper) => keeper.finish().catch((error: unknown) => failures.push(error)));
    } finally {
      limit.cancel();
      for (const keeper of keepers) keeper.close();
      await this.#logs.whenBegun();
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Calls `fold` for a few keepers at a time, so that what it begins is soon complete. */
  async #foldEach(fold: (keeper: Keeper) => Promise<unknown>): Promise<void> {
    const waiting = [...this.#byId.values()].toSorted(mostLogsFirst).values();
    await Promise.all(
      Array.from({ length: maxFoldsAtOnce }, async () => {
        for (const keeper of waiting) await fold(keeper);
      }),
    );
  }
}

/** Returns what to do about a state file that cannot be written. */
function adviceFor(error: unknown): string {
  return areFilesUsedUp(error) ? 'Raise the limit of open files (ulimit -n).' : 'Free space on the volume.';
}

/** So that logs do not pile up over many stops that have no time for all. */
function mostLogsFirst(one: Keeper, other: Keeper): number {
  const [first, second] = [one.files.log, other.files.log];
  return second.files.length - first.files.length || second.allBytes - first.allBytes;
}
