import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';
import { openWire, repliesIn, type Wire } from '../support/wire.ts';

const halfMib = 524_288;

/** A body of an unknown quiz of about so many bytes. */
function bodyOf(bytes: number): string {
  return JSON.stringify({ data: [{ data: { quizId: 'x'.repeat(bytes) } }] });
}

/**
 * A server that has room for 1 MiB of large bodies, a client that has sent most of such a body, and the way
 * to send another one.
 */
async function occupied() {
  const { url, default: sandbox } = await serve({ max: { bodiesInFlightBytes: 2 * halfMib } });
  const wire: Wire = await openWire(sandbox);
  const body = bodyOf(1.6 * halfMib);
  const head = [
    'POST /public/get-quiz-details HTTP/1.1',
    'Host: 127.0.0.1',
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
  ];
  wire.send(
    `${[...head, `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`].join('\r\n')}\r\n\r\n${body.slice(0, -10)}`,
  );
  const send = (bytes: number): supertest.Test =>
    supertest(url)
      .post('/public/get-quiz-details')
      .set({ 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' })
      .send(bodyOf(bytes));
  await eventually(async () => expect((await send(halfMib)).status).toBe(503));
  return { wire, send, rest: body.slice(-10) };
}

describe('bodies that are being received, all clients together', () => {
  it('are limited: a large one for which there is no room is refused for the moment', async () => {
    const { send } = await occupied();
    const { status, type, headers, body } = await send(halfMib);
    expect({ status, type }).toEqual({ status: 503, type: 'application/problem+json' });
    expect(headers).toMatchObject({
      'retry-after': '1',
      'sandbox-limit': 'bodiesInFlightBytes; max=1048576',
      connection: 'close',
    });
    expect(body).toHaveProperty(
      'detail',
      expect.stringContaining('This is a limit of this server, not of the platform'),
    );
  });

  it('leave small ones alone', async () => {
    const { send } = await occupied();
    expect((await send(60_000)).status).toBe(200);
  });

  it('make room when they have come whole', async () => {
    const { wire, send, rest } = await occupied();
    wire.send(rest);
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    expect((await send(halfMib)).status).toBe(200);
  });

  it('make room when their client goes away', async () => {
    const { wire, send } = await occupied();
    wire.hangUp();
    await eventually(async () => expect((await send(halfMib)).status).toBe(200));
  });
});
