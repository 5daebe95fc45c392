import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files by their path from a folder, in the order in which they are written. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

/** How long a file is kept after no build needs it. A server that was started before may still load it. */
const graceMs = 24 * 60 * 60 * 1000;

interface Options {
  /** Removes the files of earlier builds at once. */
  readonly clean?: boolean;
  /** The files that can be executed. */
  readonly programs?: readonly string[];
}

/** When each file was no longer needed, by its path. */
const leftOver = '.left-over.json';

/**
 * Makes a folder hold these files. Servers may be reading it, and another build writing it: a file that is as
 * it was stays, every other one comes into its place in one step, and nothing that an earlier build left is
 * removed until it has been left over for a day.
 */
export function replaceFiles(
  folder: string,
  files: Files,
  { clean = false, programs = [] }: Options = {},
): void {
  for (const [name, content] of files)
    replaceFile(join(folder, name), content, programs.includes(name) ? 0o755 : 0o644);
  const now = Date.now();
  const known = readTimes(join(folder, leftOver));
  const times: Record<string, number> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(folder, '/').length).replaceAll('\\', '/');
    if (!entry.isFile() || files.has(name) || name === leftOver) continue;
    const since = known[name] ?? now;
    // Another build may be about to move it to its place.
    const isBeingWritten = /^\..+\.\d+$/.test(entry.name);
    if ((clean && !isBeingWritten) || now - since >= graceMs) rmSync(path, { force: true });
    else times[name] = since;
  }
  if (Object.keys(times).length > 0) replaceFile(join(folder, leftOver), JSON.stringify(times));
  else rmSync(join(folder, leftOver), { force: true });
}

/** Writes a file beside its place, and moves it there in one step, unless the same file is there already. */
export function replaceFile(path: string, content: string | Uint8Array, mode?: number): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(fresh, content, { mode });
  renameSync(fresh, path);
}

function readTimes(path: string): Readonly<Record<string, number>> {
  if (!existsSync(path)) return {};
  // Written above.
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, number>>;
}
