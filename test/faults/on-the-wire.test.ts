import { describe, expect, it, vi } from 'vitest';
import { startSandbox, type JournalEntry, type SandboxHandle, type SandboxServer } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import { world } from '../support/world.ts';
import { inNextTurn } from '../../src/sandbox/clock.ts';
import {
  aQuiz,
  callText,
  fetchCall,
  frozen,
  headOf,
  newTerms,
  nodeFailure,
  openPlace,
  openWire,
  repliesIn,
  settled,
  stopRealTime,
} from '../support/wire.ts';

/** The whole reply to a call of a quiz, without any fault. */
async function soundBody(sandbox: SandboxHandle): Promise<string> {
  return (await fetchCall(sandbox, aQuiz)).text;
}

/** After how many seconds, in steps, each of so many calls goes on, in the order in which they came. */
async function waits(
  server: SandboxServer,
  randomSeed: number,
  fault: string,
  calls: number,
  step: number,
): Promise<readonly number[]> {
  const sandbox = await server.createSandbox({ ...frozen, randomSeed });
  const text = callText(sandbox, { ...newTerms('Late'), fault });
  for (let call = 0; call < calls; call += 1) (await openWire(sandbox)).send(text);
  await settled(sandbox);
  const found = new Map<number, number>();
  for (let seconds = step; found.size < calls && seconds <= 600; seconds += step) {
    await sandbox.clock.advance({ seconds: step });
    const numbers = (await sandbox.journal.list()).map(({ requestId }) =>
      Number(requestId.split('-').at(-1)),
    );
    for (const number of numbers) if (!found.has(number)) found.set(number, seconds);
  }
  return [...found].toSorted(([one], [other]) => one - other).map(([, seconds]) => seconds);
}

/** The only exchange in the journal, once it is there. */
function onlyEntry(sandbox: SandboxHandle): Promise<JournalEntry | undefined> {
  return eventually(async () => {
    const kept = await sandbox.journal.list();
    expect(kept).toHaveLength(1);
    return kept[0];
  });
}

const idOf = (sandbox: SandboxHandle, number: number): string => `${sandbox.id}-${number}`;

describe('reset', () => {
  it('is a TCP reset, without a byte before', async () => {
    const { wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'reset' });
    expect(await wire.ended).toBe('ECONNRESET');
    expect(wire.heard()).toBe('');
  });

  it('with bytes is a TCP reset after the head and so much of the body', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'reset; bytes=100' });
    const { body, headers } = headOf(await wire.hear((heard) => headOf(heard).body.length >= 100));
    // What was sent shortly before a reset may be lost with it, so there is a moment between the two.
    vi.advanceTimersByTime(20);
    expect(await wire.ended).toBe('ECONNRESET');
    const sound = await soundBody(sandbox);
    expect(headOf(wire.heard()).body).toBe(body);
    expect(body).toBe(sound.slice(0, 100));
    expect(headers['content-length']).toBe(String(sound.length));
  });

  it('hits a connection that has served before', async () => {
    const { wire, send } = await openPlace();
    send(aQuiz);
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    send({ ...aQuiz, fault: 'reset' });
    expect(await wire.ended).toBe('ECONNRESET');
    expect(repliesIn(wire.heard())).toMatchObject({ whole: [{ status: 200 }], rest: '' });
  });

  it('is what clients call a connection reset by the peer', async () => {
    const { sandbox } = await world();
    expect(await nodeFailure(sandbox, 'reset')).toBe('ECONNRESET: read ECONNRESET');
    await expect(fetchCall(sandbox, { ...aQuiz, fault: 'reset' })).rejects.toMatchObject({
      cause: { code: 'ECONNRESET' },
    });
  });
});

describe('empty-response', () => {
  it('closes the connection in order, without a byte', async () => {
    const { wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'empty-response' });
    expect(await wire.ended).toBe('in order');
    expect(wire.heard()).toBe('');
  });

  it('is what clients call a socket that hung up', async () => {
    expect(await nodeFailure((await world()).sandbox, 'empty-response')).toBe('ECONNRESET: socket hang up');
  });
});

describe('truncated-body', () => {
  it.each([
    ['half of the body', 'truncated-body', (length: number) => Math.floor(length / 2)],
    ['so much of the body', 'truncated-body; bytes=100', () => 100],
    ['the head alone', 'truncated-body; bytes=0', () => 0],
    [
      'all but a byte where more is asked for than there is',
      'truncated-body; bytes=1000000',
      (length: number) => length - 1,
    ],
  ])('sends %s, and closes the connection in order: %s', async (_, fault, expected) => {
    const { sandbox, wire, send } = await openPlace();
    const sound = await soundBody(sandbox);
    send({ ...aQuiz, fault });
    expect(await wire.ended).toBe('in order');
    const { status, headers, body } = headOf(wire.heard());
    expect({ status, length: headers['content-length'] }).toEqual({
      status: 200,
      length: String(sound.length),
    });
    expect(body).toBe(sound.slice(0, expected(sound.length)));
  });

  it('cuts between bytes, even within a character', async () => {
    const { sandbox, wire, send } = await openPlace();
    const unicode = { operation: 'get-all-instructors', elements: [{}], fault: 'unicode-strings' };
    const sound = Buffer.from((await fetchCall(sandbox, unicode)).text);
    const inside = sound.findIndex((byte) => byte > 0x7f) + 1;
    send({ ...unicode, fault: `unicode-strings, truncated-body; bytes=${inside}` });
    expect(await wire.ended).toBe('in order');
    expect(Buffer.from(headOf(wire.heard()).body, 'latin1')).toEqual(sound.subarray(0, inside));
  });

  it('never passes for a whole reply, even where there was no body to cut', async () => {
    const { wire, send } = await openPlace({ assumptions: { refusalBody: 'empty' } });
    send({ ...aQuiz, fault: 'http-error; status=503, truncated-body' });
    expect(await wire.ended).toBe('in order');
    expect(headOf(wire.heard())).toMatchObject({ status: 503, headers: { 'content-length': '1' }, body: '' });
  });

  it('is what clients call an aborted reply', async () => {
    const { sandbox } = await world();
    expect(await nodeFailure(sandbox, 'truncated-body')).toBe('ECONNRESET: aborted');
    await expect(fetchCall(sandbox, { ...aQuiz, fault: 'truncated-body' })).rejects.toThrow('terminated');
  });
});

describe('garbage', () => {
  it('is not HTTP, and the connection is closed in order', async () => {
    const { wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'garbage' });
    expect(await wire.ended).toBe('in order');
    expect(wire.heard()).not.toBe('');
    expect(wire.heard()).not.toContain('HTTP/');
  });

  it('cannot be parsed by HTTP clients', async () => {
    const { sandbox } = await world();
    expect(await nodeFailure(sandbox, 'garbage')).toMatch(/^HPE_\w+: Parse Error/);
    await expect(fetchCall(sandbox, { ...aQuiz, fault: 'garbage' })).rejects.toMatchObject({
      cause: { name: 'HTTPParserError' },
    });
  });
});

describe('slow-body', () => {
  const dripping = { ...aQuiz, fault: 'slow-body; bytes=1500; ms=60000' };

  it('sends the head with the first drop, and another drop as often as its time is over', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    const sound = await soundBody(sandbox);
    expect(sound.length).toBeGreaterThan(3000);
    send(dripping);
    const bodyAfter = async (seconds: number): Promise<string> => {
      await sandbox.clock.advance({ seconds });
      await settled(sandbox);
      return headOf(wire.heard()).body;
    };
    expect(await bodyAfter(0)).toBe(sound.slice(0, 1500));
    expect(headOf(wire.heard()).headers['content-length']).toBe(String(sound.length));
    expect(await bodyAfter(59)).toBe(sound.slice(0, 1500));
    expect(await bodyAfter(1)).toBe(sound.slice(0, 3000));
    expect(await bodyAfter(59)).toBe(sound.slice(0, 3000));
    expect(await bodyAfter(600)).toBe(sound);
  });

  it('comes whole in the end, and the connection serves on', async () => {
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'slow-body; bytes=1000; ms=1' });
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
    send(aQuiz);
    const heard = await wire.hear((all) => repliesIn(all).whole.length === 2);
    const sound = await soundBody(sandbox);
    expect(repliesIn(heard).whole.map(({ text }) => text)).toEqual([sound, sound]);
  });

  it('sends all the drops at once whose time is over by a clock that jumps', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    send({ ...aQuiz, fault: 'slow-body; bytes=100; ms=60000' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 60 * 9 + 59 });
    await settled(sandbox);
    await eventually(() => expect(headOf(wire.heard()).body).toHaveLength(1000));
  });

  it.each([
    ['slow-body; bytes=1000; ms=60000, truncated-body; bytes=2500', 'in order'],
    ['truncated-body; bytes=2500, slow-body; bytes=1000; ms=60000', 'in order'],
    ['slow-body; bytes=1000; ms=60000, reset; bytes=2500', 'ECONNRESET'],
  ])('drips as far as another fault lets it come: %s', async (fault, ending) => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    const sound = await soundBody(sandbox);
    send({ ...aQuiz, fault });
    for (const length of [1000, 2000, 2500]) {
      await settled(sandbox);
      await eventually(() => expect(headOf(wire.heard()).body).toBe(sound.slice(0, length)));
      await sandbox.clock.advance({ seconds: 60 });
    }
    expect(await wire.ended).toBe(ending);
    expect(headOf(wire.heard()).headers['content-length']).toBe(String(sound.length));
  });

  it('drips 32 bytes in a tenth of a second unless told otherwise', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    send({ ...aQuiz, fault: 'slow-body' });
    await settled(sandbox);
    await eventually(() => expect(headOf(wire.heard()).body).toHaveLength(32));
    await sandbox.clock.advance({ seconds: 0.1 });
    await settled(sandbox);
    await eventually(() => expect(headOf(wire.heard()).body).toHaveLength(64));
  });

  it('ends with the client that has enough of it', async () => {
    const { sandbox, wire, send } = await openPlace();
    send(dripping);
    await wire.hear((heard) => headOf(heard).body !== '');
    wire.hangUp();
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 60 });
    expect(await fetchCall(sandbox, aQuiz)).toMatchObject({ status: 200 });
  });
});

describe('timeout', () => {
  it.each([
    ['timeout; seconds=60', 60],
    ['timeout', 300],
  ])('sends nothing until its limit is over, and then closes in order: %s', async (fault, limit) => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    let ending = 'none';
    void wire.ended.then((how) => (ending = how));
    send({ ...aQuiz, fault });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: limit - 0.001 });
    await settled(sandbox);
    expect(ending).toBe('none');
    await sandbox.clock.advance({ seconds: 0.001 });
    expect(await wire.ended).toBe('in order');
    expect(wire.heard()).toBe('');
  });

  it('stands in the journal at once, as a reply that was never sent', async () => {
    const { sandbox, send } = await openPlace();
    send({ ...aQuiz, fault: 'timeout' });
    await settled(sandbox);
    expect(await sandbox.journal.list()).toMatchObject([
      { status: 0, outcome: 'fault', outcomes: [], response: '' },
    ]);
  });
});

describe('delay', () => {
  it.each([
    ['delay; ms=60000', 60],
    ['delay', 1],
    ['delay; ms=60000, delay; ms=30000', 90],
    ['delay; ms=600000', 600],
    ['delay; min=60000; max=60000', 60],
    ['delay; p50=60000; p99=60000', 60],
  ])('before: the operation runs when the wait is over, and not earlier: %s', async (fault, seconds) => {
    stopRealTime();
    const { sandbox, wire, send, terms } = await openPlace(frozen);
    const before = await terms();
    send({ ...newTerms('Late'), fault });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: seconds - 0.001 });
    await settled(sandbox);
    expect({ heard: wire.heard(), terms: await terms() }).toEqual({ heard: '', terms: before });
    await sandbox.clock.advance({ seconds: 0.001 });
    expect(await terms()).toBe('Late');
    const { whole } = repliesIn(await wire.hear((heard) => repliesIn(heard).whole.length === 1));
    expect(whole).toMatchObject([
      { status: 200, headers: { 'sandbox-fault': expect.stringContaining('delay') } },
    ]);
  });

  it('after: the operation runs at once, and its reply comes when the wait is over', async () => {
    stopRealTime();
    const { sandbox, wire, send, terms } = await openPlace(frozen);
    send({ ...newTerms('At once'), fault: 'delay; ms=60000; phase=after' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 59.999 });
    await settled(sandbox);
    expect({ heard: wire.heard(), terms: await terms() }).toEqual({ heard: '', terms: 'At once' });
    await sandbox.clock.advance({ seconds: 0.001 });
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
  });

  it('waits in both phases where both are asked for, one wait behind the other', async () => {
    stopRealTime();
    const { sandbox, wire, send, terms } = await openPlace(frozen);
    send({ ...newTerms('Between'), fault: 'delay; ms=60000; phase=after, delay; ms=30000' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 30 });
    expect(await terms()).toBe('Between');
    await sandbox.clock.advance({ seconds: 59.999 });
    await settled(sandbox);
    expect(wire.heard()).toBe('');
    await sandbox.clock.advance({ seconds: 0.001 });
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
  });

  it('is over in both phases where the clock jumps beyond both', async () => {
    stopRealTime();
    const { sandbox, wire, send } = await openPlace(frozen);
    send({ ...aQuiz, fault: 'delay; ms=60000; phase=after, delay; ms=30000' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 90 });
    await wire.hear((heard) => repliesIn(heard).whole.length === 1);
  });

  it('is over in real time too, even while the clock is frozen', async () => {
    const { sandbox } = await world(frozen);
    expect(await fetchCall(sandbox, { ...aQuiz, fault: 'delay; ms=20' })).toMatchObject({ status: 200 });
  });

  it('answers as of the moment at which the wait is over', async () => {
    const { sandbox, wire, send } = await openPlace(frozen);
    send({ ...aQuiz, fault: 'delay; ms=60000' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 90 });
    const { headers } = headOf(await wire.hear((heard) => repliesIn(heard).whole.length === 1));
    expect(headers['date']).toBe('Mon, 02 Mar 2026 10:01:30 GMT');
    expect(await sandbox.journal.list()).toMatchObject([{ at: '2026-03-02T10:00:00.000Z' }]);
  });

  it('holds no other call up', async () => {
    const { sandbox, wire, send } = await openPlace();
    send({ ...aQuiz, fault: 'delay; ms=600000' });
    await settled(sandbox);
    expect(await fetchCall(sandbox, aQuiz)).toMatchObject({ status: 200 });
    expect(wire.heard()).toBe('');
  });
});

describe('a delay of random length', () => {
  it('lies evenly between min and max', { tags: ['slow'] }, async () => {
    await using server = await startSandbox({ port: 0, limits: null });
    stopRealTime();
    const found = await waits(server, 7, 'delay; min=60000; max=160000', 100, 5);
    expect(found).toHaveLength(100);
    expect(Math.min(...found)).toBeGreaterThan(60);
    expect(Math.max(...found)).toBeLessThanOrEqual(160);
    for (const from of [60, 85, 110, 135]) {
      const quarter = found.filter((seconds) => seconds > from && seconds <= from + 25);
      expect(quarter.length).toBeGreaterThan(15);
      expect(quarter.length).toBeLessThan(35);
    }
  });

  it(
    'is for half of the calls under p50, and seldom over p99; to either side it spreads by factors',
    { tags: ['slow'] },
    async () => {
      await using server = await startSandbox({ port: 0, limits: null });
      stopRealTime();
      const found = await waits(server, 7, 'delay; p50=60000; p99=240000', 100, 5);
      const share = (from: number, to: number): number =>
        found.filter((seconds) => seconds > from && seconds <= to).length;
      expect(found).toHaveLength(100);
      expect(share(240, 600)).toBeLessThan(5);
      // A normal distribution of the logarithms has 12 of 100 below half the median, 12 above twice of it, and
      // 38 on each side between.
      for (const [count, expected] of [
        [share(0, 30), 12],
        [share(30, 60), 38],
        [share(60, 120), 38],
        [share(120, 600), 12],
      ] as const) {
        expect(Math.abs(count - expected)).toBeLessThan(12);
      }
    },
  );

  it.each(['delay; min=60000; max=160000', 'delay; p50=60000; p99=240000'])(
    'follows from the random seed and the number of the call: %s',
    { tags: ['slow'] },
    async (fault) => {
      await using server = await startSandbox({ port: 0, limits: null });
      stopRealTime();
      const found = await waits(server, 7, fault, 10, 5);
      expect(new Set(found).size).toBeGreaterThan(5);
      expect(await waits(server, 7, fault, 10, 5)).toEqual(found);
      expect(await waits(server, 8, fault, 10, 5)).not.toEqual(found);
    },
  );
});

describe('a client that gives up', () => {
  it('in a delay before the operation has changed nothing, and never will', async () => {
    const { sandbox, wire, send, terms } = await openPlace();
    const before = await terms();
    send({ ...newTerms('Too late'), fault: 'delay; ms=600000' });
    await settled(sandbox);
    wire.hangUp();
    const faults = [{ fault: 'delay', phase: 'before', rule: null }];
    expect(await onlyEntry(sandbox)).toMatchObject({ status: 0, outcomes: [], faults, response: '' });
    await sandbox.clock.advance({ seconds: 600 });
    expect(await terms()).toBe(before);
    expect(await sandbox.journal.list()).toHaveLength(1);
  });

  it('in a delay after the operation has changed what it asked for', async () => {
    const { sandbox, wire, send, terms } = await openPlace();
    send({ ...newTerms('In time'), fault: 'delay; ms=600000; phase=after' });
    await settled(sandbox);
    wire.hangUp();
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 600 });
    expect(await terms()).toBe('In time');
    expect(await onlyEntry(sandbox)).toMatchObject({ status: 200, outcome: 'fault', outcomes: ['ok'] });
  });

  it('by a time-out of its own leaves nothing behind that hurts others', async () => {
    const { sandbox } = await world();
    const patience = new AbortController();
    const reply = fetch(`${sandbox.baseUrl}/public/get-quiz-details`, {
      method: 'POST',
      headers: {
        'SERVICE-API-KEY': sandbox.apiKey('riverside'),
        'Content-Type': 'application/json',
        'Sandbox-Fault': 'timeout',
      },
      body: '{"data":[]}',
      signal: patience.signal,
    });
    await settled(sandbox);
    patience.abort();
    await expect(reply).rejects.toThrow('aborted');
    await sandbox.clock.advance({ seconds: 300 });
    expect(await fetchCall(sandbox, aQuiz)).toMatchObject({ status: 200 });
  });
});

describe('calls that were sent one behind the other without waiting', () => {
  it.each([
    'slow-body; bytes=1000; ms=1',
    'delay; ms=5',
    'delay; ms=5; phase=after',
    'http-error; status=503',
    'html-error-page',
    'malformed-json',
    'output-error',
    'short-output',
  ])('are answered in order around one that is hit by %s', async (fault) => {
    const { sandbox, wire, send } = await openPlace();
    send(aQuiz, { ...aQuiz, fault }, aQuiz);
    const { whole, rest } = repliesIn(await wire.hear((heard) => repliesIn(heard).whole.length === 3));
    expect(rest).toBe('');
    expect(whole.map(({ headers }) => headers['sandbox-request-id'])).toEqual(
      [1, 2, 3].map((number) => idOf(sandbox, number)),
    );
    expect(whole.map(({ headers }) => headers['sandbox-fault'])).toEqual([
      undefined,
      fault.split(';')[0],
      undefined,
    ]);
    const sound = await soundBody(sandbox);
    expect([whole[0]?.text, whole[2]?.text]).toEqual([sound, sound]);
  });

  it.each(['reset', 'reset; bytes=10', 'empty-response', 'truncated-body', 'garbage', 'timeout; seconds=60'])(
    'before one that is hit by %s are answered whole, those behind it not at all',
    async (fault) => {
      const { sandbox, wire, send } = await openPlace();
      send(aQuiz, { ...aQuiz, fault }, aQuiz);
      await wire.hear((heard) => repliesIn(heard).whole.length === 1);
      await sandbox.clock.advance({ seconds: 60 });
      // A client in the server's own process may read a reset behind a reply as an end in order.
      await wire.ended;
      expect(repliesIn(wire.heard()).whole.map(({ text }) => text)).toEqual([await soundBody(sandbox)]);
      expect(wire.heard()).not.toContain(idOf(sandbox, 3));
    },
  );

  it.each(['reset', 'empty-response', 'truncated-body', 'garbage'])(
    'wait for their turn, even to break the connection by %s',
    async (fault) => {
      const { sandbox, wire, send } = await openPlace();
      let over = false;
      void wire.ended.then(() => (over = true));
      send({ ...aQuiz, fault: 'delay; ms=60000' }, { ...aQuiz, fault });
      await settled(sandbox);
      expect({ over, heard: wire.heard() }).toEqual({ over: false, heard: '' });
      await sandbox.clock.advance({ seconds: 60 });
      await wire.ended;
      expect(repliesIn(wire.heard()).whole).toHaveLength(1);
    },
  );
});

describe('a server that stops', () => {
  it.each([
    ['sent whole', 'delay; ms=60000'],
    ['sent in drops', 'delay; ms=60000, slow-body; bytes=100000'],
  ])('sends the reply of a call that waits at once, and then closes the connection: %s', async (_, fault) => {
    const server = await startSandbox({ port: 0 });
    // So it is not the end of the grace period that closes it.
    stopRealTime();
    const sandbox = server.default;
    const wire = await openWire(sandbox);
    wire.send(callText(sandbox, { ...aQuiz, fault }));
    await settled(sandbox);
    const closing = server.close();
    expect(await wire.ended).toBe('in order');
    expect(repliesIn(wire.heard()).whole).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
    await closing;
  });

  it.each(['timeout', 'delay; ms=600000', 'slow-body; bytes=1; ms=60000'])(
    'ends %s at once',
    async (fault) => {
      const server = await startSandbox({ port: 0 });
      stopRealTime();
      const sandbox = server.default;
      const wire = await openWire(sandbox);
      wire.send(callText(sandbox, { ...aQuiz, fault }));
      await settled(sandbox);
      const closing = server.close();
      // Less than a stop waits for what is in flight. It accepts connections, and ends waits, in turns of their own.
      for (let step = 0; step < 20; step += 1) {
        await vi.advanceTimersByTimeAsync(100);
        for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((done) => void inNextTurn(done));
      }
      await closing;
      await wire.ended;
    },
  );
});
