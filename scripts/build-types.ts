/**
 * Bundles the types of the package into one file that needs nothing but TypeScript. An argument names another
 * folder than `dist/bundle`.
 */
import { join } from 'node:path';
import { generateDtsBundle } from 'dts-bundle-generator';
import { replaceFile } from './replace-files.ts';

const [folder = 'dist/bundle'] = process.argv.slice(2);
const [types = ''] = generateDtsBundle(
  [{ filePath: 'src/index.ts', output: { noBanner: true, exportReferencedTypes: false } }],
  {
    preferredConfigPath: 'tsconfig.json',
  },
);
// Handles can be disposed of; a project that names an older `lib` would not know the word.
replaceFile(join(folder, 'index.d.ts'), `/// <reference lib="esnext.disposable" />\n${types}`);
