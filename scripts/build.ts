/**
 * Bundles the program for Node: one small file to start from, and pieces that are loaded when first needed. An argument names
 * another folder than `dist/bundle`; what browsers get is put beside it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildConsole } from './build-console.ts';
import { buildReference } from './build-reference.ts';

/** What is loaded on demand stays a package; what every start needs goes into the bundle, parts of packages too. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup: ({ onResolve }) => {
    const packages =
      /^(express|yaml|pino|prom-client|cross-spawn|json-schema-faker|@faker-js\/faker|@stoplight\/prism-http|ajv-formats|ajv\/dist\/2020\.js|ajv\/dist\/standalone\/index\.js)$/;
    onResolve({ filter: packages }, ({ path }) => ({ path, external: true }));
  },
};

const [outdir = 'dist/bundle'] = process.argv.slice(2);

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts', 'src/index.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [onDemand],
});
await buildConsole(join(outdir, '../console'));
await buildReference(join(outdir, '../reference'));
