import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generate } from '../../src/commands/generate/command.ts';
import { collectionNames } from '../../src/sandbox/seed.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { unusablePlace } from '../../src/store/unusable-data.ts';
import { temporaryFolder } from '../support/command.ts';
import { errorOf } from '../support/error-of.ts';
import { invoke } from '../support/invocation.ts';

const small = ['--schools', '1', '--videos', '3', '--users', '8'];

describe('generate', () => {
  it(
    'writes a folder that a server can start from, with as many as were asked for, and says how',
    { tags: ['slow'] },
    async () => {
      const out = join(temporaryFolder(), 'deep', 'school');
      const { code, said } = invoke(generate, [...small, '--out', out]);
      expect([await code, said()]).toEqual([
        0,
        { out: expect.stringContaining(`lp-sandbox start --seed ${out}\n`) as string, err: '' },
      ]);
      expect(readdirSync(out).toSorted()).toEqual(collectionNames.map((name) => `${name}.json`).toSorted());
      const { collections } = await readSeed(out);
      expect([
        collections.schools.byId.size,
        collections.videos.byId.size,
        collections.users.byId.size,
      ]).toEqual([1, 3, 8]);
    },
  );

  it('writes a record on each line', { tags: ['slow'] }, async () => {
    const out = temporaryFolder();
    await invoke(generate, [...small, '--labs', '0', '--out', out]).code;
    expect(readFileSync(join(out, 'videos.json'), 'utf8')).toMatch(/^\[\n\{.*\},\n\{.*\},\n\{.*\}\n\]\n$/);
    expect(readFileSync(join(out, 'labs.json'), 'utf8')).toBe('[]\n');
  });

  it('draws how far it is on a terminal, and leaves nothing of it there', { tags: ['slow'] }, async () => {
    const out = temporaryFolder();
    const { code, said } = invoke(generate, ['--videos', '2500', '--out', out], { terminals: { err: true } });
    expect(await code).toBe(0);
    const drawn = said().err.split('\r');
    expect(drawn.shift()).toBe('');
    expect(drawn.pop()).toBe('\u001b[K');
    expect(drawn).toHaveLength(2);
    for (const line of drawn) expect(line).toMatch(/^\[#+\.+\] [12]000 of 2\d+ records$/);
  });

  it.each([
    ['below a file', 'notes.txt/seed', 'a part of its path is not a folder. Use another --out (ENOTDIR'],
    ['with a long name', 'n'.repeat(300), 'its name is too long for the file system. Use a shorter --out'],
  ])('names a folder that the system refuses, and what to do: %s', async (_, name, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const { message } = await errorOf(invoke(generate, [...small, '--out', join(folder, name)]).code);
    expect(message).toContain(`--out ${join(folder, name).slice(0, 250)}`);
    expect(message).toContain(`cannot be used: ${reason}`);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('says which permission is missing', () => {
    const denied = Object.assign(new Error("EACCES: permission denied, mkdtemp 'x'"), { code: 'EACCES' });
    expect(unusablePlace('--out', 'big-school', denied).message).toBe(
      "--out big-school cannot be used: this user may not read and write there. Change the permissions, or use another --out (EACCES: permission denied, mkdtemp 'x').",
    );
  });

  it(
    'refuses a folder that holds anything, but replaces a seed with --force',
    { tags: ['slow'] },
    async () => {
      const out = temporaryFolder();
      const again = (...more: readonly string[]): Promise<number> =>
        invoke(generate, [...small, ...more, '--out', out]).code;
      await again();
      const before = readFileSync(join(out, 'videos.json'), 'utf8');
      expect((await errorOf(again())).message).toContain(
        'already has a seed. Give the path of a new or empty folder, or replace the seed with --force.',
      );
      // `record` writes it; it does not describe a generated seed.
      writeFileSync(join(out, 'record-report.json'), '{}');
      expect(await again('--force', '--random-seed', '2')).toBe(0);
      expect(existsSync(join(out, 'record-report.json'))).toBe(false);
      expect(readFileSync(join(out, 'videos.json'), 'utf8')).not.toBe(before);
      writeFileSync(join(out, 'thesis.txt'), 'mine');
      expect((await errorOf(again('--force'))).message).toContain(
        'has files that are not part of a seed, such as thesis.txt.',
      );
      mkdirSync(join(out, 'empty'));
      expect(await invoke(generate, [...small, '--out', join(out, 'empty')]).code).toBe(0);
      expect((await errorOf(invoke(generate, ['--out', join(out, 'thesis.txt')]).code)).message).toContain(
        'is a file; give the path of a folder.',
      );
    },
  );

  it.each([
    [[], 'generate needs a folder to write, for example: lp-sandbox generate --videos 1000 --out big-school'],
    [['--out', 'x', '--videos', 'many'], '--videos must be a whole number from 0 to 1000000, but is "many".'],
    [['--out', 'x', '--schools', '0'], '--schools must be a whole number from 1 to 1000000, but is "0".'],
    [['--out', 'x', '--vidoes', '3'], 'generate has no flag --vidoes. Did you mean "videos"?'],
    [
      ['--out', 'x', '--products', '0', '--assignments', '2'],
      '--assignments 2 needs at least 1 of --products.',
    ],
    [['--out', 'x', '--random-seed', '-1'], '--random-seed must be a whole number from 0 to 4294967295'],
  ])('refuses %j and says what would do', async (args, message) => {
    expect((await errorOf(invoke(generate, args).code)).message).toContain(message);
  });

  it('stops when it is told to, and has written nothing', { tags: ['slow'] }, async () => {
    const out = temporaryFolder();
    const { code, said } = invoke(generate, ['--videos', '5000', '--out', out], {
      stopped: Promise.resolve(),
    });
    expect([await code, said().err, readdirSync(out)]).toEqual([
      1,
      'lp-sandbox: stopped; no files were written.\n',
      [],
    ]);
  });
});
