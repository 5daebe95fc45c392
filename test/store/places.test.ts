import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxError, startSandbox } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';

async function refusal(data: string): Promise<unknown> {
  try {
    await (await startSandbox({ port: 0, data })).close();
    return null;
  } catch (error) {
    return error;
  }
}

describe('a --data that is neither a folder nor a file that ends in .json', () => {
  it.each([
    ['a file with another ending', 'notes.txt', 'is neither a folder nor a file that ends in .json.'],
    ['a file in capitals', 'STATE.JSON', 'is neither a folder nor a file that ends in .json.'],
    ['a new file in capitals', 'NEW.JSON', 'does not end in .json in lower case.'],
    [
      'a file name that is too long',
      `${'n'.repeat(131)}.json`,
      'it can have at most 130 bytes before .json.',
    ],
  ])('is refused with what to do: %s', async (_, name, reason) => {
    const folder = temporaryFolder();
    for (const file of ['notes.txt', 'STATE.JSON']) writeFileSync(join(folder, file), 'x');
    const error = await refusal(join(folder, name));
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).toContain(`--data ${join(folder, name)}`);
    expect(String(error)).toContain(reason);
    expect(readdirSync(folder).toSorted()).toEqual(['STATE.JSON', 'notes.txt']);
  });

  it.runIf(platform() === 'linux')('is refused with what to do: a device', async () => {
    expect(String(await refusal('/dev/null'))).toContain('--data /dev/null is neither a folder nor a file');
    const folder = temporaryFolder();
    symlinkSync('/dev/null', join(folder, 'state.json'));
    expect(String(await refusal(join(folder, 'state.json')))).toContain('does not end in .json');
  });
});

describe('a --data that the system refuses', () => {
  it.each([
    ['below a file', 'notes.txt/data', 'a part of its path is not a folder. Use another --data (ENOTDIR'],
    [
      'too long',
      'n'.repeat(300),
      'its name is too long for the file system. Use a shorter --data (ENAMETOOLONG',
    ],
  ])('is named with what to do: %s', async (_, name, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes.txt'), 'x');
    const error = await refusal(join(folder, name));
    expect(String(error)).toContain(`--data ${join(folder, name).slice(0, 250)}`);
    expect(String(error)).toContain(`cannot be used: ${reason}`);
    // Not a wrong setting: the program exits with 1.
    expect(error).not.toBeInstanceOf(SandboxError);
  });

  it.runIf(platform() === 'linux')(
    'does not keep the start from ending: a folder of the system',
    async () => {
      expect(String(await refusal('/proc/lp-sandbox/data'))).toContain(
        '--data /proc/lp-sandbox/data cannot be',
      );
    },
  );

  it('is none if its folders do not exist yet, or end in .json', { tags: ['slow'] }, async () => {
    const folder = temporaryFolder();
    expect(await refusal(join(folder, 'a/b/c'))).toBeNull();
    mkdirSync(join(folder, 'd.json'));
    expect(await refusal(join(folder, 'd.json'))).toBeNull();
    expect(await refusal(join(folder, 'e/state.json'))).toBeNull();
  });
});
