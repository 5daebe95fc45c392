import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { replaceFiles } from './replace-files.ts';

/**
 * Bundles the console for browsers: one script and one style sheet for the start, and pieces that panels load
 * on demand.
 */
export async function buildConsole(folder: string, options: { readonly clean: boolean }): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: { console: 'src/console/main.ts' },
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
  replaceFiles(folder, new Map([...built, ['index.html', readFileSync('src/console/index.html')]]), options);
}
