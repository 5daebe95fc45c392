import fs, { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer, StartOptions } from '../../src/index.ts';
import { OpenLogs } from '../../src/store/open-logs.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { serve } from '../support/serve.ts';

const ids = Array.from({ length: 20 }, (_, index) => `s${index + 1}`);

/** A server that has stored a change in each sandbox. */
async function changed(options: StartOptions = {}) {
  const data = temporaryFolder();
  const server = await serve({ data, ...options });
  for (const id of ids) {
    const sandbox = await server.createSandbox({ id });
    await sandbox.state.patch('coupons', coupon.id, { description: `of ${id}` });
  }
  return { data, server };
}

const descriptionIn = async (server: SandboxServer, id: string): Promise<string | undefined> =>
  (await (await server.sandbox(id))?.state.get('coupons', coupon.id))?.description;

function tooManyFiles(): Error {
  return Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
}

describe('a stop', () => {
  it(
    'stores all other sandboxes although one cannot be stored, and fails then',
    { tags: ['slow'] },
    async () => {
      const { data, server } = await changed();
      for (const name of readdirSync(data)) if (name.endsWith('.log')) rmSync(join(data, name));
      writeFileSync(join(data, 's1.json'), '{"mine":1}');
      await expect(server.close()).rejects.toThrow(
        's1.json was replaced by a file that is not of this program',
      );
      rmSync(join(data, 's1.json'));
      const next = await serve({ data: crashCopy(data) });
      for (const id of ids.slice(1)) expect(await descriptionIn(next, id)).toBe(`of ${id}`);
    },
  );

  it(
    'writes the state files of a few sandboxes at a time, those with the longest log first',
    { tags: ['slow'] },
    async () => {
      const { server } = await changed();
      const last = await server.sandbox('s20');
      await last?.state.patch('coupons', coupon.id, { description: 'x'.repeat(10_000) });
      const { waiting, writes } = holdWrites();
      const stopping = server.close();
      await eventually(() => expect(waiting).toHaveLength(8));
      expect(String(Reflect.get(Object(writes.mock.contexts[0]), 'file'))).toContain('s20.json');
      writes.mockRestore();
      for (const go of waiting) go();
      await stopping;
    },
  );

  it(
    'says that the limit of open files is too low if that is why a state file cannot be written',
    { tags: ['slow'] },
    async () => {
      const warnings: string[] = [];
      const { data, server } = await changed({ warn: (message) => warnings.push(message) });
      const writes = vi.spyOn(StatePort.prototype, 'write').mockRejectedValue(tooManyFiles());
      onTestFinished(() => writes.mockRestore());
      await server.close();
      expect(warnings.find((warning) => warning.includes('"s1"'))).toMatch(
        /EMFILE.* Nothing is lost.* Raise the limit of open files \(ulimit -n\)\.\n$/,
      );
      expect(readdirSync(data)).toContain('s1.1.log');
    },
  );
});

it(
  'logs of many sandboxes are flushed a few at a time, except for those that are deleted meanwhile',
  { tags: ['slow'] },
  async () => {
    const held: (() => void)[] = [];
    const { fdatasync } = fs;
    const spy = vi
      .spyOn(fs, 'fdatasync')
      .mockImplementation((file, done) => void held.push(() => fdatasync(file, done)));
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    const folder = temporaryFolder();
    const logs = new OpenLogs();
    const files = Array.from({ length: 40 }, (_, index) => join(folder, `${index}.log`));
    const done: (string | null)[] = [];
    for (const file of files) {
      writeFileSync(file, 'line');
      logs.sync(file, (error) => done.push(error?.message ?? null));
    }
    expect(held).toHaveLength(32);
    const [deleted = ''] = files.slice(-1);
    logs.forget(deleted);
    rmSync(deleted);
    let hasBegun = false;
    const beginning = logs.whenBegun().then(() => (hasBegun = true));
    expect(hasBegun).toBe(false);
    await eventually(() => {
      for (const go of held.splice(0)) go();
      expect(done).toHaveLength(40);
    });
    await beginning;
    expect(new Set(done)).toEqual(new Set([null]));
    for (const file of files) logs.close(file);
  },
);

it(
  'a start does not wait until logs are in state files, which are written two at a time',
  { tags: ['slow'] },
  async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    for (const id of ['default', ...ids.slice(0, 5)]) {
      const sandbox = id === 'default' ? first.default : await first.createSandbox({ id });
      await sandbox.state.patch('coupons', coupon.id, { description: 'x'.repeat(900_000) });
      // Both together are so long that the next start loads them.
      await sandbox.state.patch('coupons', coupon.id, { description: 'y'.repeat(140_000) });
    }
    const copy = crashCopy(data);
    const { waiting, writes } = holdWrites();
    const next = await serve({ data: copy });
    await eventually(() => expect(waiting).toHaveLength(2));
    expect(readdirSync(copy).filter((name) => name.endsWith('.json'))).toEqual([]);
    writes.mockRestore();
    for (const go of waiting) go();
    await eventually(() =>
      expect(readdirSync(copy).filter((name) => name.endsWith('.json'))).toHaveLength(6),
    );
    expect(await descriptionIn(next, 's5')).toBe('y'.repeat(140_000));
  },
);
