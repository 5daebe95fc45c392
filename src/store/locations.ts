import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isPlainName } from '../sandbox/keys.ts';

/** The files of a `--data` location: one per sandbox. */
export interface Location {
  /** The path as the user gave it. */
  readonly name: string;
  /** Returns the file of a sandbox. */
  fileOf(sandboxId: string): string;
  /** Returns the sandboxes that have a file. */
  sandboxIds(): readonly string[];
  /** The path of the socket that locks the location while a server uses it. */
  readonly lock: string;
}

/**
 * Resolves a `--data` path. `FILE.json` holds the default sandbox, with the others next to it; any other path
 * is a folder with a file for each.
 */
export function locate(data: string): Location {
  const path = resolve(data);
  const isFile = path.endsWith('.json') && !isFolder(path);
  const folder = isFile ? dirname(path) : path;
  mkdirSync(folder, { recursive: true });
  const realFolder = realpathSync(folder);
  const stem = isFile ? basename(path, '.json') : '';
  const nameOf = (id: string): string => {
    if (!isFile) return `${id}.json`;
    return id === 'default' ? `${stem}.json` : `${stem}.${id}.json`;
  };
  return {
    name: data,
    fileOf: (id) => join(folder, nameOf(id)),
    sandboxIds: () => readdirSync(folder).flatMap((file) => idOf(file, isFile, stem) ?? []),
    // From the real path of the default sandbox's file, so that it is the same for every spelling of the
    // location.
    lock: lockPath(join(realFolder, `${nameOf('default')}.lock`)),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function idOf(file: string, isFile: boolean, stem: string): string | null {
  if (!file.endsWith('.json')) return null;
  const name = file.slice(0, -'.json'.length);
  const id = isFile ? idBeside(stem, name) : name;
  return isPlainName(id) ? id : null;
}

function idBeside(stem: string, name: string): string {
  if (name === stem) return 'default';
  return name.startsWith(`${stem}.`) ? name.slice(stem.length + 1) : '';
}

/**
 * Every system limits the length of socket paths. Windows uses named pipes, which have their own namespace.
 */
const maxSocketPathBytes = 100;

function lockPath(beside: string): string {
  const digest = createHash('sha256').update(beside).digest('hex').slice(0, 24);
  if (tmpdir().includes('\\')) return `\\\\.\\pipe\\lp-sandbox-${digest}`;
  return Buffer.byteLength(beside) <= maxSocketPathBytes
    ? beside
    : join(tmpdir(), `lp-sandbox-${digest}.lock`);
}
