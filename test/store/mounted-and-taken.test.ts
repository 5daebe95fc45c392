import fs, { copyFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import supertest from 'supertest';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

const { readFileSync } = fs;

/** Lets a file look as if it was mounted by itself: mounting needs privileges. */
function pretendMounted(file: string): void {
  const read = vi.spyOn(fs, 'readFileSync').mockImplementation((...parameters) => {
    if (parameters[0] === '/proc/self/mountinfo') return `1 2 3:4 /state.json ${file} rw\n`;
    return readFileSync(...parameters);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    read.mockRestore();
    syncBuiltinESMExports();
  });
}

const describeCoupon = (server: SandboxServer, description: string): Promise<unknown> =>
  server.default.state.patch('coupons', coupon.id, { description });

const descriptionIn = async (server: SandboxServer): Promise<string | undefined> =>
  (await server.default.state.get('coupons', coupon.id))?.description;

/** A server whose mounted state file has changes, and its log, too. */
async function mounted() {
  const data = join(temporaryFolder(), 'state.json');
  const first = await serve({ data });
  await describeCoupon(first, 'folded');
  await first.close();
  pretendMounted(data);
  const server = await serve({ data });
  await describeCoupon(server, 'in the log');
  return { data, server };
}

it('a mounted state file with other times is still the file of this server', { tags: ['slow'] }, async () => {
  const { data, server } = await mounted();
  utimesSync(data, 1, 1);
  await server.close();
  expect(await descriptionIn(await serve({ data }))).toBe('in the log');
});

it(
  'a mounted state file that another server has filled is not overwritten until somebody empties it',
  { tags: ['slow'] },
  async () => {
    const { data, server } = await mounted();
    const elsewhere = join(temporaryFolder(), 'state.json');
    copyFileSync(data, elsewhere);
    const other = await serve({ data: elsewhere });
    await describeCoupon(other, 'of the other server');
    await other.close();
    writeFileSync(data, readFileSync(elsewhere));
    await eventually(() =>
      expect(describeCoupon(server, 'refused')).rejects.toThrow(
        'To keep the state of this server, copy that file to another place and then empty it',
      ),
    );
    expect(readFileSync(data)).toEqual(readFileSync(elsewhere));
    truncateSync(data);
    await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
    await server.close();
    expect(await descriptionIn(await serve({ data }))).toBe('in the log');
  },
);
