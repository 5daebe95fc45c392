import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { send } from '../support/send.ts';

const operation = 'get-all-live-events';
const now = '2026-11-20T10:00:00.000Z';

async function serve(): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, max: { rateCounters: 10 } });
  onTestFinished(() => server.close());
  await server.default.clock.set({ mode: 'frozen', now });
  return server;
}

/** Sends a call with this label, and returns its status. */
async function callAs({ url }: SandboxServer, label: string): Promise<number> {
  const headers = { 'SERVICE-API-KEY': `sbx_default_riverside_${label}` };
  return (await send(`${url}/public/${operation}`, headers, { data: [{ data: {} }] })).status;
}

/** Who has a counter, and how many calls it counts. */
async function countersOf({ default: { limits } }: SandboxServer): Promise<readonly string[]> {
  const { operations } = await limits.read();
  return (operations[operation]?.counters ?? []).map(({ who, used }) => `${who} ${used}`);
}

describe('the counters of the rate limits', () => {
  it('are at most as many as the server allows, however many keys its clients invent', async () => {
    const server = await serve();
    for (let label = 0; label < 35; label += 1) expect(await callAs(server, `job-${label}`)).toBe(200);
    const counters = await countersOf(server);
    expect(counters.length).toBeLessThanOrEqual(10);
    expect(counters.length).toBeGreaterThan(8);
  });

  it('that count no call any more make room first', async () => {
    const server = await serve();
    for (let label = 0; label < 9; label += 1) await callAs(server, `old-${label}`);
    await server.default.clock.advance({ seconds: 30 });
    for (let times = 0; times < 15; times += 1) expect(await callAs(server, 'busy')).toBe(200);
    await server.default.clock.advance({ seconds: 31 });
    for (let label = 0; label < 8; label += 1) await callAs(server, `new-${label}`);
    expect(await callAs(server, 'busy')).toBe(429);
    expect(await countersOf(server)).toHaveLength(9);
  });

  it('give their memory back when they are deleted', async () => {
    const server = await startSandbox({ port: 0, max: { stateBytes: 20_000 } });
    onTestFinished(() => server.close());
    for (let round = 0; round < 4; round += 1) {
      for (let label = 0; label < 20; label += 1) expect(await callAs(server, `${round}-${label}`)).toBe(200);
      expect(await countersOf(server)).toHaveLength(20);
      await server.default.reset();
      expect(await countersOf(server)).toHaveLength(0);
    }
  });

  it('are forgotten if the sandbox has no memory for more, and calls are answered all the same', async () => {
    const server = await startSandbox({ port: 0, max: { stateBytes: 5000 } });
    onTestFinished(() => server.close());
    for (let label = 0; label < 40; label += 1) expect(await callAs(server, `job-${label}`)).toBe(200);
    const { length } = await countersOf(server);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(10);
  });
});
