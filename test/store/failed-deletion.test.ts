import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { labId } from '../support/demo.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

/** Lets the deletion of the files with these names fail, as if somebody had mounted or locked them. */
function lockFiles(...names: readonly string[]): () => void {
  const { rmSync } = fs;
  const spy = vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    if (names.includes(basename(String(file))))
      throw Object.assign(new Error('EBUSY: locked'), { code: 'EBUSY' });
    rmSync(file, options);
  });
  const unlock = (): void => {
    spy.mockRestore();
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  onTestFinished(unlock);
  return unlock;
}

async function rename(server: SandboxServer, labTitle: string): Promise<void> {
  await (await server.sandbox('a'))?.state.patch('labs', labId, { labTitle });
}

const titleIn = async (server: SandboxServer): Promise<unknown> =>
  (await (await server.sandbox('a'))?.state.get('labs', labId))?.labTitle;

/** A server with a sandbox in a state file and a log. */
async function stored() {
  const data = temporaryFolder();
  const first = await serve({ data });
  await first.createSandbox({ id: 'a' });
  await first.close();
  const server = await serve({ data });
  await rename(server, 'before');
  await eventually(() => expect(readdirSync(data)).toContain('a.json'));
  return { data, server };
}

describe('a sandbox whose files cannot be deleted', () => {
  it.each([['a.json'], ['a.2.log'], ['a.0.log'], ['a.json', 'a.0.log'], ['a.2.log', 'a.0.log']])(
    'stays, and loses no change after that: %j',
    async (...names) => {
      const { data, server } = await stored();
      const unlock = lockFiles(...names);
      const error = await errorOf((await server.sandbox('a'))?.remove() ?? Promise.resolve());
      expect(error.message).toContain('The sandbox "a" could not be deleted: EBUSY');
      unlock();
      await eventually(() => rename(server, 'after'));
      expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('after');
      await (await server.sandbox('a'))?.remove();
      expect(readdirSync(data).filter((name) => name.startsWith('a.'))).toEqual([]);
    },
  );

  it('is refused changes for as long as the next start would delete it', async () => {
    const { data, server } = await stored();
    lockFiles('a.2.log', 'a.0.log');
    await errorOf((await server.sandbox('a'))?.remove() ?? Promise.resolve());
    expect(existsSync(join(data, 'a.0.log'))).toBe(true);
    const error = await errorOf(rename(server, 'after'));
    expect(error.message).toContain('could not be stored, so it had no effect: EBUSY');
  });

  it('is not loaded if only some of them were deleted', async () => {
    const { data, server } = await stored();
    const copy = crashCopy(data);
    await server.close();
    const next = await serve({ data: copy });
    const file = join(copy, 'a.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": \d+/, '"version": 99'));
    lockFiles('a.2.log', 'a.0.log');
    const { text } = await supertest(next.url).delete('/control/sandboxes/a').expect(503);
    expect(text).toContain('could not be deleted: EBUSY');
    expect(existsSync(file)).toBe(false);
    const error = await errorOf(next.sandbox('a'));
    expect(error.message).toContain('its deletion has begun, but not all of its files could be deleted.');
  });
});

describe('a log of which only a part of the first line could be written', () => {
  it('is replaced, although it could not be deleted', async () => {
    const { data, server } = await stored();
    await server.close();
    const next = await serve({ data });
    const unlock = lockFiles('a.3.log');
    const { writeSync } = fs;
    const spy = vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
      writeSync(file, text.slice(0, 20));
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    const error = await errorOf(rename(next, 'refused'));
    expect(error.message).toContain('The change could not be stored, so it had no effect');
    spy.mockRestore();
    unlock();
    await eventually(() => rename(next, 'after'));
    expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('after');
  });
});
