/** Bundles the program for Node: one small file to start from, and pieces that are loaded when first needed. */
import { rmSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** What is loaded on demand stays a package; what every start needs goes into the bundle, parts of packages too. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup: ({ onResolve }) => {
    const packages = /^(express|yaml|pino|prom-client|ajv-formats|ajv\/dist\/2020\.js|ajv\/dist\/standalone\/index\.js)$/;
    onResolve({ filter: packages }, ({ path }) => ({ path, external: true }));
  },
};

rmSync(new URL('../dist/bundle/', import.meta.url), { recursive: true, force: true });
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
  minifyWhitespace: true,
  sourcemap: 'linked',
  plugins: [onDemand],
});
