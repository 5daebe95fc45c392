import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { LogFiles } from '../../src/store/log-files.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';
import { labId } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';

it('tries again after a failure while it writes the state file, and stores what failed meanwhile', async () => {
  const data = temporaryFolder();
  const { write } = StatePort.prototype;
  const waiting: (() => void)[] = [];
  const slow = vi.spyOn(StatePort.prototype, 'write').mockImplementation(async function (this: StatePort) {
    await new Promise<void>((done) => void waiting.push(done));
    await write.call(this);
  });
  const server = await startSandbox({ port: 0, data, warn: () => {} });
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
    throw new Error('ENOSPC: no space left on device');
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
