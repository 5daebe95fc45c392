/**
 * Bundles the types of the package into one file that needs nothing but TypeScript. An argument sets a folder
 * other than `dist/bundle`.
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
// Handles are disposable, which a project with an older `lib` would not know.
replaceFile(join(folder, 'index.d.ts'), `/// <reference lib="esnext.disposable" />\n${types}`);
