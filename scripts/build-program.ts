import { createHash } from 'node:crypto';
import { createRequire, isBuiltin } from 'node:module';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { replaceFiles } from './replace-files.ts';

/**
 * Packages that are loaded before a server listens, and only for some commands, stay outside the bundle.
 * Everything that a request may need goes into the bundle, including packages: it loads in half the time, and
 * Node cannot forget a package that failed to load once.
 */
const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(pg|pino|undici|cross-spawn|@stoplight\/prism-http)$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

/** CommonJS packages load Node's own modules with `require`, which ES modules do not have. */
const builtins: Plugin = {
  name: 'builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** npm installs the media types of express three times; one is enough. */
const oneMediaTypeTable: Plugin = {
  name: 'one-media-type-table',
  setup: ({ onResolve }) => {
    const express = createRequire(createRequire(import.meta.url).resolve('express'));
    onResolve({ filter: /^mime-(db|types)$/ }, ({ path }) => ({ path: express.resolve(path) }));
  },
};

const entries = ['main.js', 'index.js'];

const program = 'src/main.ts';

/**
 * Makes every piece import all modules that the program loads at its start. Then a module has the same
 * importers as its neighbors, so esbuild puts them into few files: with 5 in place of 28, the server listens
 * more than a tenth earlier.
 */
function startInOneFile({ inputs }: Metafile): Plugin {
  const imports = Object.values(inputs).flatMap((input) =>
    input.imports.filter(({ external }) => external !== true),
  );
  const pieces = new Set(
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => resolve(path)),
  );
  const reached = reachedFrom(program, (path) => inputs[path]?.imports ?? []);
  const common = [...reached].filter((path) => path.startsWith('src/') && path !== program);
  const text = common.map((path) => `\nimport ${JSON.stringify(resolve(path))};`).join('');
  return {
    name: 'start-in-one-file',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        pieces.has(path) ? { contents: readFileSync(path, 'utf8') + text, loader: 'ts' } : undefined,
      );
    },
  };
}

function sourceOf(entry: string): string {
  return `src/${basename(entry, '.js')}.ts`;
}

/**
 * Returns everything that a file imports when it is loaded, directly or indirectly, in the order of loading,
 * with the file itself at the end.
 */
function reachedFrom(
  path: string,
  importsOf: (path: string) => Metafile['outputs'][string]['imports'],
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const { path: next, kind, external } of importsOf(path))
    if (kind === 'import-statement' && external !== true && !found.has(next))
      reachedFrom(next, importsOf, found);
  return found.add(path);
}

/**
 * Bundles the program for Node: one small file to start from, and pieces that are loaded when first needed.
 */
export async function buildProgram(folder: string, options: { readonly clean: boolean }): Promise<void> {
  const plugins = [packagesOutside, builtins, oneMediaTypeTable];
  const bundle = {
    entryPoints: entries.map(sourceOf),
    outdir: folder,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
  } as const;
  const asWritten = await build({ ...bundle, plugins });
  const { outputFiles, metafile } = await build({
    ...bundle,
    plugins: [startInOneFile(asWritten.metafile), ...plugins],
  });
  const needed = neededBy(metafile);
  const [loaderName, loaderText] = await loader(needed);
  const built = outputFiles.map(({ path, text }): [string, string] => [
    basename(path),
    loadingBy(loaderName, text, needed),
  ]);
  // A program that starts meanwhile finds either the complete old build or the new one.
  const isEntry = ([name]: readonly [string, string]): boolean => entries.includes(name);
  const files = [
    [loaderName, loaderText] as const,
    ...built.filter((one) => !isEntry(one)),
    ...built.filter(isEntry),
  ];
  replaceFiles(folder, new Map(files), { ...options, programs: ['main.js'] });
}

/**
 * By the file of each piece that is loaded on demand: the pieces that it imports, in the order of loading.
 */
type Needed = ReadonlyMap<string, readonly string[]>;

function neededBy({ outputs }: Metafile): Needed {
  const walk = (path: string): ReadonlySet<string> => reachedFrom(path, (one) => outputs[one]?.imports ?? []);
  const paths = Object.keys(outputs);
  const starts = paths.filter((path) => entries.includes(basename(path))).map((path) => walk(path));
  const later = paths.flatMap((path) =>
    (outputs[path]?.imports ?? []).filter(({ kind }) => kind === 'dynamic-import'),
  );
  const pieces = new Set(later.filter(({ external }) => external !== true).map(({ path }) => path));
  for (const piece of pieces) {
    // A bundled CommonJS package has all its exports in its default export.
    if (outputs[piece]?.exports.includes('default') === true)
      throw new Error(`${piece} is a package: import what is needed of it by name, in a file of its own.`);
  }
  return new Map(
    [...pieces].map((piece) => {
      const imported = [...walk(piece)].filter(
        (path) => path !== piece && !starts.every((start) => start.has(path)),
      );
      return [basename(piece), imported.map((path) => basename(path))];
    }),
  );
}

/** The file that loads the pieces. Like theirs, its name depends on its content. */
async function loader(needed: Needed): Promise<readonly [name: string, text: string]> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'bundle-loader.ts')],
    write: false,
    format: 'esm',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    define: { pieces: JSON.stringify(Object.fromEntries(needed)) },
  });
  const text = outputFiles.map((file) => file.text).join('');
  return [`load-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`, text];
}

/** The text of a file whose pieces are loaded by the loader. */
function loadingBy(loaderName: string, text: string, needed: Needed): string {
  let changed = text;
  for (const piece of needed.keys())
    changed = changed.replaceAll(`import("./${piece}")`, `loadPiece$("./${piece}")`);
  if (changed.includes('import("./'))
    throw new Error('A piece of the program would be loaded without the loader.');
  if (changed === text) return text;
  const [, program = ''] = /^(#!.*\n)?/.exec(changed) ?? [];
  return `${program}import{load as loadPiece$}from"./${loaderName}";${changed.slice(program.length)}`.replaceAll(
    'loadPiece$("./',
    'loadPiece$("',
  );
}
