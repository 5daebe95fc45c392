import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The project as the package of somebody else's: in a folder that knows of nothing but what the package
 * brings.
 */
export interface Installation {
  readonly folder: string;
  /** The command, as npm puts it into `node_modules/.bin`. */
  readonly command: string;
  /** What the package ships, by its path. */
  readonly files: readonly string[];
  readonly manifest: Manifest;
  /** Another folder with all that is installed in this one. */
  another(name: string): string;
  /** All of its folders. */
  remove(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What is no part of the project as it is published from; `dist` is built anew. */
const leftBehind = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/**
 * Builds, packs and installs the package without the network, each in a folder of its own: nothing of the
 * project is touched, so that a server may run from its `dist` meanwhile. `types` takes seconds more.
 */
export async function installPackage({ types }: { readonly types: boolean }): Promise<Installation> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lp-sandbox-package-')));
  const stage = join(folder, 'stage');
  cpSync('.', stage, { recursive: true, filter: (path) => !leftBehind.has(basename(path)) });
  const bundle = join(stage, 'dist/bundle');
  await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', bundle]);
  if (types) await run(process.execPath, ['--import', 'tsx', 'scripts/build-types.ts', bundle]);
  const packed = await run(
    'npm',
    ['pack', '--ignore-scripts', '--silent', '--offline', '--pack-destination', folder],
    { cwd: stage },
  );
  const unpacked = join(folder, 'app/node_modules/learning-platform-sandbox');
  mkdirSync(unpacked, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed.stdout.trim()), '--strip-components=1', '-C', unpacked]);
  rmSync(stage, { recursive: true });
  writeFileSync(join(folder, 'app/package.json'), '{ "private": true }\n');
  // The project's own file, whose form is known.
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) linkModule(join(folder, 'app'), name);
  const command = linkCommand(join(folder, 'app/node_modules'), manifest);
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  return {
    folder: join(folder, 'app'),
    command,
    files: files.toSorted(),
    manifest,
    another: (name) => {
      cpSync(join(folder, 'app'), join(folder, name), { recursive: true, verbatimSymlinks: true });
      return join(folder, name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes a package of this project's known in another folder. */
export function linkModule(folder: string, name: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(realpathSync(join('node_modules', name)), link);
}

/** Makes a command of this project's known in another folder. */
export function linkProgram(folder: string, name: string): void {
  symlinkSync(realpathSync(join('node_modules/.bin', name)), join(folder, 'node_modules/.bin', name));
}

function linkCommand(modules: string, { name, bin }: Manifest): string {
  const [[called, file] = ['', '']] = Object.entries(bin);
  const target = join(modules, name, file);
  chmodSync(target, 0o755);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(target, join(modules, '.bin', called));
  return join(modules, '.bin', called);
}
