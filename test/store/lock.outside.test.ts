import fs, {
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { locate } from '../../src/store/locations.ts';
import { addressOf, listenAt } from '../../src/store/lock-address.ts';
import { readClaim } from '../../src/store/lock-claim.ts';
import { LockFile } from '../../src/store/lock-file.ts';
import { hold, type Lock, type LockedPlace } from '../../src/store/lock.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { serve } from '../support/serve.ts';

async function held(place: LockedPlace, owner = 'the first'): Promise<Lock> {
  const lock = await hold(place, 'DATA', owner);
  onTestFinished(() => lock.release());
  return lock;
}

/**
 * The lock file of a server on another machine, which shows `beats` times that it runs. Returns what ends the server
 * as it should.
 */
function elsewhere(file: string, beats: number, claim: object = {}): () => void {
  let beat = 0;
  const write = (): void =>
    writeFileSync(
      file,
      JSON.stringify({
        owner: 'the other one',
        token: 't',
        machine: 'another',
        address: 'a',
        ...claim,
        beat,
      }),
    );
  write();
  const timer = setInterval(() => {
    beat += 1;
    if (beat <= beats) write();
  }, 200);
  onTestFinished(() => clearInterval(timer));
  return () => {
    clearInterval(timer);
    rmSync(file);
  };
}

/** Describes the coupon of a sandbox as another server does that has the files for a moment. */
async function changedElsewhere(folder: string, sandbox: string): Promise<() => void> {
  const copy = crashCopy(folder);
  const other = await serve({ data: copy });
  await (await other.sandbox(sandbox))?.state.patch('coupons', coupon.id, { description: 'of the second' });
  await other.close();
  return () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    cpSync(copy, folder, { recursive: true });
  };
}

const logsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /\.[1-9]\d{0,9}\.log$/.test(name));

/** Returns the log of another server that has taken over, and was killed before it could write a state file. */
async function continued(folder: string): Promise<{ readonly name: string; readonly content: Buffer }> {
  const copy = crashCopy(folder);
  const { waiting, writes } = holdWrites();
  const other = await serve({ data: copy });
  await eventually(() => expect(waiting).toHaveLength(1));
  await other.default.state.patch('coupons', coupon.id, { description: 'of the second' });
  const name = logsIn(copy).find((one) => !logsIn(folder).includes(one)) ?? '';
  const content = readFileSync(join(copy, name));
  writes.mockRestore();
  for (const go of waiting.splice(0)) go();
  await other.close();
  return { name, content };
}

/** Starts a server on one.json whose lock file is deleted, and one on its folder on another machine, which "does" something. */
async function replacedFor(does: (folder: string) => Promise<unknown>) {
  const folder = temporaryFolder();
  const server = await serve({ data: join(folder, 'one.json') });
  const change = (description: string): Promise<unknown> =>
    server.default.state.patch('coupons', coupon.id, { description });
  await change('first');
  rmSync(join(folder, 'one.lp-sandbox.lock'));
  const end = elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
  await eventually(() => expect(change('lost')).rejects.toThrow('another server has taken the lock'));
  await does(folder);
  end();
  return { folder, server, change };
}

/** Ten seconds pass that only the clock on the wall shows. */
function sleep(): void {
  const now = Date.now;
  const slept = vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
  onTestFinished(() => slept.mockRestore());
}

/** Writes what has this text only after ten seconds, in which the disk is busy and something else happens. */
function hang(text: string, meanwhile: () => void): void {
  const write = fs.writeSync.bind(fs) as (...given: unknown[]) => number;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((...given: unknown[]) => {
    if (String(given[1]).includes(text)) {
      sleep();
      meanwhile();
    }
    return write(...given);
  });
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
}

/** No server says who it is any more, as if all were paused. */
function silence(): void {
  const { end } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'end').mockImplementation(function (this: Socket, text: unknown) {
    if (typeof text !== 'string') end.call(this, '');
    return this;
  });
  onTestFinished(() => spy.mockRestore());
}

describe('a server that does not answer', () => {
  it('keeps out those that use its files, named by its lock file, and no others', async () => {
    const folder = temporaryFolder();
    await held({ folder, stem: 'one' });
    silence();
    await held({ folder, stem: 'two' }, 'the second');
    for (const stem of ['one', 'one.x', null])
      await expect(hold({ folder, stem }, 'DATA', 'a third')).rejects.toThrow(
        'DATA is in use by another server (the first, which does not answer now).',
      );
  });

  it('keeps out those that have its file mounted in another folder', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    const [file, again] = [join(one, 'x.json'), join(other, 'x.json')];
    writeFileSync(file, '');
    linkSync(file, again);
    await held({ folder: one, stem: 'x', file });
    silence();
    await expect(hold({ folder: other, stem: 'x', file: again }, 'DATA', 'b')).rejects.toThrow(
      'DATA is in use by another server (one that does not answer: it may be paused or busy).',
    );
  });

  it('keeps out all servers of its folder if no lock file names it', async () => {
    const folder = temporaryFolder();
    const address = `${addressOf(folder, 'register')}-0`;
    const socket = await listenAt(address, { owner: 'a', folder: `${folder}/one` });
    onTestFinished(() => socket?.free());
    silence();
    await expect(hold({ folder, stem: 'two' }, 'DATA', 'b')).rejects.toThrow(
      'DATA is in use by another server (one that does not answer: it may be paused or busy).',
    );
  });
});

describe('the lock of a folder', () => {
  it.each([
    ['the same folder', null],
    ['a file in it', 'other'],
  ])('keeps out a second server that uses %s, naming the first', async (_, stem) => {
    const folder = temporaryFolder();
    await held({ folder, stem: null });
    await expect(hold({ folder, stem }, 'DATA', 'the second')).rejects.toThrow(
      'DATA is in use by another server (the first). Stop that server, or use another --data.',
    );
  });

  it('keeps out a second server when its file was deleted, and creates it again', async () => {
    const folder = temporaryFolder();
    await held({ folder, stem: null });
    rmSync(join(folder, 'lp-sandbox.lock'));
    await expect(hold({ folder, stem: null }, 'DATA', 'the second')).rejects.toThrow('(the first)');
    await eventually(() => expect(readdirSync(folder)).toEqual(['lp-sandbox.lock']));
  });

  it.each(['', '\0\0\0', '{"owner":'])(
    'keeps out a second server when its file was overwritten with %j, and writes it again',
    async (content) => {
      const folder = temporaryFolder();
      const file = join(folder, 'one.lp-sandbox.lock');
      const lock = await held({ folder, stem: 'one' });
      writeFileSync(file, content);
      await expect(hold({ folder, stem: null }, 'DATA', 'the second')).rejects.toThrow('(the first)');
      await eventually(() => expect(readFileSync(file, 'utf8')).toContain('the first'));
      await eventually(() => expect(() => lock.check(true)).not.toThrow());
    },
  );

  it('is not taken, overwritten or deleted if its file is of another program', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'lp-sandbox.lock');
    writeFileSync(file, 'notes');
    await expect(hold({ folder, stem: null }, 'DATA', 'the first')).rejects.toThrow(
      `its lock file ${file} has content of another program. Move that file away`,
    );
    expect(readFileSync(file, 'utf8')).toBe('notes');
  });

  it('is taken at once where a killed server of this machine has left its file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'lp-sandbox.lock');
    const lock = await hold({ folder, stem: null }, 'DATA', 'the first');
    const left = readFileSync(file);
    await lock.release();
    writeFileSync(file, left);
    await held({ folder, stem: null }, 'the second');
    expect(readFileSync(file, 'utf8')).toContain('the second');
  });

  it('is refused while a server on another machine shows that it runs', async () => {
    const folder = temporaryFolder();
    elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
    await expect(hold({ folder, stem: null }, 'DATA', 'the second')).rejects.toThrow(
      'DATA is in use by another server (the other one, on another machine or in another container).',
    );
    await expect(hold({ folder, stem: 'a' }, 'DATA', 'the second')).rejects.toThrow('(the other one');
  });

  it('is free in a copy of the folder, which has a copy of its file', async () => {
    const [folder, copy] = [temporaryFolder(), join(temporaryFolder(), 'copy')];
    const first = await held({ folder, stem: null });
    cpSync(folder, copy, { recursive: true });
    const second = await held({ folder: copy, stem: null }, 'the second');
    for (const lock of [first, second]) expect(() => lock.check(true)).not.toThrow();
  });

  it('is refused if it names the socket of another folder, but its holder writes to it or is silent', async () => {
    const [folder, seen] = [temporaryFolder(), temporaryFolder()];
    await held({ folder, stem: null });
    const claim = readClaim(join(folder, 'lp-sandbox.lock'));
    elsewhere(join(seen, 'lp-sandbox.lock'), Infinity, typeof claim === 'object' ? (claim ?? {}) : {});
    await expect(hold({ folder: seen, stem: null }, 'DATA', 'the second')).rejects.toThrow('DATA is in use');
    silence();
    await expect(hold({ folder: seen, stem: null }, 'DATA', 'the second')).rejects.toThrow('does not answer');
  });

  it('is lost to a server that took it while this one was paused', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: null });
    expect(() => lock.check()).not.toThrow();
    elsewhere(join(folder, 'lp-sandbox.lock'), 0);
    await eventually(() => expect(() => lock.check()).toThrow('another server has taken the lock'));
    await lock.release();
    expect(readdirSync(folder)).toEqual(['lp-sandbox.lock']);
  });
});

describe('a server that was paused, or whose machine slept', () => {
  it('may have lost a lock that is gone: its holder can have changed the files, and ended', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: null });
    rmSync(join(folder, 'lp-sandbox.lock'));
    sleep();
    expect(() => lock.check()).toThrow('lp-sandbox.lock was deleted');
    expect(lock.losses).toBe(1);
    await eventually(() => expect(() => lock.check()).not.toThrow());
    expect(lock.losses).toBe(1);
  });
});

describe('a server whose disk was busy', () => {
  it('does not acknowledge a change that another server may not have read when it took the files', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    const change = (description: string): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description });
    await change('first');
    hang('late', () => elsewhere(join(folder, 'lp-sandbox.lock'), Infinity));
    await expect(change('late')).rejects.toThrow('another server has taken the lock');
    expect(await server.default.state.get('coupons', coupon.id)).toMatchObject({ description: 'first' });
  });

  it('removes that change from its log if the other one has continued the log without it, and not before', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder, warn: () => {} });
    const change = (description: string): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description });
    await change('first');
    const [own = ''] = logsIn(folder);
    const next = await continued(folder);
    hang('late', () => elsewhere(join(folder, 'lp-sandbox.lock'), Infinity));
    await expect(change('late')).rejects.toThrow('another server has taken the lock');
    expect(readFileSync(join(folder, own), 'utf8')).toContain('late');
    writeFileSync(join(folder, next.name), next.content);
    await eventually(() => expect(readFileSync(join(folder, own), 'utf8')).not.toContain('late'));
    const third = await serve({ data: crashCopy(folder) });
    expect(await third.default.state.get('coupons', coupon.id)).toMatchObject({
      description: 'of the second',
    });
  });

  it('stores the state again without that change if the other one has changed nothing', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    const change = (description: string): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description });
    await change('first');
    hang('late', () => rmSync(join(folder, 'lp-sandbox.lock')));
    await expect(change('late')).rejects.toThrow('lp-sandbox.lock was deleted');
    await eventually(() =>
      server.default.state.patch('coupons', coupon.id, { numberOfRedemptionsAllowed: 77 }),
    );
    const next = await serve({ data: crashCopy(folder) });
    expect(await next.default.state.get('coupons', coupon.id)).toMatchObject({
      description: 'first',
      numberOfRedemptionsAllowed: 77,
    });
  });

  it('does not acknowledge a change if it has lost the lock before the disk had the change', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder, dataSync: 'always', warn: () => {} });
    const change = (description: string): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description });
    await change('first');
    const { fdatasync } = fs;
    const held: (() => void)[] = [];
    const spy = vi
      .spyOn(fs, 'fdatasync')
      .mockImplementation((file, done) => void held.push(() => fdatasync(file, done)));
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    const late = change('late');
    await eventually(() => expect(held).toHaveLength(1));
    elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
    // The server shows that it runs, and finds the other one, before the disk is ready.
    const beats = vi.spyOn(LockFile.prototype, 'content', 'get');
    await eventually(() => expect(beats).toHaveBeenCalled());
    beats.mockRestore();
    spy.mockRestore();
    syncBuiltinESMExports();
    for (const go of held) go();
    await expect(late).rejects.toThrow('The change was made, but it could not be');
  });

  it('puts no older state file in the place of a newer one: the start of the other server has removed it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'default.json');
    const server = await serve({ data: folder, warn: () => {} });
    await server.default.state.patch('coupons', coupon.id, { description: 'older' });
    const { renameSync: rename } = fs;
    const spy = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (to === file) {
        elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
        locate(folder).clean();
        writeFileSync(file, 'newer');
      }
      rename(from, to);
    });
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    await expect(server.close()).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('newer');
  });

  it('may have written its lock file over that of another server', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: null });
    hang('"owner":"the first"', () => {});
    await eventually(() => expect(lock.losses).toBeGreaterThan(0));
  });
});

describe('a server whose lock file was deleted', () => {
  it.each([
    ['while it was paused', sleep],
    ['between two looks at it', () => {}],
  ])('does not overwrite what was changed meanwhile, and says to restart: %s', async (_, pause) => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    const change = (description: string): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description });
    await change('first');
    const place = await changedElsewhere(folder, 'default');
    place();
    const stored = (): string => readFileSync(join(folder, 'default.json'), 'utf8');
    const before = stored();
    pause();
    await eventually(() => expect(change('next')).rejects.toThrow('Restart this server to load the changes'));
    await server.close().catch(() => {});
    expect(stored()).toBe(before);
  });

  it('does not delete a sandbox that was changed meanwhile', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    const sandbox = await server.createSandbox({ id: 'other' });
    await sandbox.state.patch('coupons', coupon.id, { description: 'first' });
    const place = await changedElsewhere(folder, 'other');
    place();
    await eventually(() =>
      expect(sandbox.remove()).rejects.toThrow(/could not be deleted: another server has changed/),
    );
    expect(readFileSync(join(folder, 'other.json'), 'utf8')).toContain('of the second');
  });

  it('stops without an error, with all changes', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    await server.default.state.patch('coupons', coupon.id, { description: 'stored' });
    rmSync(join(folder, 'lp-sandbox.lock'));
    await server.close();
    expect(readFileSync(join(folder, 'default.json'), 'utf8')).toContain('"stored"');
  });
});

describe('the lock of a file', () => {
  it('is refused while a server uses the folder, even if its lock file was deleted', async () => {
    const folder = temporaryFolder();
    await held({ folder, stem: null });
    rmSync(join(folder, 'lp-sandbox.lock'));
    await expect(hold({ folder, stem: 'one' }, 'DATA', 'the second')).rejects.toThrow('(the first)');
  });

  it('keeps out a server that uses the folder, even if its file was deleted', async () => {
    const folder = temporaryFolder();
    await held({ folder, stem: 'one' });
    rmSync(join(folder, 'one.lp-sandbox.lock'));
    await expect(hold({ folder, stem: null }, 'DATA', 'the second')).rejects.toThrow('(the first)');
    await expect(hold({ folder, stem: 'one.x' }, 'DATA', 'the second')).rejects.toThrow('(the first)');
    await held({ folder, stem: 'two' });
  });

  it('keeps out other servers also in a folder that has replaced the first one', async () => {
    const folder = join(temporaryFolder(), 'folder');
    mkdirSync(folder);
    await held({ folder, stem: 'one' });
    renameSync(folder, join(temporaryFolder(), 'moved'));
    mkdirSync(folder);
    await eventually(() => expect(readdirSync(folder)).toEqual(['one.lp-sandbox.lock']));
    await eventually(async () => {
      rmSync(join(folder, 'one.lp-sandbox.lock'), { force: true });
      await expect(hold({ folder, stem: null }, 'DATA', 'the second')).rejects.toThrow('(the first)');
    });
  });

  it('is lost to a server on another machine that took the folder while its own file was deleted', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: 'one' });
    rmSync(join(folder, 'one.lp-sandbox.lock'));
    elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
    await eventually(() => expect(() => lock.check()).toThrow('another server has taken the lock'));
  });

  it('is taken back when the server that took the folder has ended', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: 'one' });
    rmSync(join(folder, 'one.lp-sandbox.lock'));
    const end = elsewhere(join(folder, 'lp-sandbox.lock'), Infinity);
    await eventually(() => expect(() => lock.check()).toThrow('another server has taken the lock'));
    end();
    await eventually(() => expect(() => lock.check()).not.toThrow());
    expect(lock.losses).toBe(1);
    await expect(hold({ folder, stem: null }, 'DATA', 'a third')).rejects.toThrow('(the first)');
  });

  it('allows no change while it looks for a server that started while its own file was deleted', async () => {
    const folder = temporaryFolder();
    const lock = await held({ folder, stem: 'one' });
    rmSync(join(folder, 'one.lp-sandbox.lock'));
    expect(() => lock.check(true)).toThrow('one.lp-sandbox.lock was deleted');
    await eventually(() => expect(() => lock.check()).not.toThrow());
  });

  it('keeps out a server that has the same file mounted in another folder', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    // To the system, a second name of a file is what a mount is.
    const [file, again] = [join(one, 'x.json'), join(other, 'x.json')];
    writeFileSync(file, '');
    linkSync(file, again);
    await held({ folder: one, stem: 'x', file });
    await expect(hold({ folder: other, stem: 'x', file: again }, 'DATA', 'b')).rejects.toThrow('(the first)');
  });

  it('is refused if it is a link, which is not followed', async () => {
    const folder = temporaryFolder();
    symlinkSync(join(folder, 'victim'), join(folder, 'lp-sandbox.lock'));
    await expect(hold({ folder, stem: null }, 'DATA', 'b')).rejects.toThrow('is a link. Delete the link');
    expect(readdirSync(folder)).toEqual(['lp-sandbox.lock']);
  });

  it('keeps out servers that use the folder, and no servers that use other files', async () => {
    const folder = temporaryFolder();
    await held({ folder, stem: 'one' });
    await held({ folder, stem: 'two' });
    await expect(hold({ folder, stem: null }, 'DATA', 'a third')).rejects.toThrow('(the first)');
    // The sandbox "x" of one.json is in one.x.json.
    await expect(hold({ folder, stem: 'one.x' }, 'DATA', 'a third')).rejects.toThrow('(the first)');
  });
});

describe('a server', () => {
  it('does not share a file with another one that has it by a link', async () => {
    const folder = temporaryFolder();
    const other = temporaryFolder();
    symlinkSync(join(folder, 'state.json'), join(other, 'link.json'));
    await serve({ data: join(folder, 'state.json') });
    await expect(serve({ data: join(other, 'link.json') })).rejects.toThrow('is in use by another server');
  });

  it('writes the file that a link leads to, and keeps the link', async () => {
    const folder = temporaryFolder();
    const other = temporaryFolder();
    symlinkSync(join(folder, 'state.json'), join(other, 'link.json'));
    const server = await serve({ data: join(other, 'link.json') });
    await server.default.state.patch('coupons', coupon.id, { description: 'kept' });
    await server.close();
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('kept');
    expect(readdirSync(other)).toEqual(['link.json']);
  });

  it('does not share a folder with another one that has it by a link', async () => {
    const folder = temporaryFolder();
    const real = join(folder, 'real');
    mkdirSync(real);
    symlinkSync(real, join(folder, 'link'));
    await serve({ data: real });
    await expect(serve({ data: join(folder, 'link') })).rejects.toThrow('is in use by another server');
    await expect(serve({ data: join(folder, 'link', 'other.json') })).rejects.toThrow(
      'is in use by another server',
    );
  });

  it('refuses changes once another one has its files', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: folder });
    const changes = ['first'];
    const other = await server.createSandbox({ id: 'other' });
    const change = (): Promise<unknown> =>
      server.default.state.patch('coupons', coupon.id, { description: changes.at(-1) });
    await change();
    elsewhere(join(folder, 'lp-sandbox.lock'), 0);
    await eventually(async () => {
      changes.push(`change ${changes.length}`);
      await expect(change()).rejects.toThrow('another server has taken the lock');
    });
    expect(await server.default.state.get('coupons', coupon.id)).toMatchObject({
      description: changes.at(-2),
    });
    await expect(other.remove()).rejects.toThrow('could not be deleted: another server has taken the lock');
  });

  it('stores changes again when another one has ended without changing its files', async () => {
    const { change } = await replacedFor(async () => {});
    await eventually(() => change('next'));
  });

  it('keeps the files that another one has changed, refuses changes, and says to restart', async () => {
    const { folder, change, server } = await replacedFor(async (data) => {
      const copy = crashCopy(data);
      const second = await serve({ data: copy });
      await (
        await second.sandbox('one')
      )?.state.patch('coupons', coupon.id, { description: 'of the second' });
      await second.close();
      for (const name of readdirSync(data)) if (name !== 'lp-sandbox.lock') rmSync(join(data, name));
      cpSync(copy, data, { recursive: true });
    });
    await eventually(() => expect(change('next')).rejects.toThrow('Restart this server to load the changes'));
    await server.close().catch(() => {});
    const third = await serve({ data: join(folder, 'one.json') });
    expect(await third.default.state.get('coupons', coupon.id)).toMatchObject({
      description: 'of the second',
    });
  });
});
