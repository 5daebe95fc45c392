import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { inject } from 'vitest';
import { temporaryFolder } from './command.ts';

/**
 * The program as it is built, in a folder of its own without any package, where a test may take files away.
 */
export interface Built {
  readonly root: string;
  readonly bundle: string;
  /** The files that are loaded when first needed. */
  readonly pieces: readonly string[];
  /** Takes files of the bundle away, and returns what puts them back. */
  without(files: readonly string[]): () => void;
  /** Writes a program beside the bundle. */
  write(name: string, text: string): string;
}

export function copyOfBuild(): Built {
  const root = realpathSync(temporaryFolder());
  const bundle = join(root, 'dist/bundle');
  mkdirSync(bundle, { recursive: true });
  cpSync(inject('bundle'), bundle, { recursive: true });
  for (const folder of ['dist/console', 'dist/reference', 'openapi', 'fixtures', 'package.json'])
    cpSync(folder, join(root, folder), { recursive: true });
  const files = readdirSync(bundle).filter((file) => file.endsWith('.js'));
  const starting = new Set([...startOf(bundle, 'main.js'), ...startOf(bundle, 'index.js')]);
  return {
    root,
    bundle,
    pieces: files.filter((file) => !starting.has(file)),
    without: (gone) => {
      const away = join(root, 'away');
      mkdirSync(away, { recursive: true });
      for (const file of gone) renameSync(join(bundle, file), join(away, basename(file)));
      return () => {
        for (const file of gone) renameSync(join(away, basename(file)), join(bundle, file));
      };
    },
    write: (name, text) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
  };
}

/** A file and all that it imports from the beginning. */
function startOf(bundle: string, file: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(file);
  const text = readFileSync(join(bundle, file), 'utf8');
  for (const [, next = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
    if (!found.has(next)) startOf(bundle, next, found);
  return found;
}
