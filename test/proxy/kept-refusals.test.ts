import { expect, it } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import { keepRefusal } from '../../src/upstream/proxy/keep-refusal.ts';
import { KeyMasks } from '../../src/upstream/proxy/key-masks.ts';
import { realKey } from './upstream.ts';

it(
  'a refused request with very many headers is masked in slices, and again after a stop',
  { tags: ['slow'] },
  async () => {
    const channels = { out: () => {}, err: () => {}, owner: 'a test' };
    const { sandboxes, stop } = await startServer({ port: 0 }, channels);
    const sandbox = sandboxes.default;
    const headers = Array.from({ length: 600 }, (_, number) => [`X-${number}`, `${realKey} a`]).flat();
    const request = {
      method: 'POST',
      path: '/public/get-quiz-details',
      query: `?q=${realKey}`,
      headers: ['Service-Api-Key', realKey, ...headers],
      bodyBytes: 10,
      address: '127.0.0.1',
      port: 1,
      connection: { openedMs: 0, closedMs: null },
    };
    const begin = keepRefusal(request, null, sandbox, { others: [], masks: new KeyMasks() });
    begin().next();
    expect(sandbox.journal.count).toBe(0);
    const work = begin();
    let slices = 1;
    while (work.next().done !== true) slices += 1;
    expect(slices).toBeGreaterThan(600 / 16);
    expect(sandbox.journal.stored.map(({ number }) => number)).toEqual([1]);
    expect(JSON.stringify(sandbox.journal.stored)).not.toContain(realKey.slice(5, 12));
    await stop();
  },
);
