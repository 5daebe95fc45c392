import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { world, type World } from '../support/world.ts';

/** Longer than a client has for a request, and the time after which the server looks at that. In seconds. */
const delay = 37;

/** A sandbox in which calls of `get-quiz-details` take longer than a client has for a request. */
async function slowWorld(): Promise<World> {
  const own = await world();
  await own.sandbox.faults.add({
    fault: 'delay',
    operation: 'get-quiz-details',
    with: { ms: delay * 1000 },
  });
  return own;
}

const body = JSON.stringify({ data: [{ data: {} }] });

function request({ sandbox }: World, operation: string, headers: readonly string[]): string {
  return [
    `POST /public/${operation} HTTP/1.1`,
    'Host: localhost',
    `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}

/** A connection, and the statuses of what it received. */
function connected(url: string): { readonly socket: Socket; statuses(): readonly string[] } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => {}).on('data', (chunk: string) => (text += chunk));
  return { socket, statuses: () => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status = '']) => status) };
}

const patient = { timeout: (delay + 20) * 1000, interval: 100 };

describe('a request behind a call that takes longer than a client has for a request', () => {
  it('gets its response if its client waits for 100 Continue before it sends the body', async () => {
    const own = await slowWorld();
    const { socket, statuses } = connected(own.url);
    socket.write(request(own, 'get-quiz-details', []) + body);
    socket.write(request(own, 'get-all-instructors', ['Expect: 100-continue']));
    await expect.poll(statuses, patient).toEqual(['200', '100']);
    socket.write(body);
    await expect.poll(statuses).toEqual(['200', '100', '200']);
  }, 90_000);

  it('gets its response if the server does not read on, because many calls wait', async () => {
    const own = await slowWorld();
    await own.sandbox.limits.set({ scale: null });
    const { socket, statuses } = connected(own.url);
    socket.write(request(own, 'get-quiz-details', []) + body);
    // More than a piece that the server reads at once: it ends within a request.
    socket.write((request(own, 'get-all-instructors', []) + body).repeat(3000));
    await expect.poll(() => statuses().length, patient).toBe(3001);
    expect(new Set(statuses())).toEqual(new Set(['200']));
  }, 90_000);
});
