import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type NewSandbox, type SandboxHandle, type SandboxServer } from '../../src/index.ts';
import { labId, products, quiz, schools } from '../support/demo.ts';
import { send } from '../support/send.ts';

/** What one call comes to. */
interface Answered {
  readonly status: number;
  readonly requestId: unknown;
  readonly text: string;
}

/** A call like any client's. */
async function call(
  { baseUrl, id }: SandboxHandle,
  operation: string,
  parameters: object,
  school = 'riverside',
): Promise<Answered> {
  const { status, headers, text } = await send(
    `${baseUrl}/public/${operation}`,
    { 'SERVICE-API-KEY': `sbx_${id}_${school}` },
    { data: [{ data: parameters }] },
  );
  return { status, requestId: headers['sandbox-request-id'], text };
}

const aQuiz = (sandbox: SandboxHandle) => call(sandbox, 'get-quiz-details', { quizId: quiz.id });

/** What only sandbox number n has; found again wherever it leaks to. */
const mark = (number: number): string => `mark-${number}-`;
const marksIn = (value: unknown): readonly string[] => [
  ...new Set(JSON.stringify(value).match(/mark-\d+-/g) ?? []),
];

/** The world of number n, no two neighbours alike. */
function plan(number: number): NewSandbox {
  return {
    id: `of-${number}`,
    randomSeed: number,
    clock:
      number % 3 === 0 ? { mode: 'frozen', now: momentOf(number) } : { mode: 'real', now: momentOf(number) },
    ...(number % 2 === 0 ? {} : { assumptions: { unknownId: 'http-404' } as const }),
    ...(number % 11 === 0 ? { scenario: 'partial-batches' } : {}),
  };
}

/** Each has a year of its own. */
function momentOf(number: number): string {
  return `${2000 + number}-06-01T12:00:00.000Z`;
}

const quizCallsOf = (number: number): number => 1 + (number % 4);

/** Everything that can be done to a sandbox, in the way of number n. */
async function live(sandbox: SandboxHandle, number: number): Promise<readonly Answered[]> {
  const word = mark(number);
  await sandbox.limits.set(
    number % 5 === 0 ? { scale: null } : { scale: 2, operations: { 'get-quiz-details': 1 + number } },
  );
  await sandbox.state.patch('labs', labId, { labTitle: word });
  await sandbox.state.put('users', { id: word, schoolIds: [schools.riverside] });
  if (number % 4 === 0)
    await sandbox.faults.add({
      id: word,
      operation: 'list-assignments',
      fault: 'http-error',
      with: { status: 503 },
    });
  const answered = [
    await call(sandbox, 'create-instructor-account', {
      instructorEmail: `${word}@teachers.example`,
      instructorName: word,
    }),
    await call(sandbox, 'update-interactive-coding-lab', { labId, labDescriptionAsMarkdown: word }),
    await call(sandbox, 'list-assignments', {
      courseIdentifier: { type: 'product-id', digitalProductId: products.python },
    }),
    await call(sandbox, 'get-quiz-details', { quizId: word }, number % 7 === 0 ? 'hillcrest' : 'riverside'),
  ];
  for (let calls = 1; calls < quizCallsOf(number); calls += 1) answered.push(await aQuiz(sandbox));
  await sandbox.snapshots.take(word);
  if (number % 6 === 0) {
    await sandbox.state.patch('labs', labId, { labTitle: 'undone' });
    await sandbox.snapshots.restore(word);
  }
  return answered;
}

const count = 200;

describe(`${count} sandboxes of one server, lived in at the same time`, () => {
  let server: SandboxServer;
  let untouched: { readonly sandbox: SandboxHandle; readonly state: unknown; readonly limits: unknown };
  let lives: readonly {
    readonly number: number;
    readonly sandbox: SandboxHandle;
    readonly answered: readonly Answered[];
  }[];

  beforeAll(async () => {
    server = await startSandbox({ port: 0 });
    const sandbox = await server.createSandbox({ id: 'untouched' });
    untouched = {
      sandbox,
      state: structuredClone(await sandbox.state.export()),
      limits: await sandbox.limits.read(),
    };
    lives = await Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const own = await server.createSandbox(plan(number));
        return { number, sandbox: own, answered: await live(own, number) };
      }),
    );
  }, 60_000);
  afterAll(() => server.close());

  it('have no word of another in their state', async () => {
    for (const { number, sandbox } of lives) {
      const { collections } = await sandbox.state.export();
      expect(marksIn(collections)).toEqual([mark(number)]);
      expect(collections['labs']?.find(({ id }) => id === labId)).toMatchObject({
        labTitle: mark(number),
        labDescriptionAsMarkdown: mark(number),
      });
      // The lab, the user put, the instructor and the user that the call made.
      expect(await sandbox.describe()).toHaveProperty('changedRecords', 4);
    }
  });

  it('have their own exchanges in their journals, all of them and no other, in order', async () => {
    for (const { number, sandbox, answered } of lives) {
      const entries = await sandbox.journal.list();
      expect(entries.map(({ requestId }) => requestId)).toEqual(
        answered.map((_, at) => `of-${number}-${at + 1}`),
      );
      expect(entries.map(({ requestId }) => requestId)).toEqual(answered.map(({ requestId }) => requestId));
      expect(entries.map(({ status }) => status)).toEqual(answered.map(({ status }) => status));
      expect(entries.map(({ response }) => response)).toEqual(answered.map(({ text }) => text));
      expect(marksIn(entries)).toEqual([mark(number)]);
    }
  });

  it('answer as their own assumptions have it', async () => {
    for (const { number, sandbox, answered } of lives) {
      // A scenario may have struck the call.
      if (number % 11 !== 0) expect(answered[3]?.status).toBe(number % 2 === 0 ? 200 : 404);
      const chosen = (await sandbox.assumptions.list())
        .filter((one) => one.chosen !== one.default)
        .map(({ name }) => name);
      expect(chosen).toEqual(number % 2 === 0 ? [] : ['unknownId']);
    }
  });

  it('fail by their own rules and scenarios alone', async () => {
    for (const { number, sandbox, answered } of lives) {
      // A scenario's rules come first.
      const alone = number % 11 !== 0;
      if (alone) expect(answered[2]?.status).toBe(number % 4 === 0 ? 503 : 200);
      const rules = await sandbox.faults.list();
      expect(rules.filter(({ scenario }) => scenario === null).map(({ id }) => id)).toEqual(
        number % 4 === 0 ? [mark(number)] : [],
      );
      expect(await sandbox.scenario.current()).toBe(number % 11 === 0 ? 'partial-batches' : null);
      // A restore has the counters start anew.
      const matched = number % 6 === 0 ? 0 : 1;
      if (alone) for (const rule of rules) expect(rule).toMatchObject({ matched, fired: matched });
      const struck = (await sandbox.journal.list()).flatMap(({ faults }) => faults.map(({ rule }) => rule));
      if (alone) expect(struck).toEqual(number % 4 === 0 ? [mark(number)] : []);
    }
  });

  it('have their own clocks', async () => {
    for (const { number, sandbox } of lives) {
      const { clock } = await sandbox.describe();
      expect(clock.mode).toBe(number % 3 === 0 ? 'frozen' : 'real');
      if (clock.mode === 'frozen') expect(clock.now).toBe(momentOf(number));
      else expect(clock.now.slice(0, 13)).toBe(momentOf(number).slice(0, 13));
      const [first] = await sandbox.journal.list();
      expect(first?.at.slice(0, 13)).toBe(momentOf(number).slice(0, 13));
      const made = (await sandbox.state.list('instructors')).find(({ name }) => name === mark(number));
      expect(made?.createdAt.slice(0, 13)).toBe(momentOf(number).slice(0, 13));
    }
  });

  it('have their own limits, and count their own calls', async () => {
    for (const { number, sandbox } of lives) {
      const { scale, operations } = await sandbox.limits.read();
      const used = operations['get-quiz-details']?.counters.reduce((sum, counter) => sum + counter.used, 0);
      if (number % 5 === 0) {
        expect([scale, used]).toEqual([null, 0]);
      } else {
        expect([scale, operations['get-quiz-details']?.requests]).toEqual([2, 2 * (1 + number)]);
        expect(used).toBe(number % 6 === 0 ? 0 : quizCallsOf(number));
      }
    }
  });

  it('have their own snapshots', async () => {
    for (const { number, sandbox } of lives) {
      expect((await sandbox.snapshots.list()).map(({ name }) => name)).toEqual([mark(number)]);
    }
  });

  it('have ids that follow from their own random seeds', async () => {
    const made = lives.map(({ answered }) => answered[0]?.text);
    expect(new Set(made).size).toBe(count);
  });

  it('leave no trace in one that nobody used, nor in the default one', async () => {
    const { sandbox, state, limits } = untouched;
    expect(await sandbox.state.export()).toEqual(state);
    expect(await sandbox.limits.read()).toEqual(limits);
    for (const quiet of [sandbox, server.default]) {
      expect(await quiet.journal.list()).toEqual([]);
      expect(await quiet.faults.list()).toEqual([]);
      expect(await quiet.snapshots.list()).toEqual([]);
      expect(await quiet.describe()).toMatchObject({
        exchanges: 0,
        changedRecords: 0,
        scenario: null,
        clock: { mode: 'real' },
      });
      expect((await quiet.assumptions.list()).filter((one) => one.chosen !== one.default)).toEqual([]);
    }
  });

  it('go on as they are while every second one is reset, emptied or removed', async () => {
    const kept = lives.filter(({ number }) => number % 2 === 1);
    const before = await Promise.all(
      kept.map(async ({ sandbox }) => [await sandbox.state.export(), await sandbox.faults.list()]),
    );
    await Promise.all(
      lives
        .filter(({ number }) => number % 2 === 0)
        .map(async ({ number, sandbox }) => {
          if (number % 6 === 0) await sandbox.reset();
          else if (number % 6 === 2) await sandbox.state.import({ collections: {} });
          else await sandbox.remove();
          if (number % 6 === 4) return;
          await sandbox.journal.clear();
          await sandbox.limits.clearCounters();
          await sandbox.clock.advance({ seconds: 86_400 });
          await sandbox.assumptions.profile('strict');
        }),
    );
    expect(
      await Promise.all(
        kept.map(async ({ sandbox }) => [await sandbox.state.export(), await sandbox.faults.list()]),
      ),
    ).toEqual(before);
    for (const { number, sandbox, answered } of kept) {
      expect(await sandbox.describe()).toMatchObject({ exchanges: answered.length, changedRecords: 4 });
      expect((await aQuiz(sandbox)).requestId).toBe(`of-${number}-${answered.length + 1}`);
    }
  });
});

/** The same calls in each sandbox: what is new gets ids, and half of the calls fail. */
async function story(sandbox: SandboxHandle): Promise<readonly (readonly [number, string])[]> {
  const seen: (readonly [number, string])[] = [];
  for (let number = 0; number < 8; number += 1) {
    const { status, text } = await call(sandbox, 'create-instructor-account', {
      instructorEmail: `kim-${number}@teachers.example`,
    });
    seen.push([status, text], [(await aQuiz(sandbox)).status, '']);
  }
  return seen;
}

describe('randomness', () => {
  it('is the same in each sandbox of one random seed, whatever runs beside it, and another with another', async () => {
    await using server = await startSandbox({ port: 0 });
    const clock = { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' } as const;
    const seeds = Array.from({ length: 20 }, (_, number) => number % 5);
    const stories = await Promise.all(
      seeds.map(async (randomSeed) => {
        const sandbox = await server.createSandbox({ randomSeed, clock });
        await sandbox.faults.add({ fault: 'http-error', with: { status: 503 }, when: { probability: 0.5 } });
        return { seen: await story(sandbox), instructors: await sandbox.state.list('instructors') };
      }),
    );
    for (const [number, one] of stories.entries()) expect(one).toEqual(stories[number % 5]);
    const different = new Set(stories.map(({ seen }) => JSON.stringify(seen)));
    expect(different.size).toBe(5);
    expect(new Set(stories.flatMap(({ seen }) => seen.map(([status]) => status)))).toEqual(
      new Set([200, 503]),
    );
  });
});
