import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it } from 'vitest';
import type { SandboxHandle, SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { serve } from '../support/serve.ts';

const assume = { rateLimitWindow: 'sliding' } as const;

async function call({ url }: SandboxServer, sandbox: SandboxHandle, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1)
    await supertest(url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
}

/** Returns the facts in the lines of all logs that have windows. */
function linesWithWindows(data: string): number {
  const logs = readdirSync(data).filter((file) => file.includes('.log'));
  const lines = logs.flatMap((file) => readFileSync(join(data, file), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"windows":[{')).length;
}

/** Returns the usage of the limits after a crash at this moment. */
async function usageAfterCrash(data: string, id: string): Promise<unknown> {
  const server = await serve({ assume, data: crashCopy(data) });
  return (await server.sandbox(id))?.limits.read();
}

describe('a change through the control plane', () => {
  it(
    'does not store the calls that count once more, and none of them is lost in a crash',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const server = await serve({ assume, data });
      const sandbox = await server.createSandbox({ id: 'one', clock: { mode: 'frozen' } });
      await call(server, sandbox, 3);
      await sandbox.faults.add({ fault: 'delay', operation: 'get-quiz-details' });
      const before = linesWithWindows(data);
      await call(server, sandbox, 2);
      await sandbox.clock.advance({ seconds: 1 });
      await call(server, sandbox, 2);
      await sandbox.faults.add({ fault: 'timeout', operation: 'get-quiz-details' });
      expect(linesWithWindows(data)).toBe(before);
      const limits = await sandbox.limits.read();
      expect(JSON.stringify(limits)).toContain('"used":7');
      expect(await usageAfterCrash(data, 'one')).toEqual(limits);
    },
  );

  it('stores that it has reset them', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve({ assume, data });
    const sandbox = await server.createSandbox({ id: 'one', clock: { mode: 'frozen' } });
    await call(server, sandbox, 3);
    await sandbox.clock.advance({ seconds: 1 });
    await sandbox.reset();
    await call(server, sandbox, 2);
    const limits = await sandbox.limits.read();
    expect(JSON.stringify(limits)).toContain('"used":2');
    expect(await usageAfterCrash(data, 'one')).toEqual(limits);
  });
});
