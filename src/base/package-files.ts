import { readFileSync, readdirSync, type Dirent } from 'node:fs';
import { NotAvailableError } from './on-demand.ts';

/** The folder of the installed package. Two levels up from here, as it is from the bundle in `dist/bundle/`. */
export const packageRoot = new URL('../../', import.meta.url);

/** The text of a file that the package ships, by its path from the package's folder. Throws NotAvailableError where it cannot be read. */
export function readPackageFile(path: string): string {
  return available(() => readFileSync(new URL(path, packageRoot), 'utf8'));
}

/** What is in a folder of the package. Throws NotAvailableError where it cannot be read. */
export function packageFolder(path: string): readonly Dirent[] {
  return available(() => readdirSync(new URL(path, packageRoot), { withFileTypes: true }));
}

/** The package's files are there when a server starts; they may be gone later, while another version is installed. */
function available<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NotAvailableError('A file of the program cannot be read', error);
  }
}

/** The paths under which the server has the pictures of a folder of `fixtures/assets`. */
export function pictureNames(folder: string): readonly string[] {
  const files = packageFolder(`fixtures/assets/${folder}/`).map(({ name }) => name);
  return files.toSorted().map((file) => `/assets/${folder}/${file}`);
}

/** The version of the package. */
export function packageVersion(): string {
  // The project's own file, whose form is known.
  const { version } = JSON.parse(readPackageFile('package.json')) as { readonly version: string };
  return version;
}
