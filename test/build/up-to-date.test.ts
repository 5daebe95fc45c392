import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOfInputs,
  fingerprintOfOutputs,
  reasonToBuild,
  stampFile,
} from '../../scripts/up-to-date.mjs';
import { temporaryFolder } from '../support/command.ts';

const files = [
  'src/main.ts',
  'src/pages/pages.css',
  'src/contract/generated/facts.ts',
  'openapi/control.yaml',
  'docs/server.md',
  'fixtures/demo/videos.yaml',
  'scripts/build.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
  'dist/bundle/main.js',
  'dist/console/console.js',
  'dist/reference/index.html',
];

function write(root: string, path: string, text = `the text of ${path}`): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A clone of the project after a build. */
function builtClone(): string {
  const root = temporaryFolder();
  for (const path of files) write(root, path);
  certify(root);
  return root;
}

function certify(root: string): void {
  write(
    root,
    stampFile,
    JSON.stringify({ inputs: fingerprintOfInputs(root), outputs: fingerprintOfOutputs(root) }),
  );
}

describe('npm start', () => {
  it('needs no build if nothing has changed since the last one', () => {
    expect(reasonToBuild(builtClone())).toBeNull();
  });

  it.each(files.filter((path) => !path.startsWith('dist/') && !path.includes('generated')))(
    'needs a build after a change of %s',
    (path) => {
      const root = builtClone();
      write(root, path, 'another text');
      expect(reasonToBuild(root)).toBe('the sources have changed');
    },
  );

  it('needs a build if a source was added, removed or renamed', () => {
    const root = builtClone();
    write(root, 'src/new.ts');
    expect(reasonToBuild(root)).toBe('the sources have changed');
    rmSync(join(root, 'src/new.ts'));
    expect(reasonToBuild(root)).toBeNull();
    renameSync(join(root, 'src/main.ts'), join(root, 'src/other.ts'));
    expect(reasonToBuild(root)).toBe('the sources have changed');
  });

  it.each(files.filter((path) => path.startsWith('dist/')))(
    'needs a build if another one, or somebody, has changed or removed %s',
    (path) => {
      const root = builtClone();
      write(root, path, 'from older sources');
      expect(reasonToBuild(root)).toBe('files in dist have changed');
      rmSync(join(root, path));
      expect(reasonToBuild(root)).toBe('files in dist have changed');
    },
  );

  it('needs a build while another one runs, and after one that was interrupted', () => {
    const root = builtClone();
    rmSync(join(root, stampFile));
    expect(reasonToBuild(root)).toBe('there is no complete build');
    write(root, stampFile, '{"inputs":');
    expect(reasonToBuild(root)).toBe('there is no complete build');
  });

  it('needs no build because of files that the build derives, or that it does not write', () => {
    const root = builtClone();
    write(root, 'src/contract/generated/facts.ts', 'written by each build');
    write(root, 'dist/bundle/index.d.ts', 'the types, which have a build of their own');
    write(root, 'dist/bundle/.left-over.json', '{}');
    expect(reasonToBuild(root)).toBeNull();
  });
});
