import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { LogFiles } from '../../src/store/log-files.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { labId, quiz } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { noSpace } from '../support/no-space.ts';

it('tries again after a failure while it writes the state file, and stores what failed meanwhile', async () => {
  const data = temporaryFolder();
  const { waiting, writes: slow } = holdWrites();
  const server = await startSandbox({ port: 0, data, max: { recordBytes: 2_000_000 }, warn: () => {} });
  onTestFinished(async () => {
    slow.mockRestore();
    await server.close();
  });
  const lines = vi.spyOn(LogFiles.prototype, 'append');
  onTestFinished(() => lines.mockRestore());
  const change = (title: string): Promise<unknown> =>
    server.default.state.patch('labs', labId, {
      labTitle: title,
      evaluationScriptTestFileContent: 'x'.repeat(1_100_000),
    });
  await change('first');
  expect(waiting).toHaveLength(1);
  lines.mockImplementationOnce(() => {
    throw noSpace();
  });
  await expect(change('second')).rejects.toThrow('ENOSPC');
  slow.mockRestore();
  waiting[0]?.();
  await eventually(() => change('third'));
  expect(await server.default.state.get('labs', labId)).toMatchObject({ labTitle: 'third' });
});

it('writes a state file once at a time, however many changes come meanwhile, and keeps the log of those', async () => {
  const data = temporaryFolder();
  const file = join(data, 'default.json');
  const { write } = StatePort.prototype;
  const waiting: (() => void)[] = [];
  let most = 0;
  const slow = vi.spyOn(StatePort.prototype, 'write').mockImplementation(async function (this: StatePort) {
    await new Promise<void>((done) => {
      waiting.push(done);
      most = Math.max(most, waiting.length);
    });
    await write.call(this);
  });
  onTestFinished(() => slow.mockRestore());
  const server = await startSandbox({ port: 0, data });
  onTestFinished(async () => {
    for (const done of waiting) done();
    slow.mockRestore();
    await server.close();
  });
  const change = (number: number): Promise<unknown> =>
    server.default.state.patch('labs', labId, {
      evaluationScriptTestFileContent: `${number}`.repeat(700_000),
    });
  for (let number = 1; number <= 6; number += 1) await change(number);
  expect([most, slow.mock.calls.length]).toEqual([1, 1]);

  waiting.shift()?.();
  await eventually(() => expect(readFileSync(file, 'utf8')).toContain('22222'));
  expect(readFileSync(file, 'utf8')).not.toContain('66666');
  const logs = readdirSync(data).filter((name) => name.endsWith('.log'));
  expect(logs.map((name) => readFileSync(join(data, name), 'utf8')).join('')).toContain('66666');
});

async function read({ url }: SandboxServer): Promise<string> {
  const reply = await supertest(url)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', 'sbx_default_riverside')
    .send({ data: [{ data: { quizId: quiz.id } }] })
    .expect(200);
  return String(reply.headers['sandbox-request-id']);
}

const limitsOf = async ({ url }: SandboxServer): Promise<unknown> =>
  (await supertest(url).get('/control/sandboxes/default/limits')).body;

it.each(['is killed', 'stops'])(
  'has the counts of calls that were answered while it wrote lost files again, also if it %s',
  async (how) => {
    const data = temporaryFolder();
    const { waiting, writes: slow } = holdWrites();
    const server = await startSandbox({ port: 0, data, warn: () => {} });
    onTestFinished(() => server.close().catch(() => {}));
    const ids = [await read(server)];
    for (const name of readdirSync(data)) if (name.endsWith('.log')) rmSync(join(data, name));
    await eventually(async () => {
      ids.push(await read(server));
      expect(waiting).toHaveLength(1);
    });
    for (let calls = 0; calls < 3; calls += 1) ids.push(await read(server));
    slow.mockRestore();
    const before = await limitsOf(server);
    waiting[0]?.();
    await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
    const copy = how === 'stops' ? data : crashCopy(data);
    if (how === 'stops') await server.close();
    const next = await startSandbox({ port: 0, data: copy });
    onTestFinished(() => next.close());
    expect(await limitsOf(next)).toEqual(before);
    for (let calls = 0; calls < 3; calls += 1) ids.push(await read(next));
    expect(new Set(ids).size).toBe(ids.length);
  },
);

it('needs no state file after a change that did not fit on the disk: the counts follow in the log', async () => {
  const data = temporaryFolder();
  const server = await startSandbox({ port: 0, data, warn: () => {} });
  onTestFinished(() => server.close());
  const written = vi.spyOn(StatePort.prototype, 'write');
  onTestFinished(() => written.mockRestore());
  await server.default.state.patch('labs', labId, { labTitle: 'before' });
  const lines = vi.spyOn(LogFiles.prototype, 'append');
  onTestFinished(() => lines.mockRestore());
  lines.mockImplementationOnce(() => {
    throw noSpace();
  });
  await read(server);
  await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
  expect(written).not.toHaveBeenCalled();
  const copy = await startSandbox({ port: 0, data: crashCopy(data) });
  onTestFinished(() => copy.close());
  expect(await limitsOf(copy)).toEqual(await limitsOf(server));
});

async function wrongPath({ url }: SandboxServer): Promise<string> {
  const reply = await supertest(url)
    .post('/public/get-quiz-detail')
    .set('SERVICE-API-KEY', 'sbx_default_riverside')
    .send({ data: [] })
    .expect(404);
  return String(reply.headers['sandbox-request-id']);
}

it('issues no request id twice after a crash, for wrong paths either', async () => {
  const data = temporaryFolder();
  const server = await startSandbox({ port: 0, data });
  onTestFinished(() => server.close());
  const ids = [await read(server), await wrongPath(server), await wrongPath(server)];
  const next = await startSandbox({ port: 0, data: crashCopy(data) });
  onTestFinished(() => next.close());
  ids.push(await wrongPath(next), await read(next));
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([
  ['for calls whose numbers did not fit on the disk either', 1],
  ['although nothing of the sandbox ever fitted on the disk', 0],
])('issues no request id twice after a crash, %s', async (_, stored) => {
  const data = temporaryFolder();
  const server = await startSandbox({ port: 0, data, warn: () => {} });
  onTestFinished(() => server.close().catch(() => {}));
  const ids: string[] = [];
  for (let calls = 0; calls < stored; calls += 1) ids.push(await read(server));
  const lines = vi.spyOn(LogFiles.prototype, 'append').mockImplementation(() => {
    throw noSpace();
  });
  onTestFinished(() => lines.mockRestore());
  for (let calls = 0; calls < 3; calls += 1) ids.push(await read(server));
  const copy = crashCopy(data);
  lines.mockRestore();
  const next = await startSandbox({ port: 0, data: copy });
  for (let calls = 0; calls < 3; calls += 1) ids.push(await read(next));
  expect(new Set(ids).size).toBe(ids.length);
  await next.close();
  expect(readdirSync(copy)).toEqual(['default.json']);
});

it('refuses a change of a record or a snapshot as a whole, and needs no room for what is in the journal only', async () => {
  const data = temporaryFolder();
  const server = await startSandbox({ port: 0, data, warn: () => {} });
  onTestFinished(() => server.close());
  const control = (method: 'put' | 'patch' | 'delete', path: string): supertest.Test =>
    supertest(server.url)[method](`/control/sandboxes/default${path}`);
  await control('put', '/snapshots/one').expect(200);
  const before = await server.default.state.get('labs', labId);
  const { append } = LogFiles.prototype;
  // Each change fits only if it is a single line.
  for (const [request, status] of [
    [() => control('patch', `/state/labs/${labId}`).send({ labTitle: 'changed' }), 200],
    [() => control('delete', '/snapshots/one'), 204],
    [() => control('put', '/snapshots/two'), 200],
    [() => control('delete', '/journal'), 204],
  ] as const) {
    await read(server);
    let left = 1;
    const lines = vi.spyOn(LogFiles.prototype, 'append').mockImplementation(function (this: LogFiles, line) {
      left -= 1;
      if (left < 0) throw noSpace();
      append.call(this, line);
    });
    expect((await request()).status).toBe(status);
    lines.mockImplementation(() => {
      throw noSpace();
    });
    await control('patch', `/state/labs/${labId}`).send({ labTitle: 'refused' }).expect(503);
    lines.mockRestore();
    await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
    expect(await server.default.state.get('labs', labId)).toEqual({ ...before, labTitle: 'changed' });
  }
});

async function failing({ canMark }: { readonly canMark: boolean }) {
  const data = temporaryFolder();
  const server = await startSandbox({ port: 0, data, limits: 'off', warn: () => {} });
  const ids = [await read(server)];
  const lines = vi.spyOn(LogFiles.prototype, 'append').mockImplementation(() => {
    throw new Error('EIO: i/o error, write');
  });
  const marks = vi.spyOn(LogFiles.prototype, 'markGap');
  if (!canMark) marks.mockReturnValue(false);
  const work = (): void => {
    lines.mockRestore();
    marks.mockRestore();
  };
  onTestFinished(async () => {
    work();
    await server.close();
  });
  return { data, server, ids, work };
}

const isReady = async ({ url }: SandboxServer): Promise<boolean> =>
  (await supertest(url).get('/readyz')).status === 200;

describe('while no line can be written', () => {
  it.each([true, false])(
    'issues no request id again after a crash, although the state file is written: marker possible %s',
    async (canMark) => {
      const { data, server, ids, work } = await failing({ canMark });
      const written = vi.spyOn(StatePort.prototype, 'write');
      onTestFinished(() => written.mockRestore());
      await eventually(async () => {
        ids.push(await read(server));
        expect(written.mock.settledResults.length).toBeGreaterThan(1);
      });
      for (let calls = 0; calls < 5; calls += 1) ids.push(await read(server));
      const copy = crashCopy(data);
      work();
      const next = await startSandbox({ port: 0, data: copy, limits: 'off' });
      onTestFinished(() => next.close());
      const issued = ids.length;
      for (let calls = 0; calls < issued; calls += 1) ids.push(await read(next));
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it('is not ready, although the state file is written, until a line can be', async () => {
    const { server, ids, work } = await failing({ canMark: true });
    const written = vi.spyOn(StatePort.prototype, 'write');
    onTestFinished(() => written.mockRestore());
    ids.push(await read(server));
    await eventually(() => expect(written.mock.settledResults.length).toBeGreaterThan(1));
    expect(await isReady(server)).toBe(false);
    work();
    await eventually(async () => expect(await isReady(server)).toBe(true));
  });
});
