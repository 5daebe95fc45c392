import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer, StartOptions } from '../../src/index.ts';
import { DirectRequest } from '../../src/http/server/direct-request.ts';
import { SlowBodies } from '../../src/http/server/slow-bodies.ts';
import { Slices } from '../../src/sandbox/slices.ts';
import { InFlight } from '../../src/sandbox/in-flight.ts';
import { temporaryFolder } from '../support/command.ts';
import { firstStatus } from '../support/first-status.ts';
import { serve } from '../support/serve.ts';
import {
  aQuiz,
  callText,
  newTerms,
  openWire,
  repliesIn,
  settled,
  stopRealTime,
  type Wire,
  type WireCall,
} from '../support/wire.ts';

/** Many turns of the event loop: whatever is to happen without time passing has happened then. */
async function turns(number = 2000): Promise<void> {
  for (let left = number; left > 0; left -= 1) await new Promise((done) => setImmediate(done));
}

/** A server that has loaded its control plane, while no time passes any more. */
async function serverInStoppedTime(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await serve(options);
  await fetch(`${server.control.url}/control/sandboxes`);
  stopRealTime();
  return server;
}

/** Whether the server closes without waiting for its grace period to be over. It is closed in any case. */
async function closesAtOnce(server: SandboxServer): Promise<boolean> {
  const closing = server.close().then(() => true);
  const isClosed = await Promise.race([closing, turns().then(() => false)]);
  await endGracePeriod();
  await closing;
  return isClosed;
}

async function endGracePeriod(): Promise<void> {
  await vi.advanceTimersByTimeAsync(3_000);
}

/** What was sent before has arrived, and all that can be done of it without time passing is done. */
async function arrived(server: SandboxServer): Promise<void> {
  await fetch(`${server.control.url}/control/sandboxes`);
  await settled(server.default);
  await turns(50);
}

/** A request without its last bytes. */
function half(text: string): string {
  return text.slice(0, -5);
}

function controlText(method: string, path: string, content: object): string {
  const body = JSON.stringify(content);
  const head = [
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${method} /control/sandboxes/default${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

const waiting = { counts: [{ operation: 'get-quiz-details', times: 9 }], waitMs: 30_000 };
const verifyText = controlText('POST', '/journal/verify', waiting);
const clockText = controlText('PUT', '/clock', { mode: 'frozen' });

/** A connection to the port of the server's control plane. */
function openControlWire(server: SandboxServer): Promise<Wire> {
  return openWire({ ...server.default, baseUrl: server.control.url ?? '' });
}

describe('a server that stops', () => {
  it('answers the calls of clients that have connected before, although it has not accepted them yet', async () => {
    const server = await serve({ limits: 'off' });
    const text = callText(server.default, aQuiz);
    const statuses = Array.from({ length: 100 }, () => firstStatus(server.url, text));
    await server.close();
    expect(new Set(await Promise.all(statuses))).toEqual(new Set(['200']));
  });

  it.each<readonly [string, (server: SandboxServer) => string]>([
    ['nothing', () => ''],
    ['half of the head of a request', (server) => callText(server.default, aQuiz).slice(0, 60)],
    [
      'half of the head of a second call',
      (server) => callText(server.default, aQuiz) + callText(server.default, aQuiz).slice(0, 60),
    ],
    [
      'half of the body of a call that is refused already',
      () => 'POST /public/none HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('closes at once the connection of a client that has sent %s', async (_, text) => {
    const server = await serverInStoppedTime();
    const wire = await openWire(server.default);
    wire.send(text(server));
    await arrived(server);
    expect(await closesAtOnce(server)).toBe(true);
    expect(await wire.ended).toBe('in order');
  });

  it.each<readonly [string, (server: SandboxServer) => Promise<Wire>, (server: SandboxServer) => string]>([
    ['a call', (server) => openWire(server.default), (server) => callText(server.default, newTerms('half'))],
    ['a request to the control plane', openControlWire, () => clockText],
  ])('answers 503 at once where half of the body of %s has come', async (_, open, text) => {
    const server = await serverInStoppedTime();
    const wire = await open(server);
    wire.send(half(text(server)));
    await arrived(server);
    expect(await closesAtOnce(server)).toBe(true);
    expect(await wire.ended).toBe('in order');
    const [reply] = repliesIn(wire.heard()).whole;
    expect(reply).toMatchObject({
      status: 503,
      headers: { connection: 'close', 'content-type': 'application/problem+json; charset=utf-8' },
    });
    expect(reply?.text).toContain('"title":"Server stopping"');
  });

  it('closes the connections of a control plane with a port of its own in the same way', async () => {
    const server = await serverInStoppedTime({ controlPort: 0 });
    const wires = await Promise.all([
      openControlWire(server),
      openControlWire(server),
      openControlWire(server),
    ]);
    for (const [index, text] of ['', half(clockText), verifyText].entries()) wires[index]?.send(text);
    await arrived(server);
    expect(await closesAtOnce(server)).toBe(true);
    const heard = await Promise.all(
      wires.map(async (wire) => [await wire.ended, wire.heard().split(' ')[1]]),
    );
    expect(heard).toEqual([
      ['in order', undefined],
      ['in order', '503'],
      ['in order', '200'],
    ]);
  });

  it('ignores the rest of a body that comes after that', () => {
    const request = new DirectRequest(new Socket());
    const taken: string[] = [];
    request.takeBody(
      { inFlight: new InFlight(1), slow: new SlowBodies(1e6) },
      ({ text }) => void taken.push(text),
    );
    request.push(Buffer.from('{"data":'));
    request.leave();
    request.push(Buffer.from('[]}'));
    request.push(null);
    expect(taken).toEqual([]);
  });

  it.each(['real', 'frozen'] as const)(
    'answers a verify that waits at once with what has come, by a %s clock',
    async (mode) => {
      const server = await serverInStoppedTime();
      await server.default.clock.set({ mode });
      const wire = await openWire(server.default);
      wire.send(callText(server.default, aQuiz));
      wire.send(verifyText);
      const told = server.default.journal.verify(waiting);
      await arrived(server);
      expect(await closesAtOnce(server)).toBe(true);
      const verdict = { holds: false, counts: [{ holds: false, found: 1 }] };
      expect(await told).toMatchObject(verdict);
      expect(await wire.ended).toBe('in order');
      const [, reply] = repliesIn(wire.heard()).whole;
      expect(reply).toMatchObject({ status: 200, headers: { connection: 'close' } });
      expect(JSON.parse(reply?.text ?? '')).toMatchObject(verdict);
    },
  );

  it('keeps no call waiting whose sandbox was removed meanwhile', async () => {
    const server = await serverInStoppedTime();
    const removed = await server.createSandbox();
    const wire = await openWire(removed);
    wire.send(callText(removed, { ...aQuiz, fault: 'delay; ms=60000' }));
    const hanging = await openWire(removed);
    hanging.send(callText(removed, { ...aQuiz, fault: 'timeout' }));
    await arrived(server);
    await removed.remove();
    expect(await closesAtOnce(server)).toBe(true);
    expect(repliesIn(wire.heard()).whole).toMatchObject([{ status: 200 }]);
    expect(await hanging.ended).toBe('in order');
  });

  it('sends all slow bodies to their ends, and answers the calls that are delayed for longer', async () => {
    const server = await serverInStoppedTime({ limits: 'off' });
    const open = async (fault: string): Promise<Wire> => {
      const wire = await openWire(server.default);
      wire.send(callText(server.default, { operation: 'get-all-instructors', elements: [{}], fault }));
      return wire;
    };
    const faults = [...Array.from({ length: 50 }, () => 'slow-body; bytes=1; ms=10000'), 'delay; ms=600000'];
    const wires = await Promise.all(faults.map(open));
    await arrived(server);
    expect(await closesAtOnce(server)).toBe(true);
    expect(new Set(await Promise.all(wires.map((wire) => wire.ended)))).toEqual(new Set(['in order']));
    const statuses = wires.map((wire) => repliesIn(wire.heard()).whole.map(({ status }) => status));
    expect(statuses).toEqual(faults.map(() => [200]));
  });

  it('sends a large reply to its end where the client reads it, and then closes the connection', async () => {
    const server = await serverInStoppedTime();
    const reply = await fetch(`${server.url}/public/get-all-live-events`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': server.default.apiKey('riverside'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: Array.from({ length: 2500 }, () => ({ data: {} })) }),
    });
    // Far more than connections hold is still to come.
    expect(Number(reply.headers.get('Content-Length'))).toBeGreaterThan(10_000_000);
    const closing = server.close();
    expect(await reply.text()).toMatch(/\]$/);
    await closing;
  });
});

/**
 * Adds many instructors, which takes far more slices than the event loop has turns in the meantime.
 */
function newAccounts(number: number): WireCall {
  const elements = Array.from({ length: number }, (_, index) => ({
    instructorEmail: `${index}@new.example`,
  }));
  return { operation: 'create-instructor-account', elements };
}

const forManyAccounts: StartOptions = {
  limits: 'off',
  assume: { maxPayload: '10mb' },
  max: { batchElements: 100_000, jsonValues: 1_000_000 },
};

/**
 * Waits until a batch has the state of the default sandbox to itself. Resolves with a request that waits for
 * its end.
 */
async function untilBatchRuns({
  default: { clock },
}: SandboxServer): Promise<{ readonly behindIt: Promise<string> }> {
  for (;;) {
    await turns(1);
    const behindIt = clock.now();
    if ((await Promise.race([behindIt, turns(3)])) === undefined) return { behindIt };
  }
}

/** How many instructors of `newAccounts` the data has. */
async function accountsIn(data: string): Promise<number> {
  vi.useRealTimers();
  const server = await serve({ data });
  const instructors = await server.default.state.list('instructors');
  return instructors.filter(({ email }) => email.endsWith('@new.example')).length;
}

describe('a batch that runs when the server stops', () => {
  it.each(['waits', 'has gone'])(
    'is given up whole after the grace period, and with it all that waits for it: its client %s',
    async (client) => {
      const data = temporaryFolder();
      const server = await serverInStoppedTime({ ...forManyAccounts, data });
      const [wire, queued] = await Promise.all([openWire(server.default), openWire(server.default)]);
      wire.send(callText(server.default, newAccounts(1)));
      await wire.hear((heard) => heard.endsWith(']'));
      const heard = wire.heard();
      wire.send(callText(server.default, newAccounts(100_000)));
      const { behindIt } = await untilBatchRuns(server);
      queued.send(
        callText(server.default, {
          operation: 'create-instructor-account',
          elements: [{ instructorEmail: 'queued@new.example' }],
        }),
      );
      await settled(server.default);
      if (client === 'has gone') wire.hangUp();
      const told = expect(behindIt).rejects.toThrow('The server is closed.');
      const closing = server.close();
      await endGracePeriod();
      await closing;
      await told;
      expect([wire.heard(), queued.heard()]).toEqual([heard, '']);
      expect(await accountsIn(data)).toBe(1);
    },
  );

  it('is finished within the grace period, even if its client has gone', async () => {
    const data = temporaryFolder();
    const server = await serverInStoppedTime({ ...forManyAccounts, data });
    const wire = await openWire(server.default);
    wire.send(callText(server.default, newAccounts(8000)));
    const { behindIt } = await untilBatchRuns(server);
    wire.hangUp();
    await server.close();
    expect(await behindIt).toMatch(/^\d{4}-/);
    expect(await accountsIn(data)).toBe(8000);
  });
});

describe('a call behind one that is answered when the server stops', () => {
  it('has no effect, because the connection ends with the response before it', async () => {
    const data = temporaryFolder();
    const server = await serverInStoppedTime({ data });
    const wire = await openWire(server.default);
    wire.send(callText(server.default, { ...newAccounts(1), fault: 'delay; ms=60000' }));
    wire.send(callText(server.default, newAccounts(2)));
    await arrived(server);
    await server.close();
    expect(repliesIn(wire.heard()).whole).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
    expect(await accountsIn(data)).toBe(1);
  });
});

/** The state of a sandbox with so many users that an import takes longer than the grace period. */
async function hugeState({ default: { state } }: SandboxServer) {
  const document = await state.export();
  const users = Array.from({ length: 60_000 }, (_, number) => ({
    id: `user-${number}`,
    schoolIds: [],
    email: `${number}@new.example`,
  }));
  return { ...document, collections: { ...document.collections, users } };
}

describe('a request to the control plane that a server works at when it stops', () => {
  it('is answered with 503 after the grace period', async () => {
    const server = await serverInStoppedTime();
    const wire = await openControlWire(server);
    const content = await hugeState(server);
    const begun = vi.spyOn(Slices.prototype, 'run');
    onTestFinished(() => begun.mockRestore());
    wire.send(controlText('PUT', '/state', content));
    // The whole body has arrived when it is parsed.
    while (begun.mock.calls.length === 0) await turns(1);
    const closing = server.close();
    await endGracePeriod();
    expect(await wire.ended).toBe('in order');
    await closing;
    expect(repliesIn(wire.heard()).whole).toMatchObject([
      { status: 503, text: expect.stringContaining('before the response was ready') },
    ]);
  });

  it('is given up after the grace period: an import', async () => {
    const server = await serverInStoppedTime();
    const importing = server.default.state.import(await hugeState(server));
    const told = expect(importing).rejects.toThrow('The server is closed.');
    await turns(5);
    const closing = server.close();
    await endGracePeriod();
    await closing;
    await told;
  });
});
