/** Bundles the program for Node: one small file to start from, and pieces that are loaded when first needed. */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const folder = new URL('../dist/bundle/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts', 'src/index.ts'],
  outdir: 'dist/bundle',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  minifySyntax: true,
  sourcemap: 'linked',
  // What is loaded on demand stays a package; what every start needs goes into the bundle.
  external: ['express', 'yaml', 'ajv-formats', 'ajv/dist/2020.js', 'ajv/dist/standalone/index.js'],
});
