import { lstatSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { isPlainName } from '../sandbox/keys.ts';
import type { LockedPlace } from './lock.ts';
import { createFolder } from './create-folder.ts';
import { isMountPoint } from './disk.ts';
import { inodeOf } from './known-files.ts';
import { partsOf } from './log-names.ts';
import { withoutEnding } from './source-file.ts';
import { isUnfinished } from './unfinished-files.ts';

/** The files of a sandbox: its state, and the logs that exist. */
export interface SandboxFiles {
  readonly file: string;
  readonly logs: readonly string[];
}

/** The files of a `--data` location: one per sandbox, with its log. */
export interface Location {
  /** The path as the user gave it. */
  readonly name: string;
  /** Returns the file of a sandbox. */
  fileOf(sandboxId: string): string;
  /** Removes what a killed server has left unfinished, before this one writes anything. */
  clean(): void;
  /** Returns the files that can belong to sandboxes, by sandbox. */
  files(): Map<string, SandboxFiles>;
  /** Throws an error if the folder is missing, or not the one that the server started with. */
  requireFolder(): void;
  /** The folder and the files in it that only one server can use at a time. */
  readonly place: LockedPlace;
  /** What the user should know about the location; null for nothing. */
  readonly warning: string | null;
}

/**
 * Resolves a `--data` path. `FILE.json` holds the default sandbox, with the others next to it; any other path
 * is a folder with a file for each. Throws SandboxError for any other file, and the error of the system.
 */
export function locate(data: string): Location {
  const path = followed(resolve(data));
  const found = statSync(path, { throwIfNoEntry: false });
  const isFile = path.endsWith('.json') && found?.isDirectory() !== true;
  if (!isFile) requireFolder(data, path, found);
  else if (found !== undefined && !found.isFile())
    throw new SandboxError(
      `--data ${data} is not a regular file. Give a folder, or a file that ends in .json.`,
    );
  const folder = isFile ? dirname(path) : path;
  createFolder(folder);
  const stem = isFile ? basename(path, '.json') : '';
  if (Buffer.byteLength(stem) > maxStemBytes)
    throw new SandboxError(
      `The file name of --data ${data} is too long: it can have at most ${maxStemBytes} bytes before .json. Use a shorter one.`,
    );
  const inode = inodeOf(statSync(folder));
  const isMounted = isFile && isMountPoint(path);
  const isOwn = (name: string): boolean => !isFile || name.startsWith(`${stem}.`);
  const nameOf = (id: string): string => {
    if (!isFile) return `${id}.json`;
    return id === 'default' ? `${stem}.json` : `${stem}.${id}.json`;
  };
  const filesIn = (): Map<string, SandboxFiles> => {
    const byId = new Map<string, SandboxFiles>();
    for (const name of readdirSync(folder)) {
      const id = idOf(withoutEnding(name), isFile, stem);
      if (id === null) continue;
      const { file, logs } = byId.get(id) ?? { file: join(folder, nameOf(id)), logs: [] };
      byId.set(id, { file, logs: name.endsWith('.log') ? [...logs, join(folder, name)] : logs });
    }
    return byId;
  };
  return {
    name: data,
    fileOf: (id) => join(folder, nameOf(id)),
    clean: () => {
      for (const name of readdirSync(folder))
        if (isOwn(name) && isUnfinished(join(folder, name))) rmSync(join(folder, name), { force: true });
    },
    files: filesIn,
    requireFolder: () => {
      const now = statSync(folder, { throwIfNoEntry: false });
      if (now === undefined || inodeOf(now) !== inode)
        throw new Error(
          `the folder ${folder} is missing or was replaced, such as a volume that is not mounted. Mount it again, or restart the server`,
        );
    },
    place: {
      folder: realpathSync(folder),
      stem: isFile ? stem : null,
      ...(isFile && found !== undefined ? { file: path } : {}),
    },
    warning: isMounted
      ? `${data} is mounted as a single file, so its log is not on the same volume. Changes that are only in the log are lost with the container. Mount the folder instead.`
      : null,
  };
}

/** The names of the files beside a state file are longer, and have at most 255 bytes. */
const maxStemBytes = 130;

/** Throws SandboxError if a path is neither a folder nor a good name for one. */
function requireFolder(data: string, path: string, found: Stats | undefined): void {
  if (found?.isDirectory() === true) return;
  const isLink = path !== resolve(data);
  if (isLink && resolve(data).endsWith('.json'))
    throw new SandboxError(
      `--data ${data} is a link to ${path}, which does not end in .json. Rename that file.`,
    );
  if (found !== undefined)
    throw new SandboxError(
      `--data ${data} is neither a folder nor a file that ends in .json. Give one of them; the server creates it if it does not exist.`,
    );
  if (/\.json$/i.test(path))
    throw new SandboxError(
      `--data ${data} does not end in .json in lower case. Rename it; or create the folder first, if it is one.`,
    );
}

/** Returns what a path refers to at the end of all links, even if nothing is there yet. */
function followed(path: string): string {
  const seen = new Set<string>();
  let at = path;
  while (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    if (seen.has(at)) throw new SandboxError(`--data ${path} is a link that leads back to itself.`);
    seen.add(at);
    at = resolve(dirname(at), readlinkSync(at));
  }
  return at;
}

/** Returns the sandbox that a state file or a log belongs to by its name; null for other files. */
function idOf(file: string, isFile: boolean, stem: string): string | null {
  const name = file.endsWith('.json') ? file.slice(0, -'.json'.length) : partsOf(file)?.of;
  if (name === undefined) return null;
  const id = isFile ? idBeside(stem, name) : name;
  return isPlainName(id) ? id : null;
}

function idBeside(stem: string, name: string): string {
  if (name === stem) return 'default';
  return name.startsWith(`${stem}.`) ? name.slice(stem.length + 1) : '';
}
