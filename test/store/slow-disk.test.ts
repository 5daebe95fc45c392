import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { DiskSyncs } from '../../src/store/disk-syncs.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';

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
      for (const go of [...held.fsync, ...held.fdatasync]) go();
    });
  }
  syncBuiltinESMExports();
  return held;
}

function goAll(held: (() => void)[]): void {
  for (const go of held.splice(0)) go();
}

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
    const server = await startSandbox({ port: 0, data: temporaryFolder(), dataSync: 'always' });
    onTestFinished(() => server.close());
    const held = holdSyncs();
    const changing = server.default.state.patch('coupons', coupon.id, { description: 'stored' });
    await eventually(() => expect([held.fsync.length, held.fdatasync.length]).toEqual([1, 1]));
    goAll(held.fsync);
    goAll(held.fdatasync);
    expect(await changing).toMatchObject({ description: 'stored' });
  });
});
