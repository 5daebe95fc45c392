import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { quiz } from '../support/demo.ts';
import { sharedServer } from '../support/world.ts';

const body = JSON.stringify({ data: [{ data: { quizId: quiz.id } }] });

/**
 * Sends text over one connection. Returns everything received until the server closes it, or until `until`
 * replies have arrived.
 */
async function exchange(text: string, until: 'closed' | number): Promise<string> {
  const { url, createSandbox } = await sharedServer();
  const sandbox = await createSandbox();
  return new Promise((done, fail) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(text.replaceAll('<key>', sandbox.apiKey('riverside'))),
    );
    socket.setEncoding('utf8');
    socket.on('error', fail);
    socket.on('end', () => done(received));
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.split('HTTP/1.1 ').length - 1 === until && received.endsWith(']')) done(received);
    });
  });
}

function request(version: string, headers = ''): string {
  return `POST /public/get-quiz-details HTTP/${version}\r\nHost: a\r\nSERVICE-API-KEY: <key>\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}

describe('a connection', () => {
  it('is kept for the next call, and says so', async () => {
    expect(await exchange(request('1.1'), 1)).toContain('Connection: keep-alive\r\n');
  });

  it('carries the replies to calls that were sent without waiting, in their order', async () => {
    const received = await exchange(request('1.1') + request('1.1') + request('1.1'), 3);
    const ids = [...received.matchAll(/Sandbox-Request-Id: \S+-(\d+)/g)].map(([, number]) => number);
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('is closed after the reply where the client asks for it', async () => {
    const received = await exchange(request('1.1', 'Connection: close\r\n'), 'closed');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/Connection: close\r\n/i);
  });

  it('is closed after the reply to an HTTP/1.0 client', async () => {
    expect(await exchange(request('1.0'), 'closed')).toContain('"status":"ok"');
  });

  it('takes a body that comes in pieces', async () => {
    const pieces = body
      .split('')
      .map((character) => `1\r\n${character}\r\n`)
      .join('');
    const chunked = request('1.1')
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
      .replace(body, `${pieces}0\r\n\r\n`);
    const received = await exchange(chunked, 1);
    expect(received).toContain('"status":"ok"');
  });

  it('names the length of the body in bytes, whatever its characters', async () => {
    const received = await exchange(request('1.1').replace('get-quiz-details', 'get-all-instructors'), 1);
    const [head = '', reply = ''] = received.split('\r\n\r\n');
    expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(reply));
    expect(Buffer.byteLength(reply)).toBeGreaterThan(reply.length);
  });
});
