import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { replaceFiles } from './replace-files.ts';

/**
 * Bundles the console, the school's page and the guided demo for browsers: one script and one style sheet for each, common
 * pieces, and pieces that are loaded on demand.
 */
export async function buildConsole(folder: string, options: { readonly clean: boolean }): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: {
      console: 'src/console/main.ts',
      school: 'src/console/school/main.ts',
      demo: 'src/console/demo/main.ts',
    },
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    minify: true,
  });
  const built = outputFiles.map(({ path, contents }): [string, Uint8Array] => [basename(path), contents]);
  const pages = new Map([
    ['index.html', readFileSync('src/console/index.html')],
    ['school.html', readFileSync('src/console/school/school.html')],
    ['demo.html', readFileSync('src/console/demo/demo.html')],
  ]);
  replaceFiles(folder, new Map([...built, ...pages]), options);
}
