import { constants } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxServer, type StartOptions } from '../../src/index.ts';
import { KnownFiles } from '../../src/store/known-files.ts';
import { LogFiles } from '../../src/store/log-files.ts';
import { OpenLogs } from '../../src/store/open-logs.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { maxStored } from '../../src/store/stored-room.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { noSpace } from '../support/no-space.ts';

async function serve(data: string, options: StartOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, data, warn: () => {}, ...options });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

async function describeCoupon({ url }: SandboxServer, sandbox: string, description: string) {
  const { status, text } = await supertest(url)
    .patch(`/control/sandboxes/${sandbox}/state/coupons/${coupon.id}`)
    .send({ description });
  return { status, text };
}

async function descriptionIn({ url }: SandboxServer, sandbox: string): Promise<unknown> {
  const { body } = await supertest(url).get(`/control/sandboxes/${sandbox}/state/coupons/${coupon.id}`);
  return (body as { description?: unknown }).description;
}

/** A folder with the state files of sandboxes, each with a changed coupon. */
async function folderWith(...sandboxes: readonly string[]): Promise<string> {
  const data = temporaryFolder();
  const server = await serve(data);
  for (const id of sandboxes) {
    if (id !== 'default') await supertest(server.url).post('/control/sandboxes').send({ id }).expect(201);
    expect((await describeCoupon(server, id, `of ${id}`)).status).toBe(200);
  }
  await server.close();
  return data;
}

/** Changes a sandbox until the server notices what has happened to its files. */
function refusal(server: SandboxServer, sandbox: string): Promise<string> {
  return eventually(async () => {
    const { status, text } = await describeCoupon(server, sandbox, 'changed');
    expect(status).toBe(503);
    return text;
  });
}

const readyOf = async ({ url }: SandboxServer): Promise<number> =>
  (await supertest(url).get('/readyz')).status;

const isReady = (server: SandboxServer): Promise<void> =>
  eventually(async () => expect(await readyOf(server)).toBe(200));

function logOf(data: string): string {
  return join(data, readdirSync(data).find((name) => name.endsWith('.log')) ?? 'none');
}

describe('a file of another program in the place of the state file of a running server', () => {
  const foreign = '{"mine":1}';

  it('is never replaced, and the changes of its sandbox are refused until it is moved away', async () => {
    const data = await folderWith('default', 'other');
    const file = join(data, 'other.json');
    const server = await serve(data);
    await describeCoupon(server, 'other', 'changed');
    writeFileSync(file, foreign);
    expect(await refusal(server, 'other')).toContain('was replaced by a file that is not of this program');
    expect(await readyOf(server)).toBe(503);
    expect((await describeCoupon(server, 'default', 'not affected')).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(foreign);
    renameSync(file, join(data, 'moved.txt'));
    await isReady(server);
    expect(await descriptionIn(await serve(crashCopy(data)), 'other')).toBe('changed');
  });

  it('is not replaced when the server stops, which then fails', async () => {
    const data = await folderWith('default');
    const server = await serve(data);
    await describeCoupon(server, 'default', 'changed');
    writeFileSync(join(data, 'default.json'), foreign);
    await expect(server.close()).rejects.toThrow('not of this program');
    expect(readFileSync(join(data, 'default.json'), 'utf8')).toBe(foreign);
  });

  it('is not replaced if it comes while the server writes its own', async () => {
    const file = join(await folderWith('default'), 'default.json');
    const port = new StatePort(file);
    await port.read();
    const writing = port.write();
    writeFileSync(file, foreign);
    await expect(writing).rejects.toThrow('not of this program');
    expect(readFileSync(file, 'utf8')).toBe(foreign);
  });
});

describe('a state file that was deleted', () => {
  it('is written again after the next change', async () => {
    const data = await folderWith('default', 'other');
    const server = await serve(data);
    await describeCoupon(server, 'other', 'changed');
    rmSync(join(data, 'other.json'));
    expect(await refusal(server, 'other')).toContain('other.json was deleted');
    await isReady(server);
    expect(await descriptionIn(await serve(crashCopy(data)), 'other')).toBe('changed');
  });

  it('is written again when the server stops, also without any request', async () => {
    const data = await folderWith('default');
    const server = await serve(data);
    rmSync(join(data, 'default.json'));
    await server.close();
    expect(await descriptionIn(await serve(data), 'default')).toBe('of default');
  });

  it('is written again before its sandbox leaves memory', async () => {
    const data = await folderWith('one', 'two', 'three');
    const server = await serve(data, { maxSandboxes: 3 });
    await describeCoupon(server, 'one', 'changed');
    rmSync(join(data, 'one.json'));
    for (const id of ['two', 'three']) expect(await descriptionIn(server, id)).toBe(`of ${id}`);
    expect(await descriptionIn(server, 'one')).toBe('changed');
    await isReady(server);
    expect(existsSync(join(data, 'one.json'))).toBe(true);
  });
});

describe('a state file or a log that was changed', () => {
  it.each<readonly [string, (data: string) => void]>([
    ['an empty state file', (data) => truncateSync(join(data, 'default.json'), 0)],
    ['half of a state file', (data) => truncateSync(join(data, 'default.json'), 900)],
    ['an empty log', (data) => truncateSync(logOf(data), 0)],
    ['half of a log', (data) => truncateSync(logOf(data), 60)],
  ])('is written again: %s', async (_, act) => {
    const data = await folderWith('default');
    const server = await serve(data);
    await describeCoupon(server, 'default', 'in a newer state file');
    await server.close();
    const again = await serve(data);
    await describeCoupon(again, 'default', 'in the log');
    act(data);
    expect(await refusal(again, 'default')).toContain('was changed by another program');
    await isReady(again);
    expect(await descriptionIn(await serve(crashCopy(data)), 'default')).toBe(
      await descriptionIn(again, 'default'),
    );
  });

  it('is not overwritten if it is a backup that somebody has put back', async () => {
    const data = await folderWith('default');
    const file = join(data, 'default.json');
    const backup = readFileSync(file);
    const server = await serve(data);
    await describeCoupon(server, 'default', 'in a newer state file');
    await server.close();
    const again = await serve(data);
    await describeCoupon(again, 'default', 'in the log');
    writeFileSync(file, backup);
    expect(await refusal(again, 'default')).toContain('or a restore from a backup');
    expect(await readyOf(again)).toBe(503);
    expect((await supertest(again.url).delete('/control/sandboxes/default')).status).not.toBe(204);
    await expect(again.close()).rejects.toThrow('does not overwrite it');
    expect(readFileSync(file)).toEqual(backup);
  });

  it.each([
    ['it is empty', (log: string) => truncateSync(log, 0)],
    [
      'another one of the same size has replaced it',
      (log: string) => {
        writeFileSync(`${log}.new`, readFileSync(log, 'utf8').replace('the last', 'of x say'));
        renameSync(`${log}.new`, log);
      },
    ],
  ])('is written again without another change: %s', async (_, act) => {
    const data = await folderWith('default');
    const server = await serve(data);
    await describeCoupon(server, 'default', 'the last change');
    act(logOf(data));
    await vi.waitFor(
      async () =>
        expect(await descriptionIn(await serve(crashCopy(data)), 'default')).toBe('the last change'),
      { timeout: 10_000, interval: 200 },
    );
  });

  it('is noticed before the next change if another one of the same size has replaced it since it was closed', async () => {
    const data = temporaryFolder();
    const file = join(data, 'default.json');
    const open = new OpenLogs();
    const log = new LogFiles(file, open, []);
    log.begin(1);
    log.append('{"line":1}\n');
    open.close(join(data, 'default.1.log'));
    writeFileSync(join(data, 'new'), '{"line":7}\n');
    renameSync(join(data, 'new'), join(data, 'default.1.log'));
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
    onTestFinished(() => now.mockRestore());
    expect(() => log.append('{"line":2}\n')).toThrow('was changed by another program');
  });

  it.each([['short'], ['long'.repeat(1000)]])(
    'is not taken for the same when the lock was lost: another server has written it with as many bytes (%#)',
    (text) => {
      const data = temporaryFolder();
      const log = new LogFiles(join(data, 'default.json'), new OpenLogs(), []);
      onTestFinished(() => log.close());
      log.begin(1);
      log.append(`{"line":1,"text":"${text}1"}\n`);
      const found = new LogFiles(join(data, 'default.json'), new OpenLogs(), [logOf(data)]);
      expect([log.isUnchanged, found.isUnchanged]).toEqual([true, true]);
      writeFileSync(logOf(data), readFileSync(logOf(data), 'utf8').replace(`${text}1`, `${text}2`));
      expect([log.isUnchanged, found.isUnchanged]).toEqual([false, false]);
    },
  );

  it('is not taken for the same when the lock was lost: another one has got the number of its inode', () => {
    const data = temporaryFolder();
    const file = join(data, 'default.1.log');
    const text = '{"line":1}\n';
    writeFileSync(file, text);
    const files = new KnownFiles();
    const created = statSync(file);
    files.set(file, created, text.length, text);
    expect(() => files.checkContent(file)).not.toThrow();
    created.birthtimeMs -= 1;
    files.set(file, created, text.length, text);
    expect(() => files.checkContent(file)).toThrow('was changed by another program');
  });

  it.each([
    ['folder', 'second'],
    ['folder', 'always'],
    ['pipe', 'second'],
    ['pipe', 'always'],
  ] as const)('is replaced if a %s has its name, which stays there (%s)', async (kind, dataSync) => {
    const data = await folderWith('default');
    const server = await serve(data, { dataSync });
    await describeCoupon(server, 'default', 'before');
    const log = logOf(data);
    rmSync(log);
    if (kind === 'folder') mkdirSync(log);
    else execFileSync('mkfifo', [log]);
    expect(await refusal(server, 'default')).toContain(`${log} was changed by another program`);
    await isReady(server);
    expect((await describeCoupon(server, 'default', 'after')).status).toBe(200);
    expect(statSync(log).isFile()).toBe(false);
    rmSync(log, { recursive: true });
    expect(await descriptionIn(await serve(crashCopy(data)), 'default')).toBe('after');
  });

  it('is no trap for the next server if a pipe has the name of its lock', async () => {
    const data = await folderWith('default');
    execFileSync('mkfifo', [join(data, 'lp-sandbox.lock')]);
    await expect(serve(data)).rejects.toThrow(`--data ${data} cannot be used`);
  });

  it('is no obstacle if a power failure has left it without content', async () => {
    const data = await folderWith('default', 'other');
    writeFileSync(join(data, 'new.1.log'), '');
    writeFileSync(join(data, 'other.99.log'), Buffer.alloc(5000));
    const server = await serve(data);
    await supertest(server.url).post('/control/sandboxes').send({ id: 'new' }).expect(201);
    expect((await describeCoupon(server, 'new', 'of new')).status).toBe(200);
    expect(await descriptionIn(server, 'other')).toBe('of other');
  });
});

describe('a folder that another server uses since it was deleted', () => {
  it('gets nothing of the first server, also when that stops', async () => {
    const data = await folderWith('default');
    const first = await serve(data);
    await describeCoupon(first, 'default', 'of the first');
    rmSync(data, { recursive: true });
    const second = await serve(data);
    await describeCoupon(second, 'default', 'of the second');
    await expect(first.close()).rejects.toThrow('another server has taken the lock');
    expect(await descriptionIn(await serve(crashCopy(data)), 'default')).toBe('of the second');
  });
});

describe('a state that could not be read back', () => {
  it('is not stored: large changes leave room for small ones', () => {
    expect(maxStored.large).toBe(400_000_000);
    expect(maxStored.small).toBeGreaterThan(maxStored.large);
    expect(maxStored.small).toBeLessThan(constants.MAX_STRING_LENGTH);
  });
});

/** With `always`, it can be noticed before a change, or right after the disk has it. */
const refusedWith = {
  second: /was deleted/,
  always: /was deleted|could not be written to the disk itself/,
} as const;

describe('a folder that was deleted and created again', () => {
  it.each([
    ['deleted', 'second'],
    ['moved', 'second'],
    ['deleted', 'always'],
    ['moved', 'always'],
  ] as const)(
    'has all sandboxes in memory again before the server is ready: %s, --data-sync %s',
    async (how, dataSync) => {
      const data = await folderWith('default', 'idle', 'busy');
      const server = await serve(data, { dataSync });
      expect(await descriptionIn(server, 'idle')).toBe('of idle');
      await describeCoupon(server, 'busy', 'before');
      if (how === 'deleted') rmSync(data, { recursive: true });
      else renameSync(data, join(temporaryFolder(), 'moved'));
      mkdirSync(data);
      expect(await refusal(server, 'busy')).toMatch(refusedWith[dataSync]);
      await isReady(server);
      const copy = await serve(crashCopy(data));
      expect(await descriptionIn(copy, 'default')).toBe('of default');
      expect(await descriptionIn(copy, 'idle')).toBe('of idle');
      expect(await descriptionIn(copy, 'busy')).toBe(await descriptionIn(server, 'busy'));
    },
  );

  it.each(['second', 'always'] as const)(
    'also if a sandbox has only a log: --data-sync %s',
    async (dataSync) => {
      const data = temporaryFolder();
      const server = await serve(data, { dataSync });
      await describeCoupon(server, 'default', 'before');
      renameSync(data, join(temporaryFolder(), 'moved'));
      mkdirSync(data);
      expect(await refusal(server, 'default')).toMatch(refusedWith[dataSync]);
      await isReady(server);
      const kept = await descriptionIn(server, 'default');
      expect(await descriptionIn(await serve(crashCopy(data)), 'default')).toBe(kept);
    },
  );
});

describe('a log that cannot be written into the state file because the disk is full', () => {
  it('is no obstacle at the start: changes that fit into the log are stored, also when the server stops', async () => {
    const data = temporaryFolder();
    const first = await serve(data);
    await describeCoupon(first, 'default', 'stored');
    const copy = crashCopy(data);
    const full = vi.spyOn(StatePort.prototype, 'write').mockImplementation(() => Promise.reject(noSpace()));
    onTestFinished(() => full.mockRestore());
    const warnings: string[] = [];
    const server = await serve(copy, { warn: (message) => warnings.push(message) });
    expect(await descriptionIn(server, 'default')).toBe('stored');
    expect((await supertest(server.url).get('/readyz')).status).toBe(200);
    expect((await describeCoupon(server, 'default', 'changed')).status).toBe(200);
    expect((await supertest(server.url).get('/metrics')).text).toMatch(
      /^lp_sandbox_state_write_failures_total 1$/m,
    );
    await server.close();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The state file of sandbox "default" cannot be written: .*ENOSPC.* Nothing is lost/,
      ),
    ]);
    full.mockRestore();
    expect(readdirSync(copy)).not.toContain('default.json');
    expect(await descriptionIn(await serve(copy), 'default')).toBe('changed');
  });
});

describe('a sandbox whose folder is missing, such as a volume that is not mounted', () => {
  it.each(['in memory', 'on disk'])('is deleted only when its files are there again: %s', async (where) => {
    const data = await folderWith('default', 'other');
    const server = await serve(data);
    if (where === 'in memory') expect(await descriptionIn(server, 'other')).toBe('of other');
    const remove = async () => supertest(server.url).delete('/control/sandboxes/other');
    renameSync(data, `${data}.away`);
    const refused = await remove();
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('could not be deleted')]);
    renameSync(`${data}.away`, data);
    await eventually(async () => expect((await remove()).status).toBe(204));
    await server.close();
    expect((await supertest((await serve(data)).url).get('/control/sandboxes/other')).status).toBe(404);
  });

  it('is deleted if somebody has deleted its files', async () => {
    const data = await folderWith('default', 'other');
    const server = await serve(data);
    rmSync(join(data, 'other.json'));
    expect((await supertest(server.url).delete('/control/sandboxes/other')).status).toBe(204);
  });
});
