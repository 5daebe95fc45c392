import fs, { readdirSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer, StartOptions } from '../../src/index.ts';
import { DiskSyncs } from '../../src/store/disk-syncs.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';
import { stopRealTime } from '../support/wire.ts';

/** Holds all requests to the disk back until the test lets them go, or is finished. */
function holdSyncs(): { readonly fsync: (() => void)[]; readonly fdatasync: (() => void)[] } {
  const held = { fsync: [] as (() => void)[], fdatasync: [] as (() => void)[] };
  for (const name of ['fsync', 'fdatasync'] as const) {
    const sync = fs[name];
    const spy = vi
      .spyOn(fs, name)
      .mockImplementation((file, done) => void held[name].push(() => sync(file, done)));
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
      // Once each: afterwards, the server closes the file.
      goAll(held[name]);
    });
  }
  syncBuiltinESMExports();
  return held;
}

function goAll(held: (() => void)[]): void {
  for (const go of held.splice(0)) go();
}

/** Holds all state files back that are to reach the disk, until the test lets them go, or is finished. */
async function holdStates() {
  const held: (() => void)[] = [];
  const file = await open(join(temporaryFolder(), 'any'), 'w');
  await file.close();
  // Node exports no class of it. A handle that was opened has one.
  const handles = Object.getPrototypeOf(file) as FileHandle;
  const sync = Reflect.get(handles, 'sync');
  const spy = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await new Promise<void>((done) => void held.push(done));
    await sync.call(this);
  });
  const release = (): void => {
    spy.mockRestore();
    goAll(held);
  };
  onTestFinished(release);
  return { states: held, release };
}

const descriptionIn = async (server: SandboxServer, id: string): Promise<string | undefined> =>
  (await (await server.sandbox(id))?.state.get('coupons', coupon.id))?.description;

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A server that has stored a change in each sandbox. */
async function changed(dataSync: StartOptions['dataSync']) {
  const data = temporaryFolder();
  const server = await serve({ data, ...(dataSync === undefined ? {} : { dataSync }) });
  for (const id of ids) {
    const sandbox = await server.createSandbox({ id });
    await sandbox.state.patch('coupons', coupon.id, { description: `of ${id}` });
  }
  return { data, server };
}

describe('a stop while the disk is slow', () => {
  it.each(['second', 'always'] as const)(
    'leaves the changes in the logs after a second, and loses none: --data-sync %s',
    { tags: ['slow'] },
    async (dataSync) => {
      const { data, server } = await changed(dataSync);
      const { states, release } = await holdStates();
      stopRealTime();
      const stopping = server.close();
      await eventually(() => expect(states).toHaveLength(4));
      vi.advanceTimersByTime(1000);
      goAll(states);
      await stopping;
      // The others were given up: the disk did not get them.
      expect(states).toEqual([]);
      const files = readdirSync(data);
      for (const id of ids) expect(files).toContain(`${id}.1.log`);
      expect(files.filter((name) => !name.endsWith('.log'))).toEqual([]);
      vi.useRealTimers();
      release();
      const next = await serve({ data: crashCopy(data) });
      for (const id of ids) expect(await descriptionIn(next, id)).toBe(`of ${id}`);
    },
  );

  it('waits until the disk has the logs that it leaves', { tags: ['slow'] }, async () => {
    const { data, server } = await changed('second');
    const { states } = await holdStates();
    const { fdatasync } = holdSyncs();
    stopRealTime();
    const stopping = server.close();
    await eventually(() => expect(states).toHaveLength(4));
    expect(fdatasync).toEqual([]);
    vi.advanceTimersByTime(1000);
    await eventually(() => expect(fdatasync).toHaveLength(ids.length));
    goAll(states);
    goAll(fdatasync);
    await stopping;
    expect(readdirSync(data)).toContain('f.1.log');
  });

  it('still writes the state file of a sandbox whose log is gone', { tags: ['slow'] }, async () => {
    const { data, server } = await changed('second');
    const { states, release } = await holdStates();
    stopRealTime();
    const stopping = server.close();
    await eventually(() => expect(states).toHaveLength(4));
    for (const id of ['a', 'f']) rmSync(join(data, `${id}.1.log`));
    vi.advanceTimersByTime(1000);
    await eventually(() => {
      goAll(states);
      expect(readdirSync(data)).toContain('f.json');
    });
    await stopping;
    vi.useRealTimers();
    release();
    const next = await serve({ data: crashCopy(data) });
    for (const id of ids) expect(await descriptionIn(next, id)).toBe(`of ${id}`);
  });
});

describe('a disk that is slow', () => {
  it('gets one request for the folder from all files that wait', async () => {
    const file = join(temporaryFolder(), 'state.json');
    const held = holdSyncs();
    const syncs = new DiskSyncs();
    const done: string[] = [];
    syncs.folder(file, () => done.push('first'));
    await eventually(() => expect(held.fsync).toHaveLength(1));
    for (const name of ['second', 'third']) syncs.folder(file, () => done.push(name));
    goAll(held.fsync);
    await eventually(() => expect(held.fsync).toHaveLength(1));
    // The names of their files may be newer than the first request.
    expect(done).toEqual(['first']);
    goAll(held.fsync);
    await eventually(() => expect(done).toEqual(['first', 'second', 'third']));
    expect(held.fsync).toEqual([]);
  });

  it('writes the log and its name at the same time, before a reply', async () => {
    const server = await serve({ data: temporaryFolder(), dataSync: 'always' });
    const held = holdSyncs();
    const changing = server.default.state.patch('coupons', coupon.id, { description: 'stored' });
    await eventually(() => expect([held.fsync.length, held.fdatasync.length]).toEqual([1, 1]));
    goAll(held.fsync);
    goAll(held.fdatasync);
    expect(await changing).toMatchObject({ description: 'stored' });
  });

  it.each(['EIO', 'EMFILE'])(
    'does not acknowledge a change whose log has no name on the disk yet: %s',
    { tags: ['slow'] },
    async (code) => {
      const data = temporaryFolder();
      const server = await serve({ data, dataSync: 'always' });
      const spy = vi.spyOn(fs, 'fsync').mockImplementationOnce((_, done) => {
        done(Object.assign(new Error(code), { code }));
      });
      syncBuiltinESMExports();
      const change = () => server.default.state.patch('coupons', coupon.id, { description: 'stored' });
      const error = await errorOf(change());
      expect(error.message).toContain('The change was made, but it could not be written to the disk itself');
      await eventually(change);
      expect(spy.mock.calls.length).toBeGreaterThan(1);
      spy.mockRestore();
      syncBuiltinESMExports();
      expect(await descriptionIn(await serve({ data: crashCopy(data) }), 'default')).toBe('stored');
    },
  );
});
