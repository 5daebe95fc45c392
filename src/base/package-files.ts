import { parseKnown } from './parse-known.ts';
import { readFileSync, readdirSync, type Dirent } from 'node:fs';
import { NotAvailableError } from './on-demand.ts';

/** The folder of the installed package: two levels up from here, and from the bundle in `dist/bundle/`. */
export const packageRoot = new URL('../../', import.meta.url);

/**
 * Returns the text of a file of the package, by its path in the package. Throws NotAvailableError if it
 * cannot be read.
 */
export function readPackageFile(path: string): string {
  return available(() => readFileSync(new URL(path, packageRoot), 'utf8'));
}

/** Returns the entries of a folder of the package. Throws NotAvailableError if it cannot be read. */
export function packageFolder(path: string): readonly Dirent[] {
  return available(() => readdirSync(new URL(path, packageRoot), { withFileTypes: true }));
}

/**
 * Turns a failure to read into NotAvailableError: while a server runs, the installation of another version
 * may remove its files.
 */
function available<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NotAvailableError('A file of the program cannot be read', error);
  }
}

/** Returns the URL paths of the pictures in a folder of `fixtures/assets`. */
export function pictureNames(folder: string): readonly string[] {
  const files = packageFolder(`fixtures/assets/${folder}/`).map(({ name }) => name);
  return files.toSorted().map((file) => `/assets/${folder}/${file}`);
}

/** Returns the version of the package. */
export function packageVersion(): string {
  return parseKnown<{ readonly version: string }>(readPackageFile('package.json')).version;
}
