import { connect, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DirectRequest } from '../../src/http/server/direct-request.ts';
import { DirectResponse } from '../../src/http/server/direct-response.ts';
import { PipelinedCalls } from '../../src/http/server/pipelined-calls.ts';
import { ReadingTurns } from '../../src/http/server/reading-turns.ts';
import { InFlight } from '../../src/sandbox/in-flight.ts';
import { Slices } from '../../src/sandbox/slices.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/serve.ts';
import { resultOf, world, type World } from '../support/world.ts';

const count = 1000;

/** Sends many calls on one connection without waiting for replies. */
function pipeline({ url, sandbox }: World, operation: string, parametersOf: (index: number) => object) {
  const calls = Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify({ data: [{ data: parametersOf(index) }] });
    return `POST /public/${operation} HTTP/1.1\r\nHost: a\r\nSERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let isOpen = true;
  const replies = (): readonly string[] => text.split('HTTP/1.1 ').slice(1);
  socket.on('error', () => {});
  socket.on('close', () => (isOpen = false));
  const begun = new Promise<void>((done) => {
    socket.on('data', (chunk: string) => {
      text += chunk;
      done();
    });
  });
  socket.write(calls.join(''));
  return { begun, replies, isOpen: () => isOpen, leave: () => socket.destroy() };
}

async function unlimited(): Promise<World> {
  const own = await world();
  await own.sandbox.limits.set({ scale: null });
  return own;
}

/** Takes longer than all pipelined calls have in one turn of the event loop. */
function workForLong(): void {
  const end = performance.now() + 20;
  while (performance.now() < end);
}

describe('pipelined calls', () => {
  it(
    'are processed in several turns of the event loop, one of each connection after the other',
    { tags: ['slow'] },
    async () => {
      const memory = new InFlight(100_000);
      const calls = new PipelinedCalls(memory, new Slices(), new ReadingTurns());
      const done: string[] = [];
      for (const connection of ['a', 'b']) {
        const socket = new Socket();
        let previous: DirectResponse | null = null;
        for (const call of [1, 2, 3]) {
          const request = new DirectRequest(socket);
          request.previous = previous;
          previous = new DirectResponse(request);
          previous.finished = true;
          calls.take(request, 0, () => {
            workForLong();
            done.push(`${connection}${call}`);
          });
        }
      }
      // The first call of each connection never waits.
      const turns = [done.splice(0)];
      while (turns.length < 5) {
        await new Promise((next) => setImmediate(next));
        turns.push(done.splice(0));
      }
      expect(turns).toEqual([['a1', 'a2', 'b1'], ['a3'], ['b2'], ['b3'], []]);
      expect(memory.used).toBe(0);
    },
  );
});

describe('a client that sends 2,000 calls on one connection without waiting', () => {
  it('gets a reply to each, and they have their effects in order', { tags: ['slow'] }, async () => {
    const own = await unlimited();
    const before = await own.sandbox.state.list('instructors');
    const emails = Array.from({ length: count }, (_, index) => `person.${index}@school.example`);
    const pipelined = pipeline(own, 'create-instructor-account', (index) => ({
      instructorName: 'Ada Park',
      instructorEmail: emails[index],
    }));
    await expect.poll(() => pipelined.replies().length, { timeout: 10_000 }).toBe(count);
    const after = await own.sandbox.state.list('instructors');
    expect(after.slice(before.length).map(({ email }) => email)).toEqual(emails);
  });

  it('can use the connection afterwards', { tags: ['slow'] }, async () => {
    const own = await unlimited();
    const pipelined = pipeline(own, 'no-such-operation', () => ({}));
    await expect.poll(() => pipelined.replies().length, { timeout: 10_000 }).toBe(count);
    expect(pipelined.isOpen()).toBe(true);
    expect(pipelined.replies().every((reply) => reply.startsWith('404'))).toBe(true);
  });

  it('harms nobody if it leaves before its replies', async () => {
    const own = await unlimited();
    const pipelined = pipeline(own, 'get-all-instructors', () => ({}));
    await pipelined.begun;
    pipelined.leave();
    expect(resultOf(await own.call('get-all-instructors'))).toHaveProperty('instructors');
  });

  it(
    'has its calls processed one after the other, behind one that a fault holds back',
    { tags: ['slow'] },
    async () => {
      const own = await unlimited();
      await own.sandbox.faults.add({
        operation: 'get-all-instructors',
        fault: 'delay',
        with: { ms: 600_000 },
        when: { first: 1 },
      });
      const pipelined = pipeline(own, 'get-all-instructors', () => ({}));
      await eventually(async () => {
        expect(await own.sandbox.faults.list()).toMatchObject([{ fired: 1 }]);
      });
      await own.call('get-quiz-details', { quizId: '?' });
      expect(await own.sandbox.journal.list()).toMatchObject([{ operation: 'get-quiz-details' }]);
      await own.sandbox.clock.advance({ seconds: 600 });
      await expect.poll(() => pipelined.replies().length, { timeout: 10_000 }).toBe(count);
    },
  );
});

describe('a call behind one that a fault holds back', () => {
  it.each(['timeout; seconds=3600', 'slow-body; bytes=1; ms=60000'])(
    'does not run after its client has left: %s',
    async (fault) => {
      const { url, sandbox } = await unlimited();
      const requests = ['get-all-instructors', 'create-instructor-account'].map((operation) => {
        const body = JSON.stringify({ data: [{ data: { instructorEmail: 'left@school.example' } }] });
        return `POST /public/${operation} HTTP/1.1\r\nHost: a\r\nSERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\nSandbox-Fault: ${fault}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      });
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.write(requests.join(''));
      await eventually(async () => expect(await sandbox.journal.list()).toHaveLength(1));
      socket.destroy();
      await eventually(async () =>
        expect(await sandbox.journal.list()).toMatchObject([
          { operation: 'get-all-instructors', clientLeft: true },
          { operation: 'create-instructor-account', outcome: 'client-gone' },
        ]),
      );
      const instructors = await sandbox.state.list('instructors');
      expect(instructors.map(({ email }) => email)).not.toContain('left@school.example');
    },
  );
});

describe('calls that a fault holds back', () => {
  it.each(['timeout; seconds=3600', 'slow-body; bytes=1; ms=60000'])(
    'count as waiting until they are delivered: %s',
    { tags: ['slow'] },
    async (fault) => {
      const { url, default: sandbox } = await serve({ max: { waitingCallsBytes: 400_000 } });
      const body = JSON.stringify({ data: [{ data: { note: 'x'.repeat(60_000) } }] });
      const controllers: AbortController[] = [];
      const statuses: number[] = [];
      const call = async (): Promise<void> => {
        const controller = new AbortController();
        controllers.push(controller);
        const headers = {
          'SERVICE-API-KEY': sandbox.apiKey('riverside'),
          'Content-Type': 'application/json',
          'Sandbox-Fault': fault,
        };
        const { signal } = controller;
        const reply = await fetch(`${url}/public/get-all-instructors`, {
          method: 'POST',
          headers,
          body,
          signal,
        });
        statuses.push(reply.status);
      };
      const calls = Array.from({ length: 8 }, call);
      await expect.poll(() => statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
      for (const controller of controllers) controller.abort();
      await Promise.allSettled(calls);
      const headers = { 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
      await eventually(async () => {
        const { status } = await send(
          `${url}/public/get-all-instructors`,
          { ...headers, 'Sandbox-Fault': 'delay; ms=1' },
          { data: [{ data: {} }] },
        );
        expect(status).toBe(200);
      });
    },
  );
});

describe('the journal marks', () => {
  it('calls that began to arrive before the response to the one before was sent', async () => {
    const { url, sandbox } = await world();
    const [head, body] = ['POST /public/get-all-instructors HTTP/1.1', '{"data":[{"data":{}}]}'];
    const headers = `Host: a\r\nSERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\nContent-Type: application/json`;
    const start = `${head}\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const journaled = async (count: number): Promise<readonly (boolean | undefined)[]> =>
      eventually(async () => {
        const entries = await sandbox.journal.list();
        expect(entries).toHaveLength(count);
        return entries.map(({ pipelined }) => pipelined);
      });
    // The third one arrives as a whole only after the response to the second.
    socket.write(start + body + start + body + start);
    expect(await journaled(2)).toEqual([undefined, true]);
    socket.write(body);
    expect(await journaled(3)).toEqual([undefined, true, true]);
    socket.write(start + body);
    expect(await journaled(4)).toEqual([undefined, true, true, undefined]);
  });
});
