import { expect, it, onTestFinished, vi } from 'vitest';
import { proxyTo, send, upstreamThat } from './upstream.ts';

it('a large response is parsed in pieces, so that no call waits for it', { tags: ['slow'] }, async () => {
  const record = Object.fromEntries(Array.from({ length: 9000 }, (_, number) => [`field ${number}`, number]));
  const reply = JSON.stringify(
    Array.from({ length: 12 }, () => ({ output: { status: 'ok', data: record } })),
  );
  expect(reply.length).toBeGreaterThan(1_048_576);
  const upstream = await upstreamThat((response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(reply),
  );
  const proxy = await proxyTo(upstream.url);
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect((await send(proxy.url)).text).toBe(reply);
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  expect(longest).toBeLessThan(70_000);
});
