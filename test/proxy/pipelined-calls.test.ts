import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { goodReply, opened, proxyTo, realKey, send, upstreamThat } from './upstream.ts';

function bodyOf(quizId: string): string {
  return `{"data":[{"data":{"quizId":"${quizId}"}}]}`;
}

function callText(quizId: string): string {
  const body = bodyOf(quizId);
  return `POST /public/get-quiz-details HTTP/1.1\r\nHost: a\r\nSERVICE-API-KEY: ${realKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A proxy to an upstream that holds back its replies to calls for the quiz `held`. */
async function proxyToHolding() {
  const held: (() => void)[] = [];
  const upstream = await upstreamThat((response: ServerResponse, { body }) => {
    const reply = (): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply);
    if (body.includes('held')) held.push(reply);
    else reply();
  });
  const proxy = await proxyTo(upstream.url);
  const quizzes = (): readonly string[] =>
    upstream.got.map(({ body }) => /"quizId":"([^"]*)"/.exec(body.toString())?.[1] ?? '');
  return { proxy, quizzes, held };
}

describe('calls that a client of the proxy sends on one connection without waiting', () => {
  it(
    'reach the upstream one after the other, and their replies come in order',
    { tags: ['slow'] },
    async () => {
      const { proxy, quizzes, held } = await proxyToHolding();
      const socket = await opened(proxy.url, ['held', 'second', 'third'].map(callText).join(''));
      onTestFinished(() => void socket.destroy());
      let text = '';
      socket.setEncoding('latin1').on('data', (part: string) => (text += part));
      await eventually(() => expect(held).toHaveLength(1));
      await send(proxy.url, { body: bodyOf('other') });
      expect(quizzes()).toEqual(['held', 'other']);
      held[0]?.();
      await eventually(() => expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3));
      expect(quizzes()).toEqual(['held', 'other', 'second', 'third']);
      const numbers = [...text.matchAll(/Sandbox-Request-Id: default-(\d+)/gi)].map(([, number]) =>
        Number(number),
      );
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    },
  );

  it.each([
    ['one', callText('second'), 1],
    ['a large one', callText('x'.repeat(200_000)), 1],
    ['several', callText('second').repeat(5), 5],
    ['many large ones', callText('x'.repeat(200_000)).repeat(5), null],
  ])(
    'do not reach the upstream if the client has left before their turn: %s',
    { tags: ['slow'] },
    async (_, waiting, count) => {
      const { proxy, quizzes, held } = await proxyToHolding();
      const socket = await opened(proxy.url, callText('held') + waiting);
      await eventually(() => expect(held).toHaveLength(1));
      socket.destroy();
      await eventually(() => {
        const entries = proxy.journal();
        for (const entry of entries)
          expect(entry).toMatchObject({ outcome: 'client-gone', clientLeft: true });
        expect(entries.length).toBeGreaterThan(0);
        if (count !== null) expect(entries).toHaveLength(1 + count);
      });
      await send(proxy.url, { body: bodyOf('other') });
      expect(quizzes()).toEqual(['held', 'other']);
    },
  );

  it('are answered behind one that is not of an operation', async () => {
    const { proxy, quizzes } = await proxyToHolding();
    const text = `GET /public/other HTTP/1.1\r\nHost: a\r\n\r\n${callText('second')}`;
    const socket = await opened(proxy.url, text);
    onTestFinished(() => void socket.destroy());
    let heard = '';
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part));
    await eventually(() => expect(heard.match(/HTTP\/1\.1 200/g)).toHaveLength(2));
    expect(quizzes()).toEqual(['', 'second']);
  });
});
