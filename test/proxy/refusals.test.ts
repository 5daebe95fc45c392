import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { goodBody, goodReply, opened, proxyTo, realKey, upstreamThat, type Proxy } from './upstream.ts';

const length = `Content-Length: ${goodBody.length}`;
const path = '/public/get-quiz-details';

function requestOf(line: string, headers: readonly string[], content = goodBody): string {
  const lines = [line, 'Host: proxy.example', 'Content-Type: application/json', ...headers];
  return [...lines, '', content].join('\r\n');
}

async function ownProxy(): Promise<Proxy> {
  const upstream = await upstreamThat((response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply);
  });
  return proxyTo(upstream.url);
}

/** Returns what the proxy sends until it ends the connection. */
async function exchange({ url }: Proxy, text: string): Promise<string> {
  const socket = await opened(url, text);
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  await once(socket, 'close');
  return heard;
}

const key = `SERVICE-API-KEY: ${realKey}`;
const target = `${path}?api_key=${encodeURIComponent(realKey)}`;

describe('a request that the proxy refuses because it is not valid HTTP', () => {
  it.each([
    ['a method in lower case', 400, requestOf(`post ${target} HTTP/1.1`, [key, length])],
    ['a wrong header', 400, requestOf(`POST ${target} HTTP/1.1`, [key, 'X A: a', length])],
    ['two hosts', 400, requestOf(`POST ${target} HTTP/1.1`, [key, 'Host: b', length])],
    [
      'a wrong chunk',
      400,
      requestOf(`POST ${target} HTTP/1.1`, [key, 'Transfer-Encoding: chunked'], 'zz\r\n\r\n'),
    ],
    ['another expectation', 417, requestOf(`POST ${target} HTTP/1.1`, [key, 'Expect: tea', length])],
    ['large headers', 431, requestOf(`POST ${target} HTTP/1.1`, [key, `X-A: ${'x'.repeat(60_000)}`])],
  ])('is journaled with what is wrong, and without secrets: %s', async (_, status, text) => {
    const proxy = await ownProxy();
    const reply = await exchange(proxy, text);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const { detail } = JSON.parse(reply.slice(reply.indexOf('{'))) as { detail: string };
    // The end of a connection can arrive before the request is journaled.
    await expect.poll(() => proxy.journal()).toHaveLength(1);
    const entries = proxy.journal();
    expect(entries).toMatchObject([
      {
        outcome: 'unmatched',
        operation: 'get-quiz-details',
        status,
        keyElsewhere: ['url'],
        violations: [{ pointer: '', message: detail }],
        response: expect.stringContaining(JSON.stringify(detail)),
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(realKey.slice(5, 12));
    expect(entries[0]?.key).toContain('…');
  });

  it('is not journaled if it was meant for a page', { tags: ['slow'] }, async () => {
    const proxy = await ownProxy();
    expect(await exchange(proxy, 'patch / HTTP/1.1\r\nHost: a\r\n\r\n')).toContain('400');
    expect(proxy.journal()).toEqual([]);
  });
});

describe('a client that resets the connection within the body of its call', () => {
  it('is found in the journal of the proxy', { tags: ['slow'] }, async () => {
    const proxy = await ownProxy();
    const text = requestOf(`POST ${path} HTTP/1.1`, [key, 'Expect: 100-continue', 'Content-Length: 999']);
    const socket = await opened(proxy.url, text);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await expect.poll(() => proxy.journal()).toHaveLength(1);
    expect(proxy.journal()).toMatchObject([
      { outcome: 'client-gone', operation: 'get-quiz-details', status: 0, clientLeft: true, violations: [] },
    ]);
  });
});
