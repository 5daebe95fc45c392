import { cpSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon, labId, schools } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { serve } from '../support/serve.ts';

const beginning = '2026-02-11T09:30:00.000Z';
const { fingerprint } = await readSeed('demo');
const seed = { name: 'demo', fingerprint };
const old = { id: coupon.id, schoolId: schools.riverside, productId: coupon.productId, description: 'old' };

/** A folder with two sandboxes in files of version 1. */
function folderOfVersion1(): string {
  const data = temporaryFolder();
  for (const sandbox of ['default', 'other'])
    writeFileSync(
      join(data, `${sandbox}.json`),
      JSON.stringify({
        format: 'learning-platform-sandbox/state',
        version: 1,
        sandbox,
        seed,
        beginning,
        changes: { coupons: { removed: [], set: [old] } },
      }),
    );
  return data;
}

/** What was changed in version 1 and since. */
async function changedIn(server: SandboxServer, id: string): Promise<readonly unknown[]> {
  const sandbox = await server.sandbox(id);
  const lab = await sandbox?.state.get('labs', labId);
  return [(await sandbox?.state.get('coupons', coupon.id))?.description, lab?.labTitle];
}

async function rename(server: SandboxServer, id: string, labTitle: string): Promise<void> {
  await (await server.sandbox(id))?.state.patch('labs', labId, { labTitle });
}

describe('a state file of version 1', () => {
  it.each(['default', 'other'])(
    'keeps its records when the sandbox %s changes after an upgrade and a restart',
    { tags: ['slow'] },
    async (id) => {
      const data = folderOfVersion1();
      await (await serve({ data })).close();
      const second = await serve({ data });
      await rename(second, id, 'new');
      const crashed = crashCopy(data);
      expect(await changedIn(await serve({ data: crashed }), id)).toEqual(['old', 'new']);
      await second.close();
      expect(await changedIn(await serve({ data }), id)).toEqual(['old', 'new']);
    },
  );
});

describe('the default sandbox after an upgrade from version 1', () => {
  it('is one that the server has created', { tags: ['slow'] }, async () => {
    const server = await serve({ data: folderOfVersion1() });
    const { body } = await supertest(server.url).get('/control/sandboxes/default').expect(200);
    expect(body).toMatchObject({ origin: 'server' });
  });
});

/** Returns the text of a file as version 2 wrote it: without the ids of logs and states. */
function asVersion2(text: string): string {
  return text
    .replace(/"version":( ?)3/, '"version":$12')
    .replace(/,"log":\{"id":"[^"]+","after":\[[^\]]*\]\}/, '')
    .replace(/\n {2}"id": "[^"]+",/, '')
    .replace(/\n {2}"logs": \[[^\]]*\],/, '');
}

/** A state file with "folded", and a log after it with "in the log". */
async function folderOfVersion2(id: string): Promise<string> {
  const data = temporaryFolder();
  const first = await serve({ data });
  if (id !== 'default') await first.createSandbox({ id });
  await rename(first, id, 'folded');
  await first.close();
  const second = await serve({ data });
  await rename(second, id, 'in the log');
  const copy = crashCopy(data);
  for (const name of readdirSync(copy)) {
    const text = readFileSync(join(copy, name), 'utf8');
    expect(text).toMatch(/"version": ?3/);
    const old = asVersion2(text);
    expect(old).not.toMatch(/"log"|\n {2}"id"/);
    writeFileSync(join(copy, name), old);
  }
  return copy;
}

describe('files of version 2, whose logs do not name what they continue', () => {
  it.each(['default', 'other'])(
    'are loaded with all changes of the sandbox %s',
    { tags: ['slow'] },
    async (id) => {
      const data = await folderOfVersion2(id);
      const server = await serve({ data });
      expect((await changedIn(server, id))[1]).toBe('in the log');
      await rename(server, id, 'since');
      await server.close();
      expect((await changedIn(await serve({ data }), id))[1]).toBe('since');
    },
  );

  it('continue after a crash before the first state file of this version', { tags: ['slow'] }, async () => {
    const data = await folderOfVersion2('default');
    const { waiting, writes } = holdWrites();
    const server = await serve({ data });
    await eventually(() => expect(waiting).not.toEqual([]));
    await rename(server, 'default', 'since');
    const copy = crashCopy(data);
    expect(readFileSync(join(copy, 'default.json'), 'utf8')).toContain('"version": 2,');
    writes.mockRestore();
    for (const go of waiting) go();
    expect((await changedIn(await serve({ data: copy }), 'default'))[1]).toBe('since');
  });

  it.each<[string, (file: string) => void]>([
    ['was touched', (file) => utimesSync(file, 1, 1)],
    [
      'was replaced by a copy',
      (file) => {
        cpSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ])('accept changes before that, although the state file %s', { tags: ['slow'] }, async (_, meddle) => {
    const data = await folderOfVersion2('default');
    const { waiting, writes } = holdWrites();
    const server = await serve({ data });
    await eventually(() => expect(waiting).not.toEqual([]));
    meddle(join(data, 'default.json'));
    await rename(server, 'default', 'since');
    writes.mockRestore();
    for (const go of waiting) go();
    expect((await changedIn(await serve({ data: crashCopy(data) }), 'default'))[1]).toBe('since');
  });

  it('get ids with the first start, even if nothing changes', { tags: ['slow'] }, async () => {
    const data = await folderOfVersion2('default');
    await (await serve({ data })).close();
    expect(readFileSync(join(data, 'default.json'), 'utf8')).toMatch(/"version": 3,[^]*"id": "/);
  });
});

/** Sets the number of the last line to 0, as that version did. */
async function upgradedFolder(): Promise<string> {
  const data = folderOfVersion1();
  await (await serve({ data })).close();
  for (const name of readdirSync(data)) {
    const text = readFileSync(join(data, name), 'utf8');
    expect(text).toContain('"upTo": 1,');
    writeFileSync(join(data, name), asVersion2(text).replace('"upTo": 1,', '"upTo": 0,'));
  }
  return data;
}

describe('files that a development version has upgraded', () => {
  it.each(['default', 'other'])(
    'keep their records when the sandbox %s changes',
    { tags: ['slow'] },
    async (id) => {
      const data = await upgradedFolder();
      const server = await serve({ data });
      expect(await changedIn(server, id)).toContain('old');
      // A copy of a folder is no crash while the server replaces files in it.
      await eventually(() => expect(readFileSync(join(data, `${id}.json`), 'utf8')).toContain('"upTo": 1,'));
      await rename(server, id, 'new');
      expect(await changedIn(await serve({ data: crashCopy(data) }), id)).toEqual(['old', 'new']);
    },
  );

  it(
    'have their records again, although the next line of the log repeats their state',
    { tags: ['slow'] },
    async () => {
      const data = await upgradedFolder();
      const file = JSON.parse(readFileSync(join(data, 'other.json'), 'utf8')) as Record<string, unknown>;
      const counts = { lastNumber: 7, usedAt: Date.parse(beginning) };
      const line = { line: 1, state: file['state'], facts: file['facts'], counts };
      writeFileSync(join(data, 'other.1.log'), `${JSON.stringify(line)}\n`);
      const copy = temporaryFolder();
      cpSync(data, copy, { recursive: true });
      const server = await serve({ data });
      expect(await changedIn(server, 'other')).toContain('old');
      await server.close();
      const again = await serve({ data });
      expect(await changedIn(again, 'other')).toContain('old');
    },
  );
});
