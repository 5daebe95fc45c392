import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { compare } from '../../src/commands/compare/command.ts';
import { proxy } from '../../src/commands/proxy/command.ts';
import { record } from '../../src/commands/record/command.ts';
import { replay } from '../../src/commands/replay/command.ts';
import { invoke } from '../support/invocation.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectUnusable } from '../support/unusable.ts';
import { join } from 'node:path';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

describe('lp-sandbox calibrate says', () => {
  it.each(['file/a.yaml', 'folder'])(
    'that it cannot write %s, before the first call',
    { tags: ['slow'] },
    async (name) => {
      for (const more of [[], ['--force']]) {
        const args = ['--upstream', 'http://127.0.0.1:9', '--out', unwritable(name), ...more];
        await expectUnusable(invoke(calibrate, args, { env: { UPSTREAM_API_KEY: 'k' } }).code, '--out');
      }
    },
  );
});

describe('compare, proxy and replay say', () => {
  it.each(['file/a.html', 'folder.html'])(
    'that they cannot write %s, before their work',
    { tags: ['slow'] },
    async (name) => {
      const upstream = ['--upstream', 'http://127.0.0.1:9', '--report', unwritable(name)];
      await expectUnusable(invoke(compare, upstream, { env: { UPSTREAM_API_KEY: 'k' } }).code, '--report');
      await expectUnusable(invoke(proxy, upstream).code, '--report');
      await expectUnusable(invoke(replay, ['a.har', '--report', unwritable(name)]).code, '--report');
      await expectUnusable(
        invoke(replay, ['a.har', '--write-baseline', unwritable(name)]).code,
        '--write-baseline',
      );
    },
  );
});

/** Returns a path that is a folder, or below a file. */
function unwritable(name: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  if (!name.includes('/')) mkdirSync(join(folder, name));
  return join(folder, name);
}

describe('calibrate, compare, record and replay say, before their work,', () => {
  const upstream = ['--upstream', 'http://127.0.0.1:9'];
  const env = { UPSTREAM_API_KEY: 'k' };

  it('that an output folder is no file, without creating it', async () => {
    const path = join(temporaryFolder(), 'new');
    await expectUnusable(invoke(calibrate, [...upstream, '--out', `${path}/`], { env }).code, '--out');
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['--out', calibrate, upstream],
    ['--out', record, upstream],
    ['--write-baseline', compare, upstream],
    ['--write-baseline', replay, ['journal.har']],
  ] as const)('that the path of %s is empty', async (flag, command, args) => {
    const error: unknown = await invoke(command, [...args, flag, ''], { env }).code.catch(
      (reason: unknown) => reason,
    );
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(error).toHaveProperty(
      'message',
      `${flag} cannot be used: its path is empty. Set the path to write to.`,
    );
  });
});
