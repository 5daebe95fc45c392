import { readFileSync, readdirSync } from 'node:fs';

/** The folder of the installed package. Two levels up from here, as it is from the bundle in `dist/bundle/`. */
export const packageRoot = new URL('../../', import.meta.url);

/** The text of a file that the package ships, by its path from the package's folder. */
export function readPackageFile(path: string): string {
  return readFileSync(new URL(path, packageRoot), 'utf8');
}

/** The paths under which the server has the pictures of a folder of `fixtures/assets`. */
export function pictureNames(folder: string): readonly string[] {
  const files = readdirSync(new URL(`fixtures/assets/${folder}/`, packageRoot));
  return files.toSorted().map((file) => `/assets/${folder}/${file}`);
}

/** The version of the package. */
export function packageVersion(): string {
  // The project's own file, whose form is known.
  const { version } = JSON.parse(readPackageFile('package.json')) as { readonly version: string };
  return version;
}
