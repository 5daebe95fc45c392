import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';

async function addressBehind(trustProxy: number, sent: string | null): Promise<string | undefined> {
  const { url, close, ...sandbox } = await startSandbox({ port: 0, trustProxy });
  onTestFinished(close);
  await supertest(url)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.default.apiKey('riverside'))
    .set(sent === null ? {} : { 'X-Forwarded-For': sent })
    .send({ data: [{ data: { quizId: quiz.id } }] })
    .expect(200);
  return (await sandbox.default.journal.list()).at(-1)?.address;
}

const own = expect.stringMatching(/^(?:::ffff:)?127\.0\.0\.1$/) as string;

describe('the client behind proxies', () => {
  it.each([
    { proxies: 0, sent: '203.0.113.7', seen: own },
    { proxies: 1, sent: null, seen: own },
    { proxies: 1, sent: 'unknown', seen: own },
    { proxies: 1, sent: '203.0.113.7', seen: '203.0.113.7' },
    { proxies: 1, sent: '198.51.100.1, 203.0.113.7', seen: '203.0.113.7' },
    { proxies: 2, sent: '192.0.2.1, 198.51.100.1, 203.0.113.7', seen: '198.51.100.1' },
    { proxies: 2, sent: '203.0.113.7', seen: own },
    { proxies: 1, sent: '2001:db8::1', seen: '2001:db8::1' },
  ])('is $seen with --trust-proxy $proxies and X-Forwarded-For: $sent', async ({ proxies, sent, seen }) => {
    expect(await addressBehind(proxies, sent)).toEqual(seen);
  });
});
