import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { supertest } from '../support/supertest.ts';
import { startSandbox } from '../../src/index.ts';
import { judging } from '../../src/control/verify.ts';
import type { JournalEntry } from '../../src/sandbox/journal-entry.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { items, learner, quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

type Expectations = Parameters<typeof judging>[1];

function judge(entries: readonly JournalEntry[], expectations: Expectations) {
  return withoutPause(judging(entries, expectations));
}

async function judged({ sandbox }: World, expectations: Expectations) {
  return judge(await sandbox.journal.list(), expectations);
}

/** What is said of the only count. */
async function countOf(own: World, expected: NonNullable<Expectations['counts']>[number]) {
  const verdict = await judged(own, { counts: [expected] });
  expect(verdict.counts).toHaveLength(1);
  expect(verdict.counts[0]?.holds).toBe(verdict.holds);
  return verdict.counts[0];
}

/** A sandbox in which these were called, one after the other. */
async function after(
  ...calls: readonly (readonly [operation: string, parameters: object, school?: string])[]
): Promise<World> {
  const own = await world();
  for (const [operation, parameters, school] of calls) await own.call(operation, parameters, school);
  return own;
}

/** The request ids that a sandbox gives out, by their running number. */
function id({ sandbox }: World, number: number): string {
  return `${sandbox.id}-${number}`;
}

/** A body as it stands, to an operation that is happy with any elements. */
async function send({ post, sandbox }: World, body: string): Promise<void> {
  await post('get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', 'application/json')
    .send(body);
}

describe('a number of calls', () => {
  const operation = 'get-quiz-details';
  const called = (times: number) =>
    after(...Array.from({ length: times }, () => [operation, { quizId: quiz.id }] as const));

  it.each([
    [{}, 0, false, 'at least 1 call'],
    [{}, 1, true, 'at least 1 call'],
    [{}, 3, true, 'at least 1 call'],
    [{ times: 0 }, 0, true, 'no calls'],
    [{ times: 0 }, 1, false, 'no calls'],
    [{ times: 1 }, 1, true, 'exactly 1 call'],
    [{ times: 2 }, 1, false, 'exactly 2 calls'],
    [{ times: 2 }, 3, false, 'exactly 2 calls'],
    [{ atLeast: 2 }, 1, false, 'at least 2 calls'],
    [{ atLeast: 2 }, 2, true, 'at least 2 calls'],
    [{ atLeast: 0 }, 0, true, 'at least 0 calls'],
    [{ atMost: 0 }, 1, false, 'no calls'],
    [{ atMost: 1 }, 0, true, 'at most 1 call'],
    [{ atMost: 1 }, 2, false, 'at most 1 call'],
    [{ atLeast: 1, atMost: 2 }, 0, false, 'at least 1 and at most 2 calls'],
    [{ atLeast: 1, atMost: 2 }, 2, true, 'at least 1 and at most 2 calls'],
    [{ atLeast: 1, atMost: 2 }, 3, false, 'at least 1 and at most 2 calls'],
    [{ times: 2, atMost: 1 }, 1, false, 'at least 2 and at most 1 call'],
  ])('asked for as %j, with %i there, holds: %s', async (bounds, times, holds, words) => {
    const own = await called(times);
    const verdict = await countOf(own, { operation, ...bounds });
    expect(verdict).toMatchObject({ holds, found: times });
    expect(verdict?.message).toContain(
      `Expected ${words} of ${operation}, found ${times === 0 ? 'none' : times}`,
    );
  });

  it('is told in one sentence', async () => {
    const own = await called(1);
    expect((await countOf(own, { operation, times: 2 }))?.message).toBe(
      'Expected exactly 2 calls of get-quiz-details, found 1.',
    );
    expect((await countOf(own, { operation }))?.message).toBe(
      'Expected at least 1 call of get-quiz-details, found 1.',
    );
    expect((await countOf(own, {}))?.message).toBe('Expected at least 1 call, found 1.');
    const expected = {
      operation,
      school: 'hillcrest',
      outcome: 'ok',
      parameters: { quizId: 'x' },
      body: { data: [] },
    };
    expect((await countOf(own, expected))?.message).toBe(
      'Expected at least 1 call of get-quiz-details by hillcrest with outcome ok and parameters {"quizId":"x"} and body {"data":[]}, found none.',
    );
    expect((await countOf(own, { parameters: { quizId: 'x'.repeat(1000) } }))?.message).toHaveLength(
      'Expected at least 1 call with parameters …, found none.'.length + 100,
    );
  });

  it('that is too high names the calls, up to ten of them, and no nearest miss', async () => {
    const own = await called(3);
    expect(await countOf(own, { operation, times: 2 })).toEqual({
      holds: false,
      found: 3,
      message: `Expected exactly 2 calls of get-quiz-details, found 3: ${id(own, 1)}, ${id(own, 2)}, ${id(own, 3)}.`,
    });
    for (let more = 0; more < 9; more += 1) await own.call('get-all-instructors');
    const { message = '' } = (await countOf(own, { times: 0 })) ?? {};
    expect(message.match(/sandbox-\d+-\d+/g)).toHaveLength(10);
    expect(message).toMatch(/ and 2 more\.$/);
  });

  it('that is too low has no nearest miss where there is no other call', async () => {
    expect(await countOf(await called(0), { operation })).not.toHaveProperty('nearest');
    expect(await countOf(await called(1), { operation, times: 2 })).not.toHaveProperty('nearest');
  });

  it('is refused for an outcome that no call can have: with a typing mistake, "never" would always hold', async () => {
    const own = await called(1);
    const verify = own.sandbox.journal.verify({ counts: [{ outcome: 'elment-error', times: 0 }] });
    await expect(verify).rejects.toMatchObject({
      violations: [
        { pointer: '/counts/0/outcome', message: expect.stringContaining('Did you mean "element-error"?') },
      ],
    });
    const ofProxy = { counts: [{ outcome: 'http-418', times: 0 }] };
    expect(await own.sandbox.journal.verify(ofProxy)).toMatchObject({ holds: true });
  });

  it.each([
    [{}, '', 'expects nothing. Give counts, sequence or nothingElse.'],
    [{ counts: [{ school: 'riversid', times: 0 }] }, '/counts/0/school', 'Did you mean "riverside"?'],
    [
      { counts: [{ atLeast: 3, atMost: 1 }] },
      '/counts/0/atMost',
      'must be at least 3, as atLeast, but is 1.',
    ],
    [{ scope: ' ', nothingElse: true }, '/scope', 'must not be blank.'],
  ])('is refused where it cannot be meant: %j', async (expectations, pointer, message) => {
    const { sandbox } = await called(1);
    await expect(sandbox.journal.verify(expectations)).rejects.toMatchObject({
      violations: [{ pointer, message: expect.stringContaining(message) }],
    });
  });

  it('finds a scope as it was sent: with spaces, or with a key, which is not stored', async () => {
    const { sandbox, url } = await called(1);
    const key = sandbox.apiKey('riverside');
    for (const scope of [' spaces ', key]) {
      await supertest(url)
        .post('/public/get-all-instructors')
        .set({ 'SERVICE-API-KEY': key, 'Sandbox-Scope': scope })
        .send({ data: [{ data: {} }] });
      expect(await sandbox.journal.verify({ scope, counts: [{ times: 1 }] })).toMatchObject({ holds: true });
    }
  });

  it('counts calls that were refused or hit by a fault like any other', async () => {
    const own = await world();
    await own.call(operation).set('SERVICE-API-KEY', `sbx_${own.sandbox.id}_nowhere`);
    await own.call(operation, { quizId: 'fault.http-error.503' });
    expect(await countOf(own, { operation, times: 2 })).toMatchObject({ holds: true });
    expect(await countOf(own, { operation, outcome: 'fault', times: 1 })).toMatchObject({ holds: true });
  });
});

describe('what a call must have to be counted', () => {
  it('is the operation, the school and the outcome, as far as they are named', async () => {
    const own = await after(
      ['get-quiz-details', { quizId: quiz.id }],
      ['get-quiz-details', { quizId: quiz.id }, 'hillcrest'],
      ['get-course-item-data', { courseItemId: items.article }],
    );
    const found = async (expected: Expectations['counts'] & object) =>
      (await judged(own, { counts: expected })).counts.map((count) => count.found);
    expect(
      await found([
        {},
        { operation: 'get-quiz-details' },
        { school: 'riverside' },
        { outcome: 'ok' },
        { operation: 'get-quiz-details', school: 'hillcrest', outcome: 'element-error' },
        { operation: 'get-quiz-details', school: 'hillcrest', outcome: 'ok' },
      ]),
    ).toEqual([3, 2, 2, 2, 1, 0]);
  });

  it.each([
    ['a value', { userId: learner.id }, true],
    ['several values', { userId: learner.id, itemId: 'i' }, true],
    ['no values', {}, true],
    ['a part of an object', { details: { kind: 'quiz' } }, true],
    ['a list as it is', { details: { answers: [1, { text: 'two' }] } }, true],
    ['a part of a member of a list', { details: { answers: [1, {}] } }, true],
    ['null', { details: { nothing: null } }, true],
    ['a value that is not said', { userId: undefined, itemId: 'i' }, true],
    ['another value', { userId: 'other' }, false],
    ['a value of another kind', { details: { answers: ['1', { text: 'two' }] } }, false],
    ['a list in another order', { details: { answers: [{ text: 'two' }, 1] } }, false],
    ['a part of a list', { details: { answers: [1] } }, false],
    ['more than a list', { details: { answers: [1, { text: 'two' }, 3] } }, false],
    ['an object for a list', { details: { answers: {} } }, false],
    ['a list for an object', { details: [] }, false],
    ['null for what is missing', { missing: null }, false],
    ['what is missing for null', { details: { nothing: {} } }, false],
    ['a name that every object has', JSON.parse('{"__proto__":{}}') as object, false],
    ['values of two elements', { userId: learner.id, second: true }, false],
  ])('is a part of the parameters of an element: %s', async (_, parameters, holds) => {
    const own = await world();
    const details = { kind: 'quiz', answers: [1, { text: 'two', more: true }], nothing: null };
    await own.batch('submit-user-course-item', [
      { userId: learner.id, itemId: 'i', details },
      { second: true },
    ]);
    expect(await countOf(own, { parameters })).toMatchObject({ holds });
  });

  it('is a part of the body, whose list of elements is to be whole', async () => {
    const own = await world();
    await own.batch('get-quiz-details', [{ quizId: 'a', more: 1 }, { quizId: 'b' }]);
    const [a, b] = [{ data: { quizId: 'a' } }, { data: { quizId: 'b' } }];
    expect(await countOf(own, { body: { data: [a, b] } })).toMatchObject({ holds: true });
    expect(await countOf(own, { body: {} })).toMatchObject({ holds: true });
    expect(await countOf(own, { body: { data: [a] } })).toMatchObject({ holds: false });
    expect(await countOf(own, { body: { data: [b, a] } })).toMatchObject({ holds: false });
  });

  it.each([
    ['not JSON', '{"data":[', 'The body is not JSON.'],
    ['empty', '', 'The body is empty.'],
    [
      'too long to be kept',
      `{"data":[{"data":{"quizId":"${'x'.repeat(70_000)}"}}]}`,
      /^The body was too long to be stored completely: its last \d+ char/,
    ],
    [
      'nested beyond measure',
      `{"data":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`,
      'The body is nested more than 1000 levels deep.',
    ],
  ])('is not to be found in a body that is %s, and the difference says so', async (_, body, actual) => {
    const own = await world();
    await send(own, body);
    for (const part of ['parameters', 'body'] as const) {
      const verdict = await countOf(own, { [part]: {} });
      const difference = {
        at: `/${part}`,
        expected: {},
        actual: typeof actual === 'string' ? actual : expect.stringMatching(actual),
      };
      expect(verdict).toMatchObject({
        found: 0,
        nearest: { requestId: id(own, 1), differences: [difference] },
      });
    }
    expect(await countOf(own, { operation: 'get-quiz-details' })).toMatchObject({ found: 1 });
  });

  it('is not to be found among the elements of a body that has none', async () => {
    const own = await world();
    await send(own, '{"quizId":"1"}');
    await send(own, '{"data":[]}');
    await send(own, '[]');
    expect(await countOf(own, { parameters: {} })).toMatchObject({
      found: 0,
      nearest: { differences: [{ at: '/parameters', expected: {}, actual: 'The body has no elements.' }] },
    });
    await send(own, '{"data":[{"quizId":"1"}]}');
    const { nearest } = (await countOf(own, { parameters: {} })) ?? {};
    expect(nearest).toEqual({ requestId: id(own, 4), differences: [{ at: '/parameters', expected: {} }] });
  });
});

describe('the nearest miss', () => {
  it('has words in place of what is too large for one verdict, which the first ones fit', async () => {
    const own = await world();
    await send(own, JSON.stringify({ data: [], long: 'x'.repeat(60_000) }));
    const counts = [0, 1, 2, 3, 4].map(() => ({ body: { long: 'y' } }));
    const actual = (await judged(own, { counts })).counts.map(
      ({ nearest }) => nearest?.differences[0]?.actual,
    );
    expect(actual.slice(0, 3)).toEqual(['x', 'x', 'x'].map((letter) => letter.repeat(60_000)));
    expect(actual.slice(3)).toEqual(
      [4, 5].map(() => 'A string of 60000 characters. It is too large to be shown in this verdict.'),
    );
  });

  it('tells every difference, field by field', async () => {
    const own = await after([
      'submit-user-course-item',
      { details: { courseItemType: 'quiz', answers: [1, 2] }, 'a/b~c': 1 },
    ]);
    const expected = {
      operation: 'get-quiz-details',
      school: 'hillcrest',
      outcome: 'ok',
      parameters: { details: { courseItemType: 'article', answers: [1, 3], score: 7 }, 'a/b~c': 2 },
      body: { data: [{ data: { itemId: 'i' } }] },
    };
    const verdict = await countOf(own, expected);
    expect(JSON.parse(JSON.stringify(verdict?.nearest))).toEqual({
      requestId: id(own, 1),
      differences: [
        { at: 'operation', expected: 'get-quiz-details', actual: 'submit-user-course-item' },
        { at: 'school', expected: 'hillcrest', actual: 'riverside' },
        { at: 'outcome', expected: 'ok', actual: 'element-error' },
        { at: '/parameters/details/courseItemType', expected: 'article', actual: 'quiz' },
        { at: '/parameters/details/answers/1', expected: 3, actual: 2 },
        { at: '/parameters/details/score', expected: 7 },
        { at: '/parameters/a~1b~0c', expected: 2, actual: 1 },
        { at: '/body/data/0/data/itemId', expected: 'i' },
      ],
    });
  });

  it('is the call with the fewest differences, counted in values', async () => {
    const own = await after(
      ['submit-user-course-item', { userId: 'u', details: { a: 1, b: 2, c: 9 } }],
      ['submit-user-course-item', { userId: 'u', details: null }],
      ['submit-user-course-item', { userId: 'v', details: { a: 1, b: 8, c: 9 } }],
    );
    const verdict = await countOf(own, { parameters: { userId: 'u', details: { a: 1, b: 2, c: 3 } } });
    expect(verdict?.nearest).toEqual({
      requestId: id(own, 1),
      differences: [{ at: '/parameters/details/c', expected: 3, actual: 9 }],
    });
  });

  it('is the newest of equal ones', async () => {
    const own = await after(['get-quiz-details', { quizId: 'a' }], ['get-quiz-details', { quizId: 'b' }]);
    expect((await countOf(own, { parameters: { quizId: 'c' } }))?.nearest?.requestId).toBe(id(own, 2));
  });

  it('is of the same operation where there is one, whatever else differs', async () => {
    const own = await after(
      ['submit-user-course-item', { userId: 'x', itemId: 'y' }],
      ['get-quiz-details', { userId: 'u', itemId: 'i' }],
    );
    const expected = { operation: 'submit-user-course-item', parameters: { userId: 'u', itemId: 'i' } };
    expect((await countOf(own, expected))?.nearest).toMatchObject({
      requestId: id(own, 1),
      differences: [{}, {}],
    });
    expect((await countOf(own, { ...expected, operation: 'list-assignments' }))?.nearest).toEqual({
      requestId: id(own, 2),
      differences: [{ at: 'operation', expected: 'list-assignments', actual: 'get-quiz-details' }],
    });
  });

  it('speaks of the element that comes closest', async () => {
    const own = await world();
    await own.batch('get-quiz-details', [
      { quizId: 'a' },
      { quizId: 'b', mode: 'x', page: 1 },
      { mode: 'x' },
    ]);
    expect(
      (await countOf(own, { parameters: { quizId: 'b', mode: 'y', page: 1 } }))?.nearest?.differences,
    ).toEqual([{ at: '/parameters/mode', expected: 'y', actual: 'x' }]);
  });

  it('shows a list of another length whole', async () => {
    const own = await after(['get-quiz-details', { quizId: 'a' }]);
    expect((await countOf(own, { body: { data: [] } }))?.nearest?.differences).toEqual([
      { at: '/body/data', expected: [], actual: [{ data: { quizId: 'a' } }] },
    ]);
  });

  it('of a number that is too low is a call that does not fit', async () => {
    const own = await after(
      ['get-quiz-details', { quizId: 'a' }],
      ['get-quiz-details', { quizId: 'b' }],
      ['get-quiz-details', { quizId: 'a' }],
    );
    expect(await countOf(own, { parameters: { quizId: 'a' }, times: 3 })).toEqual({
      holds: false,
      found: 2,
      message: 'Expected exactly 3 calls with parameters {"quizId":"a"}, found 2.',
      nearest: {
        requestId: id(own, 2),
        differences: [{ at: '/parameters/quizId', expected: 'a', actual: 'b' }],
      },
    });
  });
});

describe('a sequence', () => {
  const a = { operation: 'get-quiz-details', parameters: { quizId: 'a' } };
  const b = { operation: 'get-quiz-details', parameters: { quizId: 'b' } };
  const c = { operation: 'get-quiz-details', parameters: { quizId: 'c' } };

  it('holds where its calls come in this order, with others between them, and tells which call stands for which', async () => {
    const own = await calledFor('xabxca');
    const verdict = await judged(own, { sequence: [a, b, c] });
    expect(verdict.holds).toBe(true);
    expect(verdict.sequence).toEqual([
      {
        holds: true,
        requestId: id(own, 2),
        message: `Expected a call of get-quiz-details with parameters {"quizId":"a"}, found ${id(own, 2)}.`,
      },
      {
        holds: true,
        requestId: id(own, 3),
        message: `Expected a call of get-quiz-details with parameters {"quizId":"b"} after ${id(own, 2)}, found ${id(own, 3)}.`,
      },
      {
        holds: true,
        requestId: id(own, 5),
        message: `Expected a call of get-quiz-details with parameters {"quizId":"c"} after ${id(own, 3)}, found ${id(own, 5)}.`,
      },
    ]);
  });

  it('takes a call for one member only', async () => {
    const own = await calledFor('a');
    const verdict = await judged(own, { sequence: [a, a] });
    expect(verdict.holds).toBe(false);
    expect(verdict.sequence[1]).toEqual({
      holds: false,
      requestId: null,
      message: `Expected a call of get-quiz-details with parameters {"quizId":"a"} after ${id(own, 1)}, found none.`,
    });
  });

  it('says which call came too early', async () => {
    const own = await calledFor('ba');
    const verdict = await judged(own, { sequence: [a, b] });
    expect(verdict.holds).toBe(false);
    expect(verdict.sequence[1]).toEqual({
      holds: false,
      requestId: null,
      message: `Expected a call of get-quiz-details with parameters {"quizId":"b"} after ${id(own, 2)}, found none; too early for it: ${id(own, 1)}.`,
    });
  });

  it('goes on behind a member that is missing, whose nearest miss is a call that stands for no other', async () => {
    const own = await calledFor('axc');
    const verdict = await judged(own, { sequence: [a, b, c] });
    expect(verdict.sequence.map(({ requestId }) => requestId)).toEqual([id(own, 1), null, id(own, 3)]);
    expect(verdict.sequence[1]?.nearest).toEqual({
      requestId: id(own, 2),
      differences: [{ at: '/parameters/quizId', expected: 'b', actual: 'x' }],
    });
  });

  it('holds whenever its members can be found in order at all', async () => {
    const [entry] = await (await calledFor('a')).sandbox.journal.list();
    if (entry === undefined) throw new Error('The call is not in the journal');
    const calls = (outcomes: readonly string[]) =>
      outcomes.map((outcome, place) => ({ ...entry, outcome, requestId: `${place}` }));
    // Members that overlap: one of any outcome could take what another one needs.
    const kind = fc.constantFrom('ok', 'fault', 'throttled');
    const member = fc
      .option(kind, { nil: undefined })
      .map((outcome) => (outcome === undefined ? {} : { outcome }));
    fc.assert(
      fc.property(
        fc.array(kind, { maxLength: 6 }),
        fc.array(member, { maxLength: 4 }),
        (outcomes, sequence) => {
          expect(judge(calls(outcomes), { sequence }).holds).toBe(canFollow(outcomes, sequence));
        },
      ),
    );
  });
});

/** A sandbox that was asked for quizzes with these letters as their identifiers. */
function calledFor(letters: string): Promise<World> {
  return after(...letters.split('').map((quizId) => ['get-quiz-details', { quizId }] as const));
}

/** Tries every choice. */
function canFollow(
  outcomes: readonly string[],
  [first, ...rest]: readonly { readonly outcome?: string }[],
): boolean {
  if (first === undefined) return true;
  return outcomes.some(
    (outcome, place) => (first.outcome ?? outcome) === outcome && canFollow(outcomes.slice(place + 1), rest),
  );
}

describe('a verdict', () => {
  it('without expectations holds', () => {
    expect(judge([], {})).toEqual({ holds: true, counts: [], sequence: [] });
    expect(judge([], { counts: [], sequence: [], waitMs: 5 })).toEqual({
      holds: true,
      counts: [],
      sequence: [],
    });
  });

  it('answers every expectation, and holds where all of them do', async () => {
    const own = await after(['get-quiz-details', { quizId: quiz.id }]);
    const good = { operation: 'get-quiz-details' };
    const bad = { operation: 'list-assignments' };
    expect(await judged(own, { counts: [good, bad], sequence: [good] })).toMatchObject({
      holds: false,
      counts: [{ holds: true }, { holds: false }],
      sequence: [{ holds: true }],
    });
    expect(await judged(own, { counts: [good], sequence: [bad] })).toMatchObject({ holds: false });
    expect(await judged(own, { counts: [good], sequence: [good] })).toMatchObject({ holds: true });
  });
});

describe('requests that verify a journal', () => {
  it('are refused with 503 if what they expect takes up too much memory, and have it back at their end', async () => {
    const server = await startSandbox({ port: 0, max: { waitingCallsBytes: 400_000 } });
    onTestFinished(() => server.close());
    const verify = (values: number) =>
      supertest(server.url)
        .post('/control/sandboxes/default/journal/verify')
        .send({ counts: [{ body: { data: Array.from({ length: values }, () => 0) } }] });
    const refused = await verify(20_000);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.headers['sandbox-limit']).toBe('waitingCallsBytes; max=400000');
    expect(refused.body).toHaveProperty('detail', expect.stringContaining('waitingCallsBytes'));
    for (let round = 0; round < 5; round += 1) expect((await verify(2000)).status).toBe(200);
  });
});
