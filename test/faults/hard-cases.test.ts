import { describe, expect, it, onTestFinished } from 'vitest';
import { isSliced, withoutPause } from '../../src/base/sliced-work.ts';
import type { Edit } from '../../src/faults/fault.ts';
import { faultNamed, faultNames } from '../../src/faults/index.ts';
import { readParameters } from '../../src/faults/parameter.ts';
import type { NewFaultRule } from '../../src/index.ts';
import { quiz } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import {
  aQuiz,
  callText,
  fetchCall,
  frozen,
  newTerms,
  openPlace,
  openWire,
  repliesIn,
  settled,
  stopRealTime,
  watchTimers,
  type Place,
} from '../support/wire.ts';
import { outputsOf, sharedServer, world } from '../support/world.ts';

const [quizElement = {}] = aQuiz.elements;

/** Every fault that edits outputs, with its default parameters. */
const edits: readonly (readonly [string, Edit])[] = faultNames.flatMap((name) => {
  const fault = faultNamed(name);
  const act = fault?.act(readParameters(fault.parameters, {}).values);
  const edit = act?.kind === 'edit' ? act.edit('get-quiz-details') : act?.kind === 'fail' && act.edit;
  return edit ? [[name, edit]] : [];
});

/** Returns the faults that add more characters to a reply than `room` allows. */
function tooLong(members: readonly unknown[], room: number): readonly string[] {
  const hit = new Set(members.keys());
  const growing = edits.filter(([, edit]) => {
    const edited = edit(members, hit, { left: room });
    const after = isSliced(edited) ? withoutPause(edited) : edited;
    return JSON.stringify(after).length - JSON.stringify(members).length > room;
  });
  return growing.map(([name]) => name);
}

describe('calls that are held up', () => {
  it('go on in the order in which their waits are due, whichever began first', async () => {
    const { sandbox, send, terms } = await openPlace(frozen);
    const other = await openWire(sandbox);
    send({ ...newTerms('60 s'), fault: 'delay; ms=60000' });
    await settled(sandbox);
    other.send(callText(sandbox, { ...newTerms('30 s'), fault: 'delay; ms=30000' }));
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 90 });
    expect(await terms()).toBe('60 s');
  });

  it('and left by their client are found in the journal as such', async () => {
    const { sandbox, send, wire } = await openPlace(frozen);
    send({ ...newTerms('60 s'), fault: 'delay; ms=60000' });
    await settled(sandbox);
    wire.hangUp();
    await eventually(async () =>
      expect(await sandbox.journal.list()).toMatchObject([
        { outcome: 'client-gone', status: 0, outcomes: [], faults: [{ fault: 'delay' }] },
      ]),
    );
  });

  it('can be many on one connection, without a warning of Node', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { sandbox, send } = await openPlace();
    send(...Array.from({ length: 20 }, () => ({ ...aQuiz, fault: 'delay; ms=1' })));
    while ((await sandbox.journal.list()).length < 20) await settled(sandbox);
    expect(warnings).toEqual([]);
  });
});

describe('a delay whose median is 0', () => {
  it('is none, whatever its longest waits are', async () => {
    const { send, wire } = await openPlace(frozen);
    // A wait of any length would last.
    stopRealTime();
    send({ ...aQuiz, fault: 'delay; p50=0; p99=600000' });
    expect(repliesIn(await wire.hear((heard) => repliesIn(heard).whole.length > 0)).whole).toMatchObject([
      { status: 200 },
    ]);
  });
});

describe('a fault that makes replies long', () => {
  it(
    'brings no more than some 8 million characters, however many elements there are and however long each text is to be',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world();
      const elements = Array.from({ length: 60 }, () => quizElement);
      const reply = await fetchCall(sandbox, { ...aQuiz, elements, fault: 'long-strings; length=1000000' });
      expect(reply.status).toBe(200);
      expect(reply.text.length).toBeGreaterThan(7_000_000);
      expect(reply.text.length).toBeLessThan(9_000_000);
      expect(JSON.parse(reply.text)).toHaveLength(60);
    },
  );

  it('adds no more than there is room for, whichever fault it is', { tags: ['slow'] }, async () => {
    const { batch } = await world();
    const elements = Array.from({ length: 20 }, () => ({ quizId: quiz.id }));
    const members = outputsOf(await batch('get-quiz-details', elements)).map((output) => ({ output }));
    for (const room of [0, 300, 5000])
      expect(tooLong(members, room), `faults that add more than a \`room\` of ${room}`).toEqual([]);
  });

  it('does not drive everything else out of the journal', { tags: ['slow'] }, async () => {
    const { sandbox } = await world();
    await fetchCall(sandbox, aQuiz);
    await fetchCall(sandbox, { ...aQuiz, fault: 'long-strings; length=1000000' });
    expect(await sandbox.journal.list()).toHaveLength(2);
  });
});

describe('what was really done', () => {
  it('stands in the journal where a fault answers after the operation took effect', async () => {
    const { sandbox } = await world();
    await fetchCall(sandbox, { ...newTerms('x'), fault: 'http-error; status=503; phase=after' });
    expect(await sandbox.journal.list()).toMatchObject([{ status: 503, outcome: 'fault', outcomes: ['ok'] }]);
  });

  it('decides which outputs are the last where only the first element is processed', async () => {
    const { sandbox } = await world({ assumptions: { batchProcessing: 'first-only' } });
    const reply = await fetchCall(sandbox, {
      ...aQuiz,
      elements: [quizElement, quizElement],
      fault: 'short-output',
    });
    expect(reply.text).toBe('[]');
  });
});

describe('a fault under which nothing is sent', () => {
  it.each(['reset', 'timeout; seconds=1', 'reset; phase=after', 'timeout; seconds=1; phase=after'])(
    'leaves no reply in the journal, nor a label: %s',
    async (fault) => {
      const { sandbox, send, wire } = await openPlace(frozen);
      send({ ...aQuiz, fault });
      await settled(sandbox);
      await sandbox.clock.advance({ seconds: 1 });
      await wire.ended;
      expect(wire.heard()).toBe('');
      const [entry] = await sandbox.journal.list();
      expect(entry).toMatchObject({ status: 0, outcome: 'fault', response: '' });
      expect(entry?.responseHeaders).toEqual({});
    },
  );

  it('ends its wait when the client has gone', async () => {
    const { sandbox, send, wire } = await openPlace(frozen);
    stopRealTime();
    // Other timers come and go, such as those of connections.
    const timers = watchTimers();
    const waits = (): readonly number[] => timers.pending().filter((length) => length === 600_000);
    send({ ...aQuiz, fault: 'timeout; seconds=600' });
    while ((await sandbox.journal.list()).length === 0) await settled(sandbox);
    expect(waits()).toHaveLength(1);
    wire.hangUp();
    await eventually(() => expect(waits()).toEqual([]));
  });
});

/** How long some calls are made to wait, in milliseconds. */
async function waitsOf({ sandbox, wire, send }: Place): Promise<readonly number[]> {
  const { lengths, stop } = watchTimers();
  for (let call = 0; call < 3; call += 1) {
    const sofar = repliesIn(wire.heard()).whole.length;
    send({ ...aQuiz, fault: 'delay; min=60000; max=120000' });
    await settled(sandbox);
    await sandbox.clock.advance({ seconds: 120 });
    await wire.hear((heard) => repliesIn(heard).whole.length > sofar);
  }
  stop();
  return lengths.filter((milliseconds) => milliseconds >= 60_000 && milliseconds <= 120_000);
}

describe('chances of faults that calls ask for themselves', () => {
  it.each(['reset', 'restore'] as const)(
    'are the same ones again after a %s',
    { tags: ['slow'] },
    async (way) => {
      const place = await openPlace({ ...frozen, randomSeed: 7 });
      const { sandbox } = place;
      stopRealTime();
      await sandbox.snapshots.take('beginning');
      const first = await waitsOf(place);
      expect(new Set(first).size).toBe(3);
      const next = await waitsOf(place);
      expect(next.filter((wait) => first.includes(wait))).toEqual([]);
      await (way === 'reset' ? sandbox.reset() : sandbox.snapshots.restore('beginning'));
      expect(await waitsOf(place)).toEqual(first);
      expect(await waitsOf(await openPlace({ ...frozen, randomSeed: 7 }))).toEqual(first);
    },
  );
});

describe('what only looks like something else', () => {
  it('is a status without a name', async () => {
    const { send, wire } = await openPlace();
    send({ ...aQuiz, fault: 'http-error; status=520' });
    expect(await wire.hear((heard) => heard.includes(']'))).toMatch(/^HTTP\/1\.1 520 unknown\r\n/);
  });

  it('is an e-mail address that begins like a magic identifier', async () => {
    const { call } = await world();
    const instructor = {
      instructorEmail: 'fault.finder@riverside-academy.example',
      instructorName: 'Finn Alder',
    };
    const reply = await call('create-instructor-account', instructor);
    expect(reply.status).toBe(200);
    expect(reply.headers['sandbox-fault']).toBeUndefined();
  });
});

function inForce(between: readonly string[]): NewFaultRule {
  return { fault: 'reset', when: { between } };
}

describe('a rule', () => {
  it.each([
    [
      'a date-time without a time zone, which would depend on the machine',
      '2026-01-02T00:00:00',
      ' It lacks a time zone: send "2026-01-02T00:00:00Z" for UTC.',
    ],
    ['a day that no calendar has', '2026-02-30T00:00:00Z', ' There is no day 2026-02-30.'],
    ['a distance of nothing', 'now+P', ''],
  ])('is refused where "between" has %s', async (_, moment, hint) => {
    const { sandbox } = await world();
    await expect(sandbox.faults.add(inForce([moment, '2030-01-01T00:00:00Z']))).rejects.toThrow(
      `/when/between/0 must be an RFC 3339 date-time, or a relative time such as "now+PT30S", but is the string "${moment}".${hint}`,
    );
  });

  it('may have small letters in the times of "between", as RFC 3339 allows', async () => {
    const { sandbox } = await world();
    const times = ['2026-01-02t00:00:00z', '2026-01-03T00:00:00Z'];
    await expect(sandbox.faults.add(inForce(times))).resolves.toMatchObject({ fault: 'reset' });
  });

  it('can begin now', async () => {
    const { sandbox } = await world();
    await expect(sandbox.faults.add(inForce(['now', 'now+PT1M']))).resolves.toMatchObject({ fault: 'reset' });
  });

  it('looks at the members of a list, not at its length', async () => {
    const { sandbox } = await world();
    const parameters = { '/details/questionsToUpsert/length': 1 };
    await sandbox.faults.add({
      operation: 'submit-user-course-item',
      match: { parameters },
      fault: 'http-error',
    });
    const elements = [{ details: { questionsToUpsert: [{}] } }];
    const reply = await fetchCall(sandbox, { operation: 'submit-user-course-item', elements });
    expect(reply.headers['sandbox-fault']).toBeUndefined();
  });
});

describe('a fault that is misspelt', () => {
  it('is told with the others of the same call, each with what is known', async () => {
    const { call } = await world();
    const reply = await call('get-quiz-details', {
      quizId: 'fault.resett',
      note: 'fault.http-error.retryAfter=2',
    });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain('Did you mean "reset"?');
    expect(reply.body.detail).toContain(
      '"retryAfter" is not a parameter of http-error. Did you mean "retry-after"?',
    );
  });

  it('is told in a few words even where it is as long as a body can be', async () => {
    const { call } = await world();
    const reply = await call('get-quiz-details', { quizId: `fault.${'x'.repeat(50_000)}` });
    expect(reply.status).toBe(400);
    expect(reply.text.length).toBeLessThan(2000);
  });

  it('in a header that cannot be read comes with the parameters that there are', async () => {
    const { call } = await world();
    const reply = await call('get-quiz-details', quizElement).set(
      'Sandbox-Fault',
      'http-error; retryAfter=2',
    );
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain('The parameters of http-error are status, retry-after, message.');
  });
});

describe('sandboxes that are asked for at once', () => {
  it('are different ones', async () => {
    const { createSandbox } = await sharedServer();
    const made = await Promise.all(Array.from({ length: 5 }, () => createSandbox()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(5);
  });

  it('under one name are one, and the others are refused', async () => {
    const { createSandbox } = await sharedServer();
    const results = await Promise.allSettled(
      Array.from({ length: 3 }, () => createSandbox({ id: 'wanted-by-three' })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
