import { connect, type Socket } from 'node:net';
import { setTimeout as time } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
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
function connected(
  url: string,
  { onTestFinished }: TestContext,
  allowHalfOpen = false,
): { readonly socket: Socket; statuses(): readonly string[] } {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen }).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => {}).on('data', (chunk: string) => (text += chunk));
  return { socket, statuses: () => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status = '']) => status) };
}

/** A request behind one that is held for longer than a client has for a request. */
interface Pipelined {
  readonly first: string;
  readonly second: string;
  /** Whether the second request has taken effect. */
  hasEffect(): Promise<boolean>;
  /** The statuses in the journal. */
  journaled(): Promise<readonly number[]>;
}

function post(path: string, content: object, headers: readonly string[] = []): string {
  const json = JSON.stringify(content);
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...headers];
  return [...head, `Content-Length: ${json.length}`, '', json].join('\r\n');
}

async function statusesIn(sandbox: World['sandbox']): Promise<readonly number[]> {
  return (await sandbox.journal.list()).map(({ status }) => status);
}

async function call(): Promise<Pipelined & { readonly url: string }> {
  const own = await slowWorld();
  const email = 'late@school.example';
  const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
  const { id } = own.sandbox;
  return {
    url: own.url,
    first: request(own, 'get-quiz-details', []) + body,
    second: post('/public/create-instructor-account', { data: [{ data: { instructorEmail: email } }] }, [
      key,
    ]),
    journaled: () => statusesIn(own.sandbox),
    hasEffect: async () => {
      const found = await fetch(`${own.url}/control/sandboxes/${id}/state/instructors?text=${email}`);
      return JSON.stringify(await found.json()).includes(email);
    },
  };
}

async function controlRequest(): Promise<Pipelined & { readonly url: string }> {
  const { url, sandbox } = await world();
  const waiting = { sequence: [{ operation: 'get-quiz-details' }], waitMs: delay * 1000 };
  const late = `late-${sandbox.id}`;
  return {
    url,
    first: post(`/control/sandboxes/${sandbox.id}/journal/verify`, waiting),
    second: post('/control/sandboxes', { id: late }),
    journaled: () => statusesIn(sandbox),
    hasEffect: async () => (await fetch(`${url}/control/sandboxes/${late}`)).ok,
  };
}

const requests = [
  { what: 'a call', begin: call, entries: [200, 408] },
  { what: 'a request to the control plane', begin: controlRequest, entries: [] },
];

/** Node has said then that a request is late, and the response before it has not been sent. In milliseconds. */
const soonAnswered = (delay - 1) * 1000;

const patient = { timeout: (delay + 20) * 1000, interval: 100 };

describe.concurrent('a request behind a call that takes longer than a client has for a request', () => {
  it('gets its response if its client waits for 100 Continue before it sends the body', async (test) => {
    const { expect } = test;
    const own = await slowWorld();
    const { socket, statuses } = connected(own.url, test);
    socket.write(request(own, 'get-quiz-details', []) + body);
    socket.write(request(own, 'get-all-instructors', ['Expect: 100-continue']));
    await expect.poll(statuses, patient).toEqual(['200', '100']);
    socket.write(body);
    await expect.poll(statuses).toEqual(['200', '100', '200']);
  }, 90_000);

  it('gets its response if the server does not read on, because many calls wait', async (test) => {
    const { expect } = test;
    const own = await slowWorld();
    await own.sandbox.limits.set({ scale: null });
    const { socket, statuses } = connected(own.url, test);
    socket.write(request(own, 'get-quiz-details', []) + body);
    // More than a piece that the server reads at once: it ends within a request.
    socket.write((request(own, 'get-all-instructors', []) + body).repeat(3000));
    await expect.poll(() => statuses().length, patient).toBe(3001);
    expect(new Set(statuses())).toEqual(new Set(['200']));
  }, 90_000);

  it.for(requests)(
    'takes effect if its end arrives before its turn: $what',
    { timeout: 90_000 },
    async ({ begin }, test) => {
      const { expect } = test;
      const { url, first, second, hasEffect } = await begin();
      const { socket, statuses } = connected(url, test);
      socket.write(first + second.slice(0, -20));
      await time(soonAnswered);
      expect(statuses()).toEqual([]);
      socket.write(second.slice(-20));
      await expect.poll(statuses, patient).toEqual(['200', expect.stringMatching(/^20[01]$/)]);
      expect(await hasEffect()).toBe(true);
    },
  );

  it.for(requests)(
    'is refused in its turn if its end has not arrived, and has no effect: $what',
    { timeout: 90_000 },
    async ({ begin, entries }, test) => {
      const { expect } = test;
      const { url, first, second, hasEffect, journaled } = await begin();
      // A client can send more after the server has ended its side.
      const { socket, statuses } = connected(url, test, true);
      socket.write(first + second.slice(0, -20));
      await expect.poll(statuses, patient).toEqual(['200', '408']);
      socket.end(second.slice(-20));
      await expect.poll(() => socket.destroyed, patient).toBe(true);
      expect(await hasEffect()).toBe(false);
      expect(await journaled()).toEqual(entries);
    },
  );
});

describe.concurrent('a request that has its response before its body', () => {
  it.for([
    ['GET', 405],
    ['POST', 404],
  ] as const)(
    'gets no other one, and has one entry in the journal, if its body never comes: %s',
    { timeout: 90_000 },
    async ([method, status], test) => {
      const { expect } = test;
      const own = await world();
      const { socket, statuses } = connected(own.url, test);
      const operation = status === 404 ? 'get-nothing' : 'get-quiz-details';
      socket.write(request(own, operation, []).replace('POST', method));
      await expect.poll(() => socket.destroyed, patient).toBe(true);
      expect(statuses()).toEqual([String(status)]);
      expect(await statusesIn(own.sandbox)).toEqual([status]);
    },
  );
});

describe.concurrent('a request after others of its connection', () => {
  it('is refused if its headers come late and its body never', { timeout: 150_000 }, async (test) => {
    const { expect } = test;
    const own = await world();
    const { socket, statuses } = connected(own.url, test);
    const call = request(own, 'get-quiz-details', []);
    socket.write((call + body).repeat(5) + call.slice(0, 40));
    await expect.poll(statuses).toHaveLength(5);
    // Node has said then that the headers are late.
    await time(17_000);
    socket.write(call.slice(40));
    const inTime = { timeout: 90_000, interval: 100 };
    await expect.poll(() => statuses().slice(5), inTime).toEqual(['408']);
  });

  it('gets its response after a large one, however long it takes', { timeout: 90_000 }, async (test) => {
    const { expect } = test;
    const own = await slowWorld();
    const { socket, statuses } = connected(own.url, test);
    socket.write(`GET /control/sandboxes/${own.sandbox.id}/state HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.write(request(own, 'get-quiz-details', []) + body);
    await expect.poll(() => statuses().length, patient).toBe(2);
    expect(statuses()).toEqual(['200', '200']);
  });
});
