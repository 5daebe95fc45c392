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
  const { url, default: sandbox } = await serve({ limits: 'off', max: { bodiesInFlightBytes: 2 * halfMib } });
  const body = bodyOf(1.6 * halfMib);
  const head = [
    'POST /public/get-quiz-details HTTP/1.1',
    'Host: 127.0.0.1',
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
  ];
  const occupy = async (): Promise<Wire> => {
    const opened = await openWire(sandbox);
    opened.send(
      `${[...head, `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`].join('\r\n')}\r\n\r\n${body.slice(0, -10)}`,
    );
    return opened;
  };
  let wire = await occupy();
  const send = (bytes: number): supertest.Test =>
    supertest(url)
      .post('/public/get-quiz-details')
      .set({ 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' })
      .send(bodyOf(bytes));
  await eventually(async () => {
    // The other body may have come first, and left no room.
    if (wire.heard() !== '') wire = await occupy();
    expect((await send(halfMib)).status).toBe(503);
  });
  return { url, sandbox, wire, send, rest: body.slice(-10) };
}

describe('bodies that are being received, all clients together', () => {
  it(
    'are limited: a large one for which there is no room is refused for the moment',
    { tags: ['slow'] },
    async () => {
      const { send } = await occupied();
      const { status, type, headers, body } = await send(halfMib);
      expect({ status, type }).toEqual({ status: 503, type: 'application/problem+json' });
      expect(headers).toMatchObject({
        'retry-after': '1',
        'sandbox-limit': 'bodiesInFlightBytes; max=1048576',
        connection: 'close',
      });
      expect(body).toMatchObject({
        type: 'urn:learning-platform-sandbox:server-busy',
        detail: expect.stringContaining('This is a limit of this server, not of the platform'),
      });
    },
  );

  it(
    'are limited, and the journal of the sandbox that the key names has each refusal',
    { tags: ['slow'] },
    async () => {
      const { url, sandbox, send } = await occupied();
      const { headers } = await send(halfMib);
      const requestId = String(headers['sandbox-request-id']);
      const [last] = (await sandbox.journal.list()).slice(-1);
      expect(last).toMatchObject({ requestId, outcome: 'server-busy', status: 503, request: '' });
      const other = await supertest(url)
        .post('/public/get-quiz-details')
        .set({ 'SERVICE-API-KEY': 'sbx_other_riverside', 'Content-Type': 'application/json' })
        .send(bodyOf(halfMib));
      expect(other.headers['sandbox-request-id']).toMatch(/^other-/);
      expect(other.status).toBe(503);
    },
  );

  it(
    'are limited in the control plane too, and the refusal names the limit in a header',
    { tags: ['slow'] },
    async () => {
      const { url, default: sandbox } = await serve({
        limits: 'off',
        max: { bodiesInFlightBytes: 2 * halfMib },
      });
      const { status, headers, body } = await supertest(url)
        .put(`/control/sandboxes/${sandbox.id}/state`)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify({ collections: { schools: [{ name: 'x'.repeat(3 * halfMib) }] } }));
      expect(status).toBe(503);
      expect(headers).toMatchObject({
        'retry-after': '1',
        'sandbox-limit': 'bodiesInFlightBytes; max=1048576',
      });
      expect(body).toHaveProperty('detail', expect.not.stringContaining(' 0 bytes'));
    },
  );

  it('leave small ones alone', { tags: ['slow'] }, async () => {
    const { send } = await occupied();
    expect((await send(60_000)).status).toBe(200);
  });

  it('make room when they have come whole', { tags: ['slow'] }, async () => {
    const { wire, send, rest } = await occupied();
    wire.send(rest);
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    expect((await send(halfMib)).status).toBe(200);
  });

  it('make room when their client goes away', { tags: ['slow'] }, async () => {
    const { wire, send } = await occupied();
    wire.hangUp();
    await eventually(async () => expect((await send(halfMib)).status).toBe(200));
  });
});

/** The beginning of a call with most of its body, which never ends. */
function beginning(key: string, bytes: number): string {
  const body = bodyOf(bytes);
  const head = ['POST /public/get-quiz-details HTTP/1.1', 'Host: 127.0.0.1', `SERVICE-API-KEY: ${key}`];
  const about = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${[...head, ...about].join('\r\n')}\r\n\r\n${body.slice(0, -10)}`;
}

describe('small bodies that do not arrive at once', () => {
  it('count with their headers, also before they begin', async () => {
    const { default: sandbox } = await serve({ limits: 'off', max: { bodiesInFlightBytes: 2 * halfMib } });
    const many = Array.from({ length: 150 }, (_, index) => `X-${index}: ${'x'.repeat(80)}`).join('\r\n');
    const head = beginning(sandbox.apiKey('riverside'), 60_000).split('\r\n\r\n')[0] ?? '';
    const wires: Wire[] = [];
    for (let count = 0; count < 6; count += 1) {
      const wire = await openWire(sandbox);
      wire.send(`${head}\r\n${many}\r\n\r\n`);
      wires.push(wire);
    }
    expect(await wires[0]?.ended).not.toBe('by the client');
    wires[5]?.send(bodyOf(60_000));
    await wires[5]?.hear((heard) => repliesIn(heard).whole.length === 1);
  });

  it('are limited together: the client that has not finished for longest is disconnected, and no other', async () => {
    const { url, default: sandbox } = await serve({
      limits: 'off',
      max: { bodiesInFlightBytes: 2 * halfMib },
    });
    const key = sandbox.apiKey('riverside');
    const wires: Wire[] = [];
    for (let count = 0; count < 4; count += 1) {
      const wire = await openWire(sandbox);
      wire.send(beginning(key, 60_000));
      wires.push(wire);
    }
    const [first, ...others] = wires;
    expect(await first?.ended).not.toBe('by the client');
    for (const wire of others) {
      wire.send(bodyOf(60_000).slice(-10));
      await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    }
    await supertest(url)
      .post('/public/get-quiz-details')
      .set({ 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' })
      .send(bodyOf(60_000))
      .expect(200);
  });
});
