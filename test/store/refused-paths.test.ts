import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';
import { startSandbox } from '../../src/index.ts';
import { requireFreeFolder } from '../../src/store/seed-folder.ts';
import { readTextFile, writeTextFile } from '../../src/store/text-file.ts';
import { unreadableFile } from '../../src/store/unusable-data.ts';
import { temporaryFolder } from '../support/command.ts';

/** Paths that the system refuses, with the reason. */
function refusedPaths(): readonly (readonly [path: string, reason: string])[] {
  const folder = temporaryFolder();
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
  writeFileSync(join(folder, 'file'), '');
  return [
    [join(folder, `${'x'.repeat(300)}.yaml`), 'its name is too long for the file system. Use a shorter path'],
    [join(folder, 'loop', 'a.yaml'), 'its path has too many links. Use another path'],
    [join(folder, 'file', 'a.yaml'), 'a part of its path is not a folder. Use another path'],
  ];
}

function refusedWith(code: string): string {
  return unreadableFile('--ca', 'a.pem', Object.assign(new Error('No.'), { code })).message;
}

describe('a path that the system refuses', () => {
  it('is refused with its setting and the reason', () => {
    for (const [path, reason] of refusedPaths()) {
      const read = (): unknown => readTextFile(path, '--config');
      expect(read).toThrow(SandboxError);
      expect(read).toThrow(/^--config \S+ cannot be read: /);
      expect(read).toThrow(reason);
    }
  });

  it('is refused at once if the system has no folders to create there', () => {
    expect(() => writeTextFile('/proc/nope/deeper/a.yaml', '')).toThrow(/ENOENT|EACCES|EPERM/);
  });

  it.each(['assumeFile', 'scenario', 'refusalTemplate', 'latencyFrom'])(
    'is refused in code: %s',
    async (name) => {
      for (const [path, reason] of refusedPaths())
        await expect(startSandbox({ port: 0, [name]: path })).rejects.toThrow(reason);
    },
  );

  it('is hidden if it may be a key', () => {
    for (const [path] of refusedPaths())
      expect(() => readTextFile(path, '--key', 'FILE')).toThrow(/^--key FILE cannot be read: (?!.*\.yaml)/);
  });

  it('is refused as a new folder', () => {
    const [long, loop] = refusedPaths();
    for (const [path, reason] of [long ?? ['', ''], loop ?? ['', '']])
      expect(() => requireFreeFolder(path)).toThrow(reason.replace(/path$/, '--out'));
  });

  it('may lack a permission, or be refused for any other reason', () => {
    expect(refusedWith('EACCES')).toBe(
      '--ca a.pem cannot be read: this user may not read it. Change the permissions, or use another path (EACCES).',
    );
    expect(refusedWith('EIO')).toBe(
      '--ca a.pem cannot be read: the system refuses to read it. Use another path (EIO).',
    );
  });
});
