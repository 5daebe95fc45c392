import { expect, it, vi } from 'vitest';
import type { SlicedWork } from '../../src/base/sliced-work.ts';
import { OwnTurns } from '../../src/sandbox/own-turns.ts';
import { Secrets } from '../../src/upstream/proxy/secrets.ts';
import { goodReply, proxyTo, send, upstreamThat } from './upstream.ts';

it('responses that arrive together are processed in turns of their own', { tags: ['slow'] }, async () => {
  const waiting: (() => void)[] = [];
  const calls = 10;
  const upstream = await upstreamThat((response) => {
    waiting.push(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply));
    if (waiting.length === calls) for (const answer of waiting) answer();
  });
  const proxy = await proxyTo(upstream.url);
  const taken = vi.spyOn(OwnTurns.prototype, 'taken');
  const replies = await Promise.all(Array.from({ length: calls }, () => send(proxy.url)));
  expect(replies.map(({ text }) => text)).toEqual(Array.from({ length: calls }, () => goodReply));
  expect(taken).toHaveBeenCalledTimes(calls);
  taken.mockRestore();
});

it('very many headers, and the start of a body, are masked in slices', { tags: ['slow'] }, () => {
  const secrets = new Secrets({ 'service-api-key': 'lp_live_7KmzPq3RtYv8XwNc5BdHj2' }, '');
  const headers = Array.from({ length: 1900 }, (_, at) => [`X-${at}`, `session-${at}-abcdefgh`]).flat();
  expect(slicesOf(secrets.maskingHeaders(headers))).toBeGreaterThan(100);
  expect(slicesOf(secrets.maskingStart('%41'.repeat(20_000), 65_536))).toBeGreaterThan(10);
});

function slicesOf(work: SlicedWork<unknown>): number {
  let slices = 1;
  while (work.next().done !== true) slices += 1;
  return slices;
}
