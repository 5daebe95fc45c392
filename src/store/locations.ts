import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { isPlainName } from '../sandbox/keys.ts';
import type { LockedPlace } from './lock.ts';
import { partsOf } from './log-files.ts';
import { isUnfinished } from './state-port.ts';

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
  /** Returns the files that can belong to sandboxes, by sandbox. */
  files(): Map<string, SandboxFiles>;
  /** The folder and the files in it that only one server can use at a time. */
  readonly place: LockedPlace;
  /** What the user should know about the location; null for nothing. */
  readonly warning: string | null;
}

/**
 * Resolves a `--data` path. `FILE.json` holds the default sandbox, with the others next to it; any other path
 * is a folder with a file for each. Throws SandboxError for a link to a file that is not called `.json`.
 */
export function locate(data: string): Location {
  const path = followed(resolve(data));
  const isFile = path.endsWith('.json') && !isFolder(path);
  if (!isFile && resolve(data).endsWith('.json') && !isFolder(path))
    throw new SandboxError(`${data} is a link to ${path}, which does not end in .json. Rename that file.`);
  const folder = isFile ? dirname(path) : path;
  mkdirSync(folder, { recursive: true });
  const stem = isFile ? basename(path, '.json') : '';
  const isOwn = (name: string): boolean => !isFile || name.startsWith(`${stem}.`);
  const nameOf = (id: string): string => {
    if (!isFile) return `${id}.json`;
    return id === 'default' ? `${stem}.json` : `${stem}.${id}.json`;
  };
  return {
    name: data,
    fileOf: (id) => join(folder, nameOf(id)),
    files: () => {
      const byId = new Map<string, SandboxFiles>();
      for (const name of readdirSync(folder)) {
        // Only this server uses the folder now.
        if (isUnfinished(name) && isOwn(name)) rmSync(join(folder, name), { force: true });
        const id = idOf(name, isFile, stem);
        if (id === null) continue;
        const { file, logs } = byId.get(id) ?? { file: join(folder, nameOf(id)), logs: [] };
        byId.set(id, { file, logs: name.endsWith('.log') ? [...logs, join(folder, name)] : logs });
      }
      return byId;
    },
    place: { folder: realpathSync(folder), stem: isFile ? stem : null },
    warning:
      isFile && isMountPoint(path)
        ? `${data} is mounted by itself, so its log beside it is not on the same volume: a change that is in the log only is lost with the container. Mount the folder instead.`
        : null,
  };
}

/** Returns what a path refers to at the end of all links, even if nothing is there yet. */
function followed(path: string): string {
  const seen = new Set<string>();
  let at = path;
  while (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    if (seen.has(at)) throw new SandboxError(`${path} is a link that leads back to itself.`);
    seen.add(at);
    at = resolve(dirname(at), readlinkSync(at));
  }
  return at;
}

/** A file can be mounted into a container without its folder. Only Linux tells. */
function isMountPoint(file: string): boolean {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .some((line) => line.split(' ')[4] === file);
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
