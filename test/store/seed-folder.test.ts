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

  it('is refused where it is a file, and where it is not empty', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expectRefused(file, `${file} is a file; give the path of a new folder.`);
    expectRefused(folder, `The folder ${folder} is not empty; give the path of a new one, or empty it.`);
    mkdirSync(join(folder, 'full', 'inner'), { recursive: true });
    expectRefused(join(folder, 'full'), 'is not empty');
  });

  it('cannot be used below a file, which is no wrong usage', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const path of [join(file, 'seed'), join(file, 'a', 'seed')]) {
      const refused = expect(() => requireFreeFolder(path));
      refused.toThrow(
        `--out ${path} cannot be used: a part of its path is not a folder. Use another --out (ENOTDIR`,
      );
      refused.not.toThrow(SandboxError);
    }
  });
});
