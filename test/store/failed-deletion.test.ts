import fs, { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { labId, quiz } from '../support/demo.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

/** Lets a replaced function of the system apply, until the test ends or the returned function is called. */
function apply(spy: { readonly mockRestore: () => void }): () => void {
  const end = (): void => {
    spy.mockRestore();
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  onTestFinished(end);
  return end;
}

function failed(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code });
}

/** Lets the deletion of the files with these names fail, as if somebody had mounted or locked them. */
function lockFiles(...names: readonly string[]): () => void {
  const requireUnlocked = (file: fs.PathLike): void => {
    if (names.includes(basename(String(file)))) throw failed('EBUSY');
  };
  const { rmSync: remove, renameSync: move } = fs;
  const removing = vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    requireUnlocked(file);
    remove(file, options);
  });
  const moving = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    requireUnlocked(from);
    move(from, to);
  });
  const ends = [apply(removing), apply(moving)];
  return () => {
    for (const end of ends) end();
  };
}

async function rename(server: SandboxServer, labTitle: string): Promise<void> {
  await (await server.sandbox('a'))?.state.patch('labs', labId, { labTitle });
}

const titleIn = async (server: SandboxServer): Promise<unknown> =>
  (await (await server.sandbox('a'))?.state.get('labs', labId))?.labTitle;

/** A server with a sandbox in a state file and a log. */
async function stored(dataSync: 'second' | 'always' = 'second') {
  const data = temporaryFolder();
  const first = await serve({ data });
  await first.createSandbox({ id: 'a' });
  await first.close();
  const warnings: string[] = [];
  const server = await serve({ data, dataSync, warn: (message) => warnings.push(message) });
  await rename(server, 'before');
  await eventually(() => expect(readdirSync(data)).toContain('a.json'));
  return { data, server, warnings };
}

/** The names of the files of the sandbox. */
const filesIn = (data: string): readonly string[] =>
  readdirSync(data).filter((name) => name.startsWith('a.'));

describe('a sandbox whose files cannot be deleted', () => {
  it.each([['a.json'], ['a.json', 'a.0.log']])(
    'stays with all its changes: %j',
    { tags: ['slow'] },
    async (...names) => {
      const { data, server } = await stored();
      const unlock = lockFiles(...names);
      await supertest(server.url)
        .delete('/control/sandboxes/a')
        .expect(503, /could not be deleted: EBUSY/);
      expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('before');
      await rename(server, 'after');
      expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('after');
      unlock();
      await (await server.sandbox('a'))?.remove();
      expect(filesIn(data)).toEqual([]);
    },
  );

  it.each([['a.2.log'], ['a.0.log'], ['a.2.log', 'a.0.log']])(
    'is deleted if only the first of them can be: %j',
    { tags: ['slow'] },
    async (...names) => {
      const { data, server, warnings } = await stored();
      const unlock = lockFiles(...names);
      await supertest(server.url).delete('/control/sandboxes/a').expect(204);
      const left = names.map((name) => join(data, name));
      for (const file of left) expect(warnings.filter((message) => message.includes(file))).toHaveLength(1);
      expect(await server.sandbox('a')).toBeNull();

      // It is not half a sandbox of the same name…
      const error = await errorOf(server.createSandbox({ id: 'a' }));
      expect(error.message).toContain(
        'A sandbox "a" was deleted, but the system does not delete all of its files',
      );
      // … and not one that comes back with the next start, whether that can delete the files or not.
      const copy = crashCopy(data);
      const next = await serve({ data: copy, warn: (message) => warnings.push(message) });
      expect(await next.sandbox('a')).toBeNull();
      expect(warnings.at(-1)).toContain('The sandbox "a" is deleted, but not all of its files are');
      await errorOf(next.createSandbox({ id: 'a' }));

      unlock();
      expect(await (await serve({ data: crashCopy(data) })).sandbox('a')).toBeNull();
      for (const one of [server, next]) {
        await one.createSandbox({ id: 'a' });
        expect(await titleIn(one)).not.toBe('before');
      }
      expect(filesIn(data)).toEqual(['a.1.log']);
    },
  );

  it(
    'stays if an empty file in place of its state file could be deleted, but no other',
    { tags: ['slow'] },
    async () => {
      const { data, server } = await stored();
      const copy = crashCopy(data);
      await server.close();
      writeFileSync(join(copy, 'a.json'), '');
      const next = await serve({ data: copy, warn: () => {} });
      const unlock = lockFiles('a.2.log');
      await supertest(next.url)
        .delete('/control/sandboxes/a')
        .expect(503, /could not be deleted: EBUSY/);
      unlock();
      await supertest(next.url).delete('/control/sandboxes/a').expect(204);
      expect(filesIn(copy)).toEqual([]);
    },
  );

  it('does not keep others from making room for new ones', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve({ data, maxSandboxes: 4 });
    const open = (id: string) =>
      supertest(server.url)
        .post('/public/get-quiz-details')
        .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
        .send({ data: [{ data: { quizId: quiz.id } }] })
        .expect(200);
    for (const id of ['first', 'second', 'third']) await open(id);
    lockFiles('first.json', 'first.1.log');
    for (const id of ['fourth', 'fifth']) await open(id);
    const listed = await supertest(server.url).get('/control/sandboxes').expect(200);
    for (const id of ['first', 'fourth', 'fifth']) expect(listed.text).toContain(`"id":"${id}"`);
    for (const id of ['second', 'third']) expect(listed.text).not.toContain(`"id":"${id}"`);
  });

  it('is deleted in the same way if it cannot be loaded', { tags: ['slow'] }, async () => {
    const { data, server } = await stored();
    const copy = crashCopy(data);
    await server.close();
    const next = await serve({ data: copy, warn: () => {} });
    const file = join(copy, 'a.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": \d+/, '"version": 99'));
    const unlock = lockFiles('a.json', 'a.2.log');
    await supertest(next.url)
      .delete('/control/sandboxes/a')
      .expect(503, /could not be deleted: EBUSY/);
    unlock();
    lockFiles('a.2.log');
    await supertest(next.url).delete('/control/sandboxes/a').expect(204);
    expect(filesIn(copy)).toEqual(['a.0.log', 'a.2.log']);
    expect(await next.sandbox('a')).toBeNull();
  });

  it('does not take what is created later with it if its folder was away', { tags: ['slow'] }, async () => {
    const { data, server } = await stored();
    const unlock = lockFiles('a.2.log');
    await (await server.sandbox('a'))?.remove();
    unlock();
    renameSync(data, `${data}-away`);
    await errorOf(server.createSandbox({ id: 'a' }));
    renameSync(`${data}-away`, data);
    await server.createSandbox({ id: 'a' });
    await rename(server, 'new');
    expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('new');
  });

  it(
    'stays or is deleted as a whole if the system reports an error of what it has done',
    { tags: ['slow'] },
    async () => {
      const { data, server } = await stored();
      const { renameSync: move } = fs;
      const moving = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        move(from, to);
        throw failed('EIO');
      });
      const mend = apply(moving);
      await supertest(server.url).delete('/control/sandboxes/a').expect(204);
      mend();
      expect(filesIn(data)).toEqual([]);
    },
  );

  it(
    'is deleted even if the system reports an error when it closes the deleted log',
    { tags: ['slow'] },
    async () => {
      const { data, server } = await stored();
      await rename(server, 'after');
      const { closeSync: close } = fs;
      const closing = vi.spyOn(fs, 'closeSync').mockImplementation((file) => {
        const isLog = readlinkSync(`/proc/self/fd/${file}`).endsWith('.log (deleted)');
        close(file);
        if (isLog) throw failed('EIO');
      });
      const mend = apply(closing);
      await supertest(server.url).delete('/control/sandboxes/a').expect(204);
      mend();
      expect(filesIn(data)).toEqual([]);
      expect(await server.sandbox('a')).toBeNull();
    },
  );

  it.each([
    ['a.0.log', ''],
    ['a.0.log', ', a table\n'],
    ['a.0.log', '   \n'],
    ['a.00.log', '   \n'],
  ])(
    'is not deleted by another file with a name like that of its mark: %s with %j',
    { tags: ['slow'] },
    async (name, text) => {
      const { data, server } = await stored();
      const copy = crashCopy(data);
      for (const folder of [data, copy]) writeFileSync(join(folder, name), text);
      await rename(server, 'after');
      const next = await serve({ data: copy, warn: () => {} }).catch((error: unknown) => error);
      if (next instanceof Error) expect(next.message).toContain(name);
      expect(filesIn(copy)).toEqual(expect.arrayContaining([name, 'a.json']));
      expect(readFileSync(join(copy, name), 'utf8')).toBe(text);
    },
  );

  it('is not opened by its key', { tags: ['slow'] }, async () => {
    const { server } = await stored();
    lockFiles('a.2.log');
    await (await server.sandbox('a'))?.remove();
    const { body } = await supertest(server.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_a_riverside')
      .send({ data: [{ data: {} }] });
    expect(JSON.stringify(body)).toContain('the system does not delete all of its files');
  });

  it(
    'takes a log with it that has only a refused line and could not be deleted',
    { tags: ['slow'] },
    async () => {
      const { data, server } = await stored();
      await server.close();
      const next = await serve({ data });
      const unlock = lockFiles('a.3.log');
      const { writeSync } = fs;
      vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
        writeSync(file, text.slice(0, 20));
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
      syncBuiltinESMExports();
      await errorOf(rename(next, 'refused'));
      expect(filesIn(data)).toContain('a.3.log');
      unlock();
      await (await next.sandbox('a'))?.remove();
      expect(filesIn(data)).toEqual([]);
    },
  );
});

/** Calls a function at each request to bring a file or folder to the disk. */
function atEachSync(look: () => void): () => void {
  const { fsyncSync: sync } = fs;
  const syncing = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    look();
    sync(file);
  });
  return apply(syncing);
}

describe('with --data-sync always, a deletion', () => {
  it('is on the disk before it is acknowledged', { tags: ['slow'] }, async () => {
    const { data, server } = await stored('always');
    const seen: (readonly string[])[] = [];
    atEachSync(() => seen.push(filesIn(data)));
    await (await server.sandbox('a'))?.remove();
    expect(seen).toEqual([['a.0.log', 'a.2.log'], ['a.0.log']]);
    expect(filesIn(data)).toEqual([]);
  });

  it('is refused, and the sandbox stays, if the disk cannot keep it', { tags: ['slow'] }, async () => {
    const { data, server } = await stored('always');
    const mend = atEachSync(() => {
      throw failed('EIO');
    });
    await supertest(server.url)
      .delete('/control/sandboxes/a')
      .expect(503, /could not be deleted: EIO/);
    mend();
    expect(await titleIn(await serve({ data: crashCopy(data) }))).toBe('before');
    await (await server.sandbox('a'))?.remove();
    expect(filesIn(data)).toEqual([]);
  });
});

describe('a log of which only a part of the first line could be written', () => {
  it('is replaced, although it could not be deleted', { tags: ['slow'] }, async () => {
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
