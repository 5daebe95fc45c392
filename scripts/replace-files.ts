import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder hold just these files. Servers may be reading it, and another build writing it: what is as it was stays, and the
 * rest comes into its place in one step each.
 */
export function replaceFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
    mkdirSync(dirname(path), { recursive: true });
    const fresh = join(dirname(path), `.${basename(path)}.${process.pid}`);
    writeFileSync(fresh, content);
    renameSync(fresh, path);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/');
    if (entry.isFile() && !files.has(name) && !entry.name.startsWith('.')) rmSync(join(folder, name), { force: true });
  }
}
