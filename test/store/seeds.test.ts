import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { checkedSeeds } from '../../src/contract/generated/checked-seeds.js';
import { readSeed } from '../../src/store/read-seed.ts';
import { readSeedSource, seedNames } from '../../src/store/seed-source.ts';
import { temporaryFolder } from '../support/command.ts';
import { resultOf, world } from '../support/world.ts';

const school = { id: 's1', slug: 'north', name: 'North School' };
const lab = { id: 'l1', schoolId: 's1', labTitle: 'A lab' };

/** A folder of fixtures; what is text is written as it stands. */
function folderOf(collections: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries({ schools: [school], ...collections })) {
    writeFileSync(
      join(folder, `${name}.json`),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return folder;
}

async function fingerprintOf(labs: readonly object[]): Promise<string> {
  return (await readSeed(folderOf({ labs }))).fingerprint;
}

async function messageOf(seed: string): Promise<string> {
  try {
    await readSeed(seed);
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
  throw new Error('It was read without complaint.');
}

describe('a seed by its name', () => {
  it.each(['demo', 'empty'])('is there: %s', async (name) => {
    expect((await readSeed(name)).name).toBe(name);
  });

  it.each([
    [
      'dmo',
      'There is no seed "dmo". Did you mean "demo"? Known seeds: demo, empty; or give the path of a folder of fixtures, or generate one: generated:videos=1000.',
    ],
    [
      '',
      'There is no seed "". Known seeds: demo, empty; or give the path of a folder of fixtures, or generate one: generated:videos=1000.',
    ],
    [
      'assets',
      'There is no seed "assets". Known seeds: demo, empty; or give the path of a folder of fixtures, or generate one: generated:videos=1000.',
    ],
    [
      '../fixtures',
      'There is no seed "../fixtures". Known seeds: demo, empty; or give the path of a folder of fixtures, or generate one: generated:videos=1000.',
    ],
  ])('that is not there is refused with those that are: %s', async (name, message) => {
    expect(await messageOf(name)).toBe(message);
    await expect(startSandbox({ port: 0, seed: name })).rejects.toThrow(message);
  });
});

describe('a seed of one’s own', () => {
  it('is a folder with a file for each collection that it has', async () => {
    const { call, sandbox } = await world({ seed: folderOf({ labs: [lab] }) });
    expect(sandbox.apiKey('north')).toBe(`sbx_${sandbox.id}_north`);
    expect(await sandbox.state.list('labs')).toEqual([lab]);
    expect(resultOf(await call('get-all-instructors', {}, 'north'))).toEqual({ instructors: [] });
  });

  it('has a fingerprint that follows its content', async () => {
    const one = await fingerprintOf([lab]);
    expect(await fingerprintOf([lab])).toBe(one);
    expect(await fingerprintOf([{ ...lab, labTitle: 'B' }])).not.toBe(one);
  });

  it('has a fingerprint that empty collections do not change', async () => {
    const { fingerprint } = await readSeed(folderOf({ labs: '[\n]\n', users: [] }));
    const schoolsAlone = `schools\n${JSON.stringify([school])}\n`;
    expect(fingerprint).toBe(createHash('sha256').update(schoolsAlone).digest('hex'));
  });

  it.each([
    ['no JSON', { labs: '[{"id":' }, 'labs.json is not JSON: '],
    ['no list', { labs: { l1: lab } }, 'labs.json must be an array of records, but is an object.'],
    ['an unknown collection', { lab: [lab] }, 'lab.json is not a collection. Did you mean "labs"?'],
    ['no record', { labs: [lab, null] }, 'labs.json: /1 must be an object, but is null.'],
    [
      'a wrong type',
      { labs: [{ ...lab, labTitle: 7 }] },
      'labs.json: /0/labTitle must be a string, but is the number 7.',
    ],
    ['a missing field', { labs: [{ id: 'l1' }] }, 'labs.json: /0/schoolId is required, but missing.'],
    [
      'a misspelt field',
      { labs: [{ ...lab, labTitel: 'x' }] },
      'labs.json: /0/labTitel is not a known field. Did you mean "labTitle"?',
    ],
    [
      'no time',
      { users: [{ id: 'u', schoolIds: ['s1'], email: 'no address' }] },
      'users.json: /0/email must be an e-mail address',
    ],
    [
      'an id twice',
      { labs: [lab, { ...lab, labTitle: 'B' }] },
      'labs.json: /1/id the string "l1" is already used by an earlier record.',
    ],
    [
      'a reference to nothing',
      { labs: [{ ...lab, schoolId: 's2' }] },
      '/labs/l1/schoolId must name a record of schools, but is the string "s2".',
    ],
    ['no school', { schools: [] }, 'schools.json has no school, so no API key would work.'],
  ])('with %s is refused, naming folder, file and place', async (_, collections, reason) => {
    const folder = folderOf(collections);
    const message = await messageOf(folder);
    expect(message).toMatch(new RegExp(`^The seed in ${folder} is invalid:\n  `));
    expect(message).toContain(reason);
  });

  it('is refused with everything that is wrong, at once, up to 20 things', async () => {
    const labs = Array.from({ length: 30 }, (_, number) => ({ id: `l${number}`, schoolId: 7 }));
    const lines = (await messageOf(folderOf({ labs }))).split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[1]).toBe('  labs.json: /0/schoolId must be a string, but is the number 7.');
    expect(lines.at(-1)).toBe('  and 10 more');
  });

  it('is refused where its folder is empty', async () => {
    const folder = join(temporaryFolder(), 'nothing');
    mkdirSync(folder);
    expect(await messageOf(folder)).toContain('schools.json has no school');
  });

  it('is refused where a collection cannot be read, naming the file', async () => {
    const folder = folderOf({});
    mkdirSync(join(folder, 'labs.json'));
    expect(await messageOf(folder)).toMatch(`Cannot read ${join(folder, 'labs.json')}: EISDIR`);
  });

  it(
    'with the records of a shipped seed is refused too, where a file is not a collection',
    { tags: ['slow'] },
    async () => {
      const folder = temporaryFolder();
      cpSync(new URL('../../fixtures/demo', import.meta.url), folder, { recursive: true });
      expect((await readSeed(folder)).fingerprint).toBe((await readSeed('demo')).fingerprint);
      writeFileSync(join(folder, 'lab.json'), '[]');
      expect(await messageOf(folder)).toContain('lab.json is not a collection. Did you mean "labs"?');
    },
  );
});

describe('the seeds of the package', () => {
  it('are those that the build has checked, so that a start need not', () => {
    expect(seedNames().map((name) => readSeedSource(name).fingerprint)).toEqual(checkedSeeds);
  });
});
