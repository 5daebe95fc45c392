import { describe, expect, it } from 'vitest';
import { aQuiz, callText, newTerms, openPlace, repliesIn, settled } from '../support/wire.ts';

/** Requests after which the connection stays open, and the statuses of their responses. */
const kept: readonly (readonly [string, number, (call: string) => string])[] = [
  ['another path', 404, (call) => call.replace('get-quiz-details', 'none')],
  ['another method', 405, () => 'GET /public/get-quiz-details HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['another method with a body', 405, (call) => call.replace('POST', 'PUT')],
  ['no key', 401, (call) => call.replace('SERVICE-API-KEY', 'X-KEY')],
  ['another type', 415, (call) => call.replace('application/json', 'text/plain')],
  ['too large a body', 413, (call) => withBody(call, 'x'.repeat(1_048_577))],
  ['an expectation', 100, (call) => withHeader(call, 'Expect: 100-continue')],
  ['the control plane', 404, () => 'GET /control/none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['a page', 200, () => 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
];

function withHeader(call: string, header: string): string {
  return call.replace('\r\n', `\r\n${header}\r\n`);
}

function withBody(call: string, body: string): string {
  const [head = ''] = call.split('\r\n\r\n');
  return `${head.replace(/Content-Length: \d+/, `Content-Length: ${body.length}`)}\r\n\r\n${body}`;
}

function statuses(heard: string): readonly string[] {
  return heard.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
}

describe('calls that are sent behind a request without waiting', () => {
  it.each(kept)('are all answered if its response keeps the connection: %s', async (_, status, requestOf) => {
    const { sandbox, wire, terms } = await openPlace();
    const calls = ['first', 'second', 'third'].map((text) => callText(sandbox, newTerms(text)));
    wire.send(requestOf(callText(sandbox, aQuiz)) + calls.join(''));
    const expected = [status, ...(status === 100 ? [200] : []), 200, 200, 200].map(String);
    const heard = await wire.hear((text) => statuses(text).length >= expected.length && text.endsWith(']'));
    expect(statuses(heard)).toEqual(expected);
    expect(await terms()).toBe('third');
  });

  it.each<readonly [string, number, (call: string) => string]>([
    ['two hosts', 400, () => 'GET /control HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a call without a host', 400, (call) => call.replace(/Host: .*\r\n/, '')],
    ['another expectation', 417, (call) => withHeader(call, 'Expect: tea')],
    ['"Connection: close"', 200, (call) => withHeader(call, 'Connection: close')],
  ])('do not begin if its response ends the connection: %s', async (_, status, requestOf) => {
    const { sandbox, wire, terms } = await openPlace();
    const before = await terms();
    const behind = `${callText(sandbox, newTerms('behind')).repeat(3)}patch /public/none HTTP/1.1\r\n\r\n`;
    wire.send(requestOf(callText(sandbox, aQuiz)) + behind);
    expect(await wire.ended).toBe('in order');
    expect(repliesIn(wire.heard()).whole.map((reply) => reply.status)).toEqual([status]);
    await settled(sandbox);
    expect(await terms()).toBe(before);
    const entries = await sandbox.journal.list();
    expect(entries.map(({ operation }) => operation)).not.toContain('update-digital-product-coupon');
  });
});

describe('a call with another expectation than 100-continue', () => {
  it('is refused behind the calls before it, and journaled behind them', async () => {
    const { sandbox, wire } = await openPlace();
    const call = callText(sandbox, newTerms('before'));
    wire.send(call + withHeader(callText(sandbox, aQuiz), 'Expect: tea'));
    expect(await wire.ended).toBe('in order');
    expect(repliesIn(wire.heard()).whole.map(({ status }) => status)).toEqual([200, 417]);
    expect(await sandbox.journal.list()).toMatchObject([
      { operation: 'update-digital-product-coupon', outcome: 'ok' },
      { operation: 'get-quiz-details', outcome: 'unmatched', status: 417 },
    ]);
  });
});
