import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isPlainName } from '../sandbox/keys.ts';

/** Where the files of a `--data` location are: one per sandbox. */
export interface Location {
  /** As a person named it. */
  readonly name: string;
  /** The file of a sandbox. */
  fileOf(sandboxId: string): string;
  /** The sandboxes that have a file. */
  sandboxIds(): readonly string[];
  /** A socket's path that stands for the location while a server uses it. */
  readonly lock: string;
}

/** `FILE.json` keeps the default sandbox in itself and the others beside it; anything else is a folder with a file for each. */
export function locate(data: string): Location {
  const path = resolve(data);
  const isFile = path.endsWith('.json') && !isFolder(path);
  const folder = isFile ? dirname(path) : path;
  mkdirSync(folder, { recursive: true });
  const realFolder = realpathSync(folder);
  const stem = isFile ? basename(path, '.json') : '';
  const nameOf = (id: string): string => (isFile ? (id === 'default' ? `${stem}.json` : `${stem}.${id}.json`) : `${id}.json`);
  return {
    name: data,
    fileOf: (id) => join(folder, nameOf(id)),
    sandboxIds: () => readdirSync(folder).flatMap((file) => idOf(file, isFile, stem) ?? []),
    // By what the default sandbox is kept in, so that it is the same however the location was named.
    lock: lockPath(join(realFolder, `${nameOf('default')}.lock`)),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function idOf(file: string, isFile: boolean, stem: string): string | null {
  if (!file.endsWith('.json')) return null;
  const name = file.slice(0, -'.json'.length);
  const id = !isFile ? name : name === stem ? 'default' : name.startsWith(`${stem}.`) ? name.slice(stem.length + 1) : '';
  return isPlainName(id) ? id : null;
}

/** Socket paths are short on every system, and named pipes on Windows live in a namespace of their own. */
const longestSocketPath = 100;

function lockPath(beside: string): string {
  const digest = createHash('sha256').update(beside).digest('hex').slice(0, 24);
  if (tmpdir().includes('\\')) return `\\\\.\\pipe\\lp-sandbox-${digest}`;
  return Buffer.byteLength(beside) <= longestSocketPath ? beside : join(tmpdir(), `lp-sandbox-${digest}.lock`);
}
