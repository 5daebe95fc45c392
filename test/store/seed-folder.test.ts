import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/index.ts';
import { requireFreeFolder } from '../../src/store/seed-folder.ts';
import { temporaryFolder } from '../support/command.ts';

function expectRefused(path: string, message: string): void {
  expect(() => requireFreeFolder(path)).toThrow(SandboxError);
  expect(() => requireFreeFolder(path)).toThrow(message);
}

describe('the folder that a seed is to be written to', () => {
  it.each(['is not there', 'is in a folder that is not there either', 'is empty'])(
    'is free where it %s, and is not made yet',
    (what) => {
      const folder = temporaryFolder();
      const path =
        { 'is not there': 'seed', 'is in a folder that is not there either': 'a/b/seed', 'is empty': '.' }[
          what
        ] ?? '';
      expect(() => requireFreeFolder(join(folder, path))).not.toThrow();
      expect(existsSync(join(folder, 'seed')) || existsSync(join(folder, 'a'))).toBe(false);
    },
  );

  it('is refused where it is a file, where it is not empty, and where a file is in its way', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expectRefused(file, `${file} is a file; give the path of a new folder.`);
    expectRefused(folder, `The folder ${folder} is not empty; give the path of a new one, or empty it.`);
    expectRefused(
      join(file, 'seed'),
      `No folder can be created in ${file}: it is a file, or this user may not write to it.`,
    );
    expectRefused(
      join(file, 'a', 'seed'),
      `No folder can be created in ${file}: it is a file, or this user may not write to it.`,
    );
    mkdirSync(join(folder, 'full', 'inner'), { recursive: true });
    expectRefused(join(folder, 'full'), 'is not empty');
  });
});
