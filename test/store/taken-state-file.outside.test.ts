import { copyFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { presentMs } from '../../src/store/log-files.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

const describeCoupon = (server: SandboxServer, description: string): Promise<unknown> =>
  server.default.state.patch('coupons', coupon.id, { description });

const descriptionIn = async (data: string): Promise<string | undefined> => {
  const server = await serve({ data });
  return (await server.default.state.get('coupons', coupon.id))?.description;
};

/** Fills a state file as a second server does that has the file mounted in another folder. */
async function fillElsewhere(
  file: string,
  descriptions: readonly string[] = ['one', 'two', 'of the other server'],
): Promise<void> {
  const data = join(temporaryFolder(), 'x.json');
  copyFileSync(file, data);
  const other = await serve({ data });
  for (const description of descriptions) await describeCoupon(other, description);
  await other.close();
  writeFileSync(file, readFileSync(data));
}

/** A folder with a state file. */
async function folded() {
  const data = temporaryFolder();
  const server = await serve({ data });
  await describeCoupon(server, 'folded');
  await server.close();
  return { data, file: join(data, 'default.json') };
}

/** A server whose state file and log have changes, and whose state file is then filled by another server. */
async function taken() {
  const { data, file } = await folded();
  const server = await serve({ data });
  await describeCoupon(server, 'in the log');
  await fillElsewhere(file);
  const filled = readFileSync(file);
  return { data, file, server, filled };
}

describe('a state file in which another server has stored changes, because it has the file mounted elsewhere', () => {
  it('is never overwritten: changes are refused, also when it is tried again', async () => {
    const { data, file, server, filled } = await taken();
    const writes = vi.spyOn(StatePort.prototype, 'write');
    await eventually(() =>
      expect(describeCoupon(server, 'refused')).rejects.toThrow(
        'This server does not overwrite it. To keep the state of this server, move that file away.',
      ),
    );
    await eventually(() => expect(writes.mock.settledResults.length).toBeGreaterThan(1));
    writes.mockRestore();
    expect(readFileSync(file)).toEqual(filled);
    expect((await supertest(server.url).get('/readyz')).status).toBe(503);
    await expect(serve({ data: crashCopy(data) })).rejects.toThrow('does not continue');
  });

  it('is not overwritten by a stop either, which fails and says what to do', async () => {
    const { data, file, server, filled } = await taken();
    await expect(server.close()).rejects.toThrow('To keep the other state, stop this server');
    expect(readFileSync(file)).toEqual(filled);
    await expect(serve({ data })).rejects.toThrow(`does not continue ${file}`);
  });

  it('is loaded if the logs of this server are moved away', async () => {
    const { data, server } = await taken();
    await server.close().catch(() => {});
    for (const name of readdirSync(data)) if (/^default\.\d+\.log$/.test(name)) rmSync(join(data, name));
    expect(await descriptionIn(data)).toBe('of the other server');
  });

  it('is not deleted with its sandbox', async () => {
    const { data, file, server, filled } = await taken();
    const deletion = supertest(server.url).delete('/control/sandboxes/default');
    expect((await deletion).status).not.toBe(204);
    expect(readFileSync(file)).toEqual(filled);
    expect(readdirSync(data)).toContain('default.json');
  });

  it('can be moved away: then the changes of this server are stored again', async () => {
    const { data, file, server } = await taken();
    await eventually(() =>
      expect(describeCoupon(server, 'refused')).rejects.toThrow('does not overwrite it'),
    );
    rmSync(file);
    await eventually(() => describeCoupon(server, 'stored again'));
    await server.close();
    expect(await descriptionIn(data)).toBe('stored again');
  });
});

it.each([
  ['fewer lines than this server', ['of the other server']],
  ['as many lines as this server', ['one', 'two', 'of the other server']],
])(
  'a state file of another server with %s is not overwritten, also not by a stop',
  async (_, descriptions) => {
    const { data, file } = await folded();
    const server = await serve({ data });
    for (const description of ['a', 'b', 'c']) await describeCoupon(server, description);
    await fillElsewhere(file, descriptions);
    const filled = readFileSync(file);
    await eventually(() =>
      expect(describeCoupon(server, 'refused')).rejects.toThrow('This server does not overwrite it'),
    );
    await expect(server.close()).rejects.toThrow('This server does not overwrite it');
    expect(readFileSync(file)).toEqual(filled);
    expect(readdirSync(data).some((name) => /^default\.\d+\.log$/.test(name))).toBe(true);
  },
);

it('a state file with other times is still the file of this server: changes are stored', async () => {
  const { data, file } = await folded();
  const server = await serve({ data });
  for (const seconds of [1, 2_000_000_000, 3]) {
    utimesSync(file, seconds, seconds);
    // The server looks at the file again.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2 * presentMs);
    await describeCoupon(server, `after ${seconds}`);
    now.mockRestore();
  }
  await server.close();
  expect(await descriptionIn(data)).toBe('after 3');
});

it('the copy of a state file that this server has loaded is replaced, also if all changes of the server are in its log', async () => {
  const { data, file } = await folded();
  const copy = readFileSync(file);
  const server = await serve({ data });
  for (const description of ['one', 'two', 'newest']) await describeCoupon(server, description);
  writeFileSync(file, copy);
  await eventually(() => describeCoupon(server, 'newer than the copy'));
  await server.close();
  expect(await descriptionIn(data)).toBe('newer than the copy');
});

it('a state file is not overwritten if another server fills it while this one writes its own', async () => {
  const { file } = await folded();
  const port = new StatePort(file);
  await port.read();
  const writing = port.write();
  const text = readFileSync(file, 'utf8').replace(/"id": "[^"]+"/, '"id": "of-another-server"');
  writeFileSync(file, text);
  await expect(writing).rejects.toThrow('does not overwrite it');
  expect(readFileSync(file, 'utf8')).toBe(text);
});
