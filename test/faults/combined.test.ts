import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

/** Everything that comes back until the server hangs up. */
function heard({ url, sandbox }: World, faults: string): Promise<string> {
  const body = JSON.stringify({ data: [{ data: { quizId: quiz.id } }] });
  const head = [
    'POST /public/get-quiz-details HTTP/1.1',
    'Host: sandbox.example',
    `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    `Sandbox-Fault: ${faults}`,
  ];
  return new Promise((done) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`),
    );
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.on('error', () => {}).on('close', () => done(text));
  });
}

describe('several faults in one header', () => {
  it.each([
    'truncated-body; bytes=5, slow-body; bytes=2; ms=1',
    'slow-body; bytes=2; ms=1, truncated-body; bytes=5',
  ])('are both seen: %s drips, and stops short', async (faults) => {
    const text = await heard(await world(), faults);
    const [head = '', body] = text.split('\r\n\r\n');
    expect(body).toBe('[{"ou');
    expect(Number(/^Content-Length: (\d+)$/im.exec(head)?.[1])).toBeGreaterThan(100);
    expect(head).toContain(
      `Sandbox-Fault: ${faults.startsWith('slow') ? 'slow-body, truncated-body' : 'truncated-body, slow-body'}`,
    );
  });

  it('leave a part of the body missing if one cuts it off and the next replaces it by a longer one', async () => {
    const text = await heard(await world(), 'truncated-body; bytes=1, html-error-page');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(body).toContain('502 Bad Gateway');
    expect(Number(/^Content-Length: (\d+)$/im.exec(head)?.[1])).toBeGreaterThan(body.length);
  });

  it('add their delays up', async () => {
    const own = await world();
    const reply = heard(own, 'delay; ms=60000, delay; ms=60000; phase=after, http-error; status=503');
    // A request to anything at all lets the server go on.
    while ((await own.sandbox.journal.list()).length === 0) {
      await own.sandbox.clock.advance({ seconds: 60 });
      await fetch(`${own.url}/healthz`);
    }
    await own.sandbox.clock.advance({ seconds: 60 });
    expect(await reply).toMatch(/^HTTP\/1\.1 503 /);
  });
});
