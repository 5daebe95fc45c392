import fs, { existsSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { isJson } from '../support/is-json.ts';
import { noSpace } from '../support/no-space.ts';
import { serve } from '../support/serve.ts';

const { renameSync, writeSync } = fs;

/** What the volume of a mounted state file lacks room for. */
type Lack = 'nothing' | 'growing' | 'overwriting';

/** Lets a file be as if it was mounted by itself from a volume that can be full: mounting needs privileges. */
function mount(file: string): { lack: Lack; readonly seen: string[] } {
  const volume = { lack: 'nothing' as Lack, seen: [] as string[] };
  const rename = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === file) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
    renameSync(from, to);
  });
  const write = vi.spyOn(fs, 'writeSync').mockImplementation((...parameters: readonly unknown[]) => {
    const [descriptor, data, , length, position] = parameters;
    const found = fs.fstatSync(Number(descriptor));
    if (found.ino !== statSync(file).ino) return Reflect.apply(writeSync, fs, parameters) as number;
    if (found.size < 100_000) volume.seen.push(readFileSync(file, 'utf8'));
    // Not of the mark, which is a text.
    const isGrowing = typeof data !== 'string' && Number(position) + Number(length) > found.size;
    if (volume.lack === 'growing' && isGrowing) {
      if (Number(length) < 100 || found.size % 100 === 0) throw noSpace();
      // A part of it has room.
      const rest = 100 - (found.size % 100);
      return Reflect.apply(writeSync, fs, [descriptor, data, 0, rest, position]) as number;
    }
    if (volume.lack === 'overwriting' && typeof data !== 'string' && !isGrowing) throw noSpace();
    return Reflect.apply(writeSync, fs, parameters) as number;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    rename.mockRestore();
    write.mockRestore();
    syncBuiltinESMExports();
  });
  return volume;
}

const describeCoupon = (server: SandboxServer, description: string): Promise<unknown> =>
  server.default.state.patch('coupons', coupon.id, { description });

/** What a server finds that has only this file. */
async function descriptionIn(file: string): Promise<string | undefined> {
  const alone = join(temporaryFolder(), 'state.json');
  fs.copyFileSync(file, alone);
  const server = await serve({ data: alone });
  return (await server.default.state.get('coupons', coupon.id))?.description;
}

/** A server whose mounted state file has a short description, and its log a long one. */
async function changed() {
  const data = join(temporaryFolder(), 'state.json');
  const first = await serve({ data });
  await describeCoupon(first, 'short');
  await first.close();
  const volume = mount(data);
  const warnings: string[] = [];
  const server = await serve({ data, warn: (message) => warnings.push(message) });
  await describeCoupon(server, 'long '.repeat(100));
  const readyz = async (): Promise<number> => (await supertest(server.url).get('/readyz')).status;
  return { data, volume, server, warnings, readyz };
}

describe('a state file that is mounted by itself', () => {
  it(
    'keeps its state if its volume has no room for a larger one, and the stop fails with the reason',
    { tags: ['slow'] },
    async () => {
      const { data, volume, server } = await changed();
      const before = readFileSync(data);
      volume.lack = 'growing';
      await expect(server.close()).rejects.toThrow('The file still has the state that was last written');
      expect(readFileSync(data)).toEqual(before);
      expect(await descriptionIn(data)).toBe('short');
      volume.lack = 'nothing';
      const next = await serve({ data });
      expect((await next.default.state.get('coupons', coupon.id))?.description).toBe('long '.repeat(100));
      await next.close();
      expect(await descriptionIn(data)).toBe('long '.repeat(100));
    },
  );

  it(
    'is written without another request as soon as there is room, and changes are refused until then',
    { tags: ['slow'] },
    async () => {
      const { data, volume, server, warnings, readyz } = await changed();
      volume.lack = 'growing';
      // More than the log may have before it is folded.
      for (let at = 0; at < 3; at += 1)
        await describeCoupon(server, `${at}${'x'.repeat(500_000)}`).catch(() => {});
      await eventually(async () => expect(await readyz()).toBe(503));
      await expect(describeCoupon(server, 'refused')).rejects.toThrow('its volume has no room');
      expect(warnings).toContainEqual(expect.stringContaining('Free space there'));
      expect(await descriptionIn(data)).toBe('short');
      volume.lack = 'nothing';
      await eventually(async () => expect(await readyz()).toBe(200));
      expect(await descriptionIn(data)).toMatch(/^\dx+$/);
      await server.close();
    },
  );

  it(
    'is reported as incomplete if the system refuses to overwrite it, and its source has the whole state',
    { tags: ['slow'] },
    async () => {
      const { data, volume, server } = await changed();
      volume.lack = 'overwriting';
      await expect(server.close()).rejects.toThrow(
        `It is incomplete. The whole state is in ${data}.lp-sandbox.copy`,
      );
      expect(await descriptionIn(`${data}.lp-sandbox.copy`)).toBe('long '.repeat(100));
      volume.lack = 'nothing';
      const copy = join(crashCopy(dirname(data)), 'state.json');
      const next = await serve({ data: copy });
      expect((await next.default.state.get('coupons', coupon.id))?.description).toBe('long '.repeat(100));
    },
  );

  it.each([
    ['longer', 'longer '.repeat(100)],
    ['shorter', ''],
  ])(
    'is at no moment a valid mixture of two states: the new one is %s',
    { tags: ['slow'] },
    async (_, description) => {
      const { data, volume, server } = await changed();
      await describeCoupon(server, description);
      const before = readFileSync(data, 'utf8');
      volume.seen.splice(0);
      await server.close();
      const valid = volume.seen.filter((text) => isJson(text));
      expect(volume.seen.length).toBeGreaterThan(valid.length);
      for (const text of valid) expect(text.trimEnd()).toBe(before.trimEnd());
      expect(await descriptionIn(data)).toBe(description);
    },
  );

  it('that is empty stays empty if its volume has no room', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'state.json');
    fs.writeFileSync(data, '');
    const volume = mount(data);
    volume.lack = 'growing';
    const server = await serve({ data });
    await describeCoupon(server, 'kept').catch(() => {});
    await expect(server.close()).rejects.toThrow('It is still empty');
    expect(readFileSync(data, 'utf8')).toBe('');
    volume.lack = 'nothing';
    const next = await serve({ data });
    expect((await next.default.state.get('coupons', coupon.id))?.description).toBe('kept');
    await next.close();
    expect(await descriptionIn(data)).toBe('kept');
    expect(existsSync(`${data}.lp-sandbox.copy`)).toBe(false);
  });
});
