import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
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

const keptIn = (data: string): string => {
  const kept = readdirSync(data).find((name) => name.includes('.json.kept-'));
  return join(data, kept ?? 'none');
};

/** Fills a state file as a second server does that has the file mounted in another folder. */
async function fillElsewhere(file: string): Promise<void> {
  const data = join(temporaryFolder(), 'x.json');
  copyFileSync(file, data);
  const other = await serve({ data });
  await describeCoupon(other, 'of the other server');
  await other.close();
  writeFileSync(file, readFileSync(data));
}

/** A server whose state file and log have changes, and whose state file is then filled by another server. */
async function taken() {
  const data = temporaryFolder();
  const file = join(data, 'default.json');
  const first = await serve({ data });
  await describeCoupon(first, 'folded');
  await first.close();
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
        'This server does not overwrite it: its own state is in',
      ),
    );
    await eventually(() => expect(writes.mock.settledResults.length).toBeGreaterThan(1));
    writes.mockRestore();
    expect(readFileSync(file)).toEqual(filled);
    expect((await supertest(server.url).get('/readyz')).status).toBe(503);
    expect(await descriptionIn(crashCopy(data))).toBe('of the other server');
  });

  it('is not overwritten by a stop either, which fails and says what to do', async () => {
    const { data, file, server, filled } = await taken();
    await expect(server.close()).rejects.toThrow('leave the state that you need in');
    expect(readFileSync(file)).toEqual(filled);
    expect(await descriptionIn(data)).toBe('of the other server');
  });

  it('has the changes of this server beside it, and no log that does not continue it', async () => {
    const { data, file, server } = await taken();
    await server.close().catch(() => {});
    expect(readdirSync(data).filter((name) => name.endsWith('.1.log') || name.endsWith('.2.log'))).toEqual(
      [],
    );
    renameSync(keptIn(data), file);
    expect(await descriptionIn(data)).toBe('in the log');
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
    await eventually(() => expect(keptIn(data)).not.toContain('none'));
    rmSync(file);
    await eventually(() => describeCoupon(server, 'stored again'));
    await server.close();
    expect(await descriptionIn(data)).toBe('stored again');
  });
});

it('a state file is not overwritten if another server fills it while this one writes its own', async () => {
  const file = join(temporaryFolder(), 'default.json');
  const { data, server } = await taken();
  await server.close().catch(() => {});
  copyFileSync(keptIn(data), file);
  const port = new StatePort(file);
  await port.read();
  const writing = port.write();
  const text = readFileSync(file, 'utf8').replace(/"upTo": \d+/, '"upTo": 9000');
  writeFileSync(file, text);
  await expect(writing).rejects.toThrow('does not overwrite it');
  expect(readFileSync(file, 'utf8')).toBe(text);
});
