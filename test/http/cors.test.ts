import { describe, expect, it } from 'vitest';
import { defaultReplyOf } from '../../src/faults/default-reply.ts';
import { faultNames, type FaultName } from '../../src/faults/index.ts';
import { quiz } from '../support/demo.ts';
import { serve } from '../support/serve.ts';

/** Those that send headers. */
const withHeaders = faultNames.filter((name) => defaultReplyOf(name).status > 0);

/** Whether the body breaks off, or takes long. */
function isBodyHeldUp(name: FaultName): boolean {
  const { delivery } = defaultReplyOf(name);
  return delivery?.kind === 'body' && (delivery.cutOff ?? delivery.drip) !== undefined;
}

/** A server to which pages of other origins may make calls, and the ways to call it. */
async function opened() {
  const server = await serve({
    assume: { cors: 'any-origin', maxPayload: '10mb' },
    max: { batchElements: 3, bodiesInFlightBytes: 1_048_576, waitingCallsBytes: 100_000 },
    maxSandboxes: 1,
  });
  const key = server.default.apiKey('riverside');
  const send = (
    body: string,
    headers: Readonly<Record<string, string>> = {},
    { operation = 'get-quiz-details', method = 'POST' } = {},
  ): Promise<Response> =>
    fetch(`${server.url}/public/${operation}`, {
      method,
      headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json', ...headers },
      ...(method === 'POST' ? { body } : {}),
    });
  return { ...server, send };
}

const valid = JSON.stringify({ data: [{ data: { quizId: quiz.id } }] });

function ofSize(chars: number): string {
  return JSON.stringify({ data: [{ data: { quizId: 'x'.repeat(chars) } }] });
}

function expectReadable({ headers }: Response): void {
  expect([headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]).toEqual([
    '*',
    '*',
  ]);
}

describe('a page of another origin, if it may make calls, can read', () => {
  it.each(withHeaders)('the reply that a fault makes: %s', async (fault) => {
    const { send } = await opened();
    const more = fault === 'delay' ? '; ms=1' : '';
    for (const phase of ['before', 'after']) {
      const reply = await send(valid, { 'Sandbox-Fault': `${fault}${more}; phase=${phase}` });
      expect(reply.status).not.toBe(204);
      expectReadable(reply);
      if (!isBodyHeldUp(fault)) await reply.text();
    }
  });

  it.each<
    readonly [
      status: number,
      what: string,
      send: (to: Awaited<ReturnType<typeof opened>>) => Promise<Response>,
    ]
  >([
    [404, 'an unknown path', ({ send }) => send(valid, {}, { operation: 'get-quizzes' })],
    [405, 'a wrong method', ({ send }) => send('', {}, { method: 'GET' })],
    [405, 'OPTIONS that asks for no method', ({ send }) => send('', {}, { method: 'OPTIONS' })],
    [401, 'a wrong key', ({ send }) => send(valid, { 'SERVICE-API-KEY': 'none' })],
    [400, 'an invalid body', ({ send }) => send('{')],
    [415, 'another content type', ({ send }) => send(valid, { 'Content-Type': 'text/plain' })],
    [413, 'too large a body', ({ send }) => send(ofSize(10_500_000))],
    [
      413,
      'too many elements',
      ({ send }) => send(JSON.stringify({ data: [{}, {}, {}, {}].map((data) => ({ data })) })),
    ],
    [400, 'an unknown fault', ({ send }) => send(valid, { 'Sandbox-Fault': 'explode' })],
    [503, 'too large a call to wait', ({ send }) => send(ofSize(60_000), { 'Sandbox-Fault': 'delay; ms=1' })],
    [503, 'a body without room', ({ send }) => send(ofSize(3_000_000))],
    [
      503,
      'a sandbox without room',
      ({ send }) => send(valid, { 'SERVICE-API-KEY': 'sbx_another_riverside' }),
    ],
  ])('the refusal with %i of %s', { tags: ['slow'] }, async (status, _, send) => {
    const reply = await send(await opened());
    expect(reply.status).toBe(status);
    expectReadable(reply);
  });

  it('the refusal with 429 over the rate limit', { tags: ['slow'] }, async () => {
    const { send } = await opened();
    const list = JSON.stringify({ data: [{ data: {} }] });
    let reply = await send(list, {}, { operation: 'get-all-instructors' });
    while (reply.status === 200) reply = await send(list, {}, { operation: 'get-all-instructors' });
    expect(reply.status).toBe(429);
    expectReadable(reply);
  });
});
