/**
 * Builds everything that runs: the program for Node, the console for browsers, and what `/docs` serves; and
 * the generated files of `examples/`. An argument sets a folder other than `dist/bundle`; the files for
 * browsers are written beside it. Servers may run from the folders meanwhile: see `replaceFiles`. `--clean`,
 * for the package, leaves nothing of earlier builds. `--without-program`, for tests, leaves the program out. `build.ts`
 * runs this file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsole } from './build-console.ts';
import { buildExamples } from './build-examples.ts';
import { buildProgram } from './build-program.ts';
import { buildReference } from './build-reference.ts';

const { values, positionals } = parseArgs({
  options: {
    clean: { type: 'boolean', default: false },
    'without-program': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder = 'dist/bundle'] = positionals;

await buildExamples();
if (!values['without-program']) await buildProgram(folder, values);
await buildConsole(join(folder, '../console'), values);
await buildReference(join(folder, '../reference'), values);
