import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon, labId, schools } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
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
  it('is one that the server has created', async () => {
    const server = await serve({ data: folderOfVersion1() });
    const { body } = await supertest(server.url).get('/control/sandboxes/default').expect(200);
    expect(body).toMatchObject({ origin: 'server' });
  });
});

/** Sets the number of the last line to 0, as that version did. */
async function upgradedFolder(): Promise<string> {
  const data = folderOfVersion1();
  await (await serve({ data })).close();
  for (const name of readdirSync(data)) {
    const text = readFileSync(join(data, name), 'utf8');
    expect(text).toContain('"upTo": 1,');
    writeFileSync(join(data, name), text.replace('"upTo": 1,', '"upTo": 0,'));
  }
  return data;
}

describe('files that a development version has upgraded', () => {
  it.each(['default', 'other'])('keep their records when the sandbox %s changes', async (id) => {
    const data = await upgradedFolder();
    const server = await serve({ data });
    expect(await changedIn(server, id)).toContain('old');
    // A copy of a folder is no crash while the server replaces files in it.
    await eventually(() => expect(readFileSync(join(data, `${id}.json`), 'utf8')).toContain('"upTo": 1,'));
    await rename(server, id, 'new');
    expect(await changedIn(await serve({ data: crashCopy(data) }), id)).toEqual(['old', 'new']);
  });

  it('have their records again, although the next line of the log repeats their state', async () => {
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
  });
});
