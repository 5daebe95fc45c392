import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { faultNames } from '../../src/faults/index.ts';
import {
  SandboxError,
  startSandbox,
  type NewFaultRule,
  type NewSandbox,
  type SandboxHandle,
  type SandboxServer,
} from '../../src/index.ts';
import { coupon, labId, learner, quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';

const now = '2026-10-15T09:00:00.000Z';
const clock = { mode: 'frozen', now } as const;

/** Without limits, so that nothing but rules decides what becomes of a call. */
let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0, limits: null });
});
afterAll(() => server.close());

interface CallOptions {
  readonly operation?: string;
  readonly parameters?: object;
  /** The parameters of several elements, instead of one. */
  readonly elements?: readonly object[];
  readonly school?: string;
}

/** A sandbox with rules, and a way to call it. Contracts are no matter here: faults break them on purpose. */
async function ruled(rules: readonly NewFaultRule[], request: NewSandbox = {}) {
  const sandbox = await server.createSandbox({ clock, ...request });
  for (const rule of rules) await sandbox.faults.add(rule);
  const call = ({
    operation = 'get-quiz-details',
    school = 'riverside',
    parameters = {},
    elements = [parameters],
  }: CallOptions = {}) =>
    supertest(server.url)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', sandbox.apiKey(school))
      .send({ data: elements.map((data) => ({ data })) });
  /** The rule that hit a call; a dot where none did. */
  const hit = async (options?: CallOptions): Promise<string> =>
    (await call(options)).headers['sandbox-fault'] ?? '.';
  /** Which of so many calls, one after another, were hit: by an x, or by the rule of that name. */
  const pattern = async (count: number, options?: CallOptions): Promise<string> => {
    const hits: string[] = [];
    for (let made = 0; made < count; made += 1) hits.push(await hit(options));
    return hits.join('');
  };
  return { sandbox, call, hit, pattern };
}

const x = { id: 'x', fault: 'http-error', with: { status: 503 } } as const;

async function counters({
  faults,
}: SandboxHandle): Promise<Readonly<Record<string, readonly [matched: number, fired: number]>>> {
  return Object.fromEntries((await faults.list()).map(({ id, matched, fired }) => [id, [matched, fired]]));
}

describe('which of the calls that it concerns a rule hits', () => {
  it.each<readonly [when: NewFaultRule['when'], hits: string]>([
    [undefined, 'xxxxxxxx'],
    [{}, 'xxxxxxxx'],
    [{ first: 2 }, 'xx......'],
    [{ first: 0 }, '........'],
    [{ skip: 3 }, '...xxxxx'],
    [{ skip: 0 }, 'xxxxxxxx'],
    [{ every: 3 }, '..x..x..'],
    [{ every: 1 }, 'xxxxxxxx'],
    [{ times: 3 }, 'xxx.....'],
    [{ times: 0 }, '........'],
    [{ skip: 2, first: 3 }, '..xxx...'],
    [{ every: 2, times: 2 }, '.x.x....'],
    [{ every: 2, first: 2 }, '.x......'],
    [{ every: 2, first: 5 }, '.x.x....'],
    [{ skip: 1, every: 3 }, '...x..x.'],
    [{ skip: 1, times: 2 }, '.xx.....'],
    [{ skip: 1, first: 5, every: 2 }, '..x.x...'],
    [{ skip: 1, first: 5, every: 2, times: 1 }, '..x.....'],
    [{ first: 3, times: 5 }, 'xxx.....'],
    [{ first: 5, times: 3 }, 'xxx.....'],
    [{ probability: 0 }, '........'],
    [{ probability: 1 }, 'xxxxxxxx'],
    [{ probability: 1, skip: 1, every: 2 }, '..x.x.x.'],
  ])('%j', async (when, hits) => {
    const { sandbox, pattern } = await ruled([{ ...x, ...(when === undefined ? {} : { when }) }]);
    expect(await pattern(8)).toBe(hits);
    expect(await counters(sandbox)).toEqual({ x: [8, hits.replaceAll('.', '').length] });
    const [{ canFire } = {}] = await sandbox.faults.list();
    expect((await pattern(3)).includes('x')).toBe(canFire);
  });

  it('is decided by the calls of all its operations and schools together', async () => {
    const { sandbox, hit } = await ruled([{ ...x, when: { skip: 1, first: 2 } }]);
    const hits = [
      await hit(),
      await hit({ operation: 'list-assignments' }),
      await hit({ operation: 'get-all-instructors', school: 'hillcrest' }),
      await hit(),
    ];
    expect(hits).toEqual(['.', 'x', 'x', '.']);
    expect(await counters(sandbox)).toEqual({ x: [4, 2] });
  });

  it('is counted from when the rule is added', async () => {
    const { sandbox, pattern } = await ruled([]);
    await pattern(3);
    await sandbox.faults.add({ ...x, when: { first: 2 } });
    expect(await pattern(4)).toBe('xx..');
    expect(await counters(sandbox)).toEqual({ x: [4, 2] });
  });
});

/**
 * What hits calls at these seconds from the beginning. The clock is frozen, so that it stands exactly there.
 */
async function atSeconds(
  seconds: readonly number[],
  rule: NewFaultRule,
  before = 0,
): Promise<readonly string[]> {
  const { sandbox, hit } = await ruled([]);
  await sandbox.clock.advance({ seconds: before });
  await sandbox.faults.add(rule);
  const hits: string[] = [];
  for (const second of seconds) {
    await sandbox.clock.set({
      mode: 'frozen',
      now: new Date(Date.parse(now) + (before + second) * 1000).toISOString(),
    });
    hits.push(await hit());
  }
  return hits;
}

describe('a rule in time', () => {
  it.each<readonly [between: readonly [string, string]]>([
    [['2026-10-15T09:00:10.000Z', '2026-10-15T09:00:20.000Z']],
    [['2026-10-15T09:00:10Z', '2026-10-15T09:00:20Z']],
    [['2026-10-15T11:00:10+02:00', '2026-10-15T05:00:20-04:00']],
    [['now+PT10S', 'now+PT20S']],
    [['2026-10-15T09:00:10Z', 'now+PT20S']],
    [['now+PT10S', '2026-10-15T09:00:20Z']],
  ])(
    'between %j hits from the one moment up to the other, of which the last is outside',
    async ([from, to]) => {
      const rule = { ...x, when: { between: [from, to] } };
      expect(await atSeconds([0, 9.999, 10, 15, 19.999, 20, 3600], rule)).toEqual([
        '.',
        '.',
        'x',
        'x',
        'x',
        '.',
        '.',
      ]);
    },
  );

  it.each<readonly [between: readonly [string, string], edges: readonly [number, number]]>([
    [
      ['now+PT1M', 'now+PT1H'],
      [60, 3600],
    ],
    [
      ['now+P1D', 'now+P1DT2H3M4S'],
      [86_400, 93_784],
    ],
    [
      ['now-PT5S', 'now+PT5S'],
      [-5, 5],
    ],
  ])('between %j counts from when the rule is added', async ([from, to], [start, end]) => {
    const rule = { ...x, when: { between: [from, to] } };
    expect(await atSeconds([start - 0.001, start, end - 0.001, end], rule, 100_000)).toEqual([
      '.',
      'x',
      'x',
      '.',
    ]);
  });

  it('hits again where the clock is set back into its time', async () => {
    expect(await atSeconds([25, 15, 5, 15], { ...x, when: { between: ['now+PT10S', 'now+PT20S'] } })).toEqual(
      ['.', 'x', '.', 'x'],
    );
  });

  it('counts only the calls of its time', async () => {
    const { sandbox, pattern } = await ruled([
      { ...x, when: { between: ['now+PT10S', 'now+PT20S'], skip: 1, first: 2 } },
    ]);
    expect(await pattern(3)).toBe('...');
    await sandbox.clock.advance({ seconds: 10 });
    expect(await pattern(4)).toBe('.xx.');
    await sandbox.clock.advance({ seconds: 10 });
    expect(await pattern(3)).toBe('...');
    expect(await counters(sandbox)).toEqual({ x: [4, 2] });
  });

  it.each([1, 10, 0.5])('of ttlSeconds %d is over after them, and stays in the list', async (ttlSeconds) => {
    const rule = { ...x, when: { ttlSeconds } };
    expect(await atSeconds([0, ttlSeconds - 0.001, ttlSeconds, 3600], rule, 100)).toEqual([
      'x',
      'x',
      '.',
      '.',
    ]);
    const { sandbox } = await ruled([rule]);
    await sandbox.clock.advance({ seconds: 60 });
    expect(await counters(sandbox)).toEqual({ x: [0, 0] });
  });

  it('hits only where both between and ttlSeconds let it', async () => {
    const rule = { ...x, when: { between: ['now+PT10S', 'now+PT20S'], ttlSeconds: 15 } };
    expect(await atSeconds([9, 10, 14, 15, 19], rule)).toEqual(['.', 'x', 'x', '.', '.']);
  });

  it('follows a clock that goes like one that is frozen', async () => {
    const { sandbox, hit } = await ruled([{ ...x, when: { between: ['now+PT1H', 'now+PT2H'] } }], {
      clock: { mode: 'real' },
    });
    const hits = [await hit()];
    await sandbox.clock.advance({ seconds: 5400 });
    hits.push(await hit());
    await sandbox.clock.advance({ seconds: 5400 });
    hits.push(await hit());
    expect(hits).toEqual(['.', 'x', '.']);
  });
});

/** The operations that a rule hits. */
async function hitOperations(operation?: NewFaultRule['operation']): Promise<readonly string[]> {
  const { hit } = await ruled([{ ...x, ...(operation === undefined ? {} : { operation }) }]);
  const hits: string[] = [];
  for (const name of operationNames) if ((await hit({ operation: name })) === 'x') hits.push(name);
  return hits;
}

describe('a rule about some operations', () => {
  it.each(operationNames)('hits %s alone where it is about that', async (name) => {
    expect(await hitOperations(name)).toEqual([name]);
  });

  it('hits those of a list, and no other', async () => {
    expect(await hitOperations(['list-assignments', 'get-quiz-details'])).toEqual([
      'get-quiz-details',
      'list-assignments',
    ]);
  });

  it.each(['*', ['*'], ['get-quiz-details', '*'], undefined] as const)(
    'hits all where it is about %j',
    async (operation) => {
      expect(await hitOperations(operation)).toEqual(operationNames);
    },
  );

  it('does not count the calls of others', async () => {
    const { sandbox, pattern } = await ruled([{ ...x, operation: 'get-quiz-details', when: { first: 1 } }]);
    expect(await pattern(5, { operation: 'list-assignments' })).toBe('.....');
    expect(await pattern(2)).toBe('x.');
    expect(await counters(sandbox)).toEqual({ x: [2, 1] });
  });
});

describe('a rule about some callers', () => {
  it('hits one school, and does not count the other', async () => {
    const { sandbox, hit } = await ruled([{ ...x, match: { school: 'hillcrest' } }]);
    expect([await hit(), await hit({ school: 'hillcrest' })]).toEqual(['.', 'x']);
    expect(await counters(sandbox)).toEqual({ x: [1, 1] });
  });

  it('hits one key, which is shown nowhere', async () => {
    const { sandbox, hit } = await ruled([]);
    const key = sandbox.apiKey('hillcrest');
    const added = await sandbox.faults.add({ ...x, match: { key } });
    expect([await hit(), await hit({ school: 'hillcrest' })]).toEqual(['.', 'x']);
    for (const rule of [added, ...(await sandbox.faults.list())]) {
      expect(rule.match).toEqual({ key: `${key.slice(0, 8)}…st` });
      expect(JSON.stringify(rule)).not.toContain(key);
    }
  });

  it('hits nobody where the key is of one school and the school another', async () => {
    const { sandbox, hit } = await ruled([]);
    await sandbox.faults.add({ ...x, match: { key: sandbox.apiKey('hillcrest'), school: 'riverside' } });
    expect([await hit(), await hit({ school: 'hillcrest' })]).toEqual(['.', '.']);
  });

  it('shows the school of its key, and whether a call can have both', async () => {
    const { sandbox } = await ruled([]);
    const key = sandbox.apiKey('hillcrest');
    const shownOf = async (match: NonNullable<NewFaultRule['match']>) => {
      const { keySchool, canFire } = await sandbox.faults.add({
        fault: 'http-error',
        with: { status: 503 },
        match,
      });
      return [keySchool, canFire];
    };
    expect(await shownOf({ school: 'riverside' })).toEqual([undefined, true]);
    expect(await shownOf({ key })).toEqual(['hillcrest', true]);
    expect(await shownOf({ key: `${key}_2`, school: 'hillcrest' })).toEqual(['hillcrest', true]);
    expect(await shownOf({ key, school: 'riverside' })).toEqual(['hillcrest', false]);
    expect(await shownOf({ key: 'sbx_another_hillcrest' })).toEqual([null, false]);
    expect(await shownOf({ key: `sbx_${sandbox.id}_nowhere` })).toEqual([null, false]);
    expect(await shownOf({ key: 'secret' })).toEqual([null, false]);
    expect((await sandbox.faults.list()).map(({ canFire }) => canFire)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a rule about parameters', () => {
  const details = {
    courseItemType: 'Quiz',
    questionsToUpsert: [{ questionUniqueId: quiz.single.id, newSelectedOptionIds: [quiz.single.correct] }],
  };
  const submission = { courseItemId: quiz.itemId, userId: learner.id, shouldMarkAsCompleted: false, details };
  const submit = { operation: 'submit-user-course-item', parameters: submission };
  const change = {
    operation: 'update-digital-product-coupon',
    parameters: {
      serviceCouponCodeId: coupon.id,
      numberOfRedemptionsAllowed: 5,
      couponTypeData: { percentOff: 0, 'a/b': { '~c': true }, nothing: null },
    },
  };

  it.each<readonly [parameters: Readonly<Record<string, unknown>>, call: CallOptions]>([
    [{ userId: learner.id }, submit],
    [{ '/userId': learner.id }, submit],
    [{ shouldMarkAsCompleted: false }, submit],
    [{ '/details/courseItemType': 'Quiz' }, submit],
    [{ '/details/questionsToUpsert/0/questionUniqueId': quiz.single.id }, submit],
    [{ '/details/questionsToUpsert/0/newSelectedOptionIds': [quiz.single.correct] }, submit],
    [{ details: { questionsToUpsert: details.questionsToUpsert, courseItemType: 'Quiz' } }, submit],
    [{ userId: learner.id, '/details/courseItemType': 'Quiz' }, submit],
    [{ numberOfRedemptionsAllowed: 5 }, change],
    [{ '/couponTypeData/percentOff': 0 }, change],
    [{ '/couponTypeData/a~1b/~0c': true }, change],
    [{ '/couponTypeData/nothing': null }, change],
  ])('%j hits a call that has them', async (parameters, call) => {
    const { hit } = await ruled([{ ...x, match: { parameters } }]);
    expect(await hit(call)).toBe('x');
  });

  it.each<readonly [parameters: Readonly<Record<string, unknown>>, call: CallOptions]>([
    [{ userId: learner.id.toUpperCase() }, submit],
    [{ userEmail: null }, submit],
    [{ shouldMarkAsCompleted: 'false' }, submit],
    [{ '/details/courseItemType': 'Article' }, submit],
    [{ '/details/questionsToUpsert/1/questionUniqueId': quiz.single.id }, submit],
    [{ '/details/questionsToUpsert/0/newSelectedOptionIds': [] }, submit],
    [{ '/details/questionsToUpsert/0/newSelectedOptionIds': { 0: quiz.single.correct } }, submit],
    [{ details: { courseItemType: 'Quiz' } }, submit],
    [{ details: { ...details, more: true } }, submit],
    [{ userId: learner.id, courseItemId: 'another' }, submit],
    [{ '/userId/length': learner.id.length }, submit],
    [{ '/details/constructor/name': 'Object' }, submit],
    [{ numberOfRedemptionsAllowed: '5' }, change],
    [{ '/couponTypeData/percentOff': null }, change],
    [{ '/couponTypeData/nothing': 0 }, change],
    [{ '/couponTypeData/missing': null }, change],
  ])('%j lets a call be that does not have them all', async (parameters, call) => {
    const { sandbox, hit } = await ruled([{ ...x, match: { parameters } }]);
    expect(await hit(call)).toBe('.');
    expect(await counters(sandbox)).toEqual({ x: [0, 0] });
  });

  it('hits a batch where one of its elements has them all, and counts it once', async () => {
    const { sandbox, hit } = await ruled([
      { ...x, match: { parameters: { userId: 'b', courseItemId: '2' } } },
    ]);
    const operation = 'submit-user-course-item';
    const elements = [
      { userId: 'a', courseItemId: '2' },
      { userId: 'b', courseItemId: '1' },
    ];
    const fitting = { userId: 'b', courseItemId: '2' };
    expect(await hit({ operation, elements })).toBe('.');
    expect(await hit({ operation, elements: [...elements, fitting, fitting] })).toBe('x');
    expect(await hit({ operation, elements: [] })).toBe('.');
    expect(await counters(sandbox)).toEqual({ x: [1, 1] });
  });

  it('makes just those elements fail that it is about', async () => {
    const { call } = await ruled([{ fault: 'element-error', match: { parameters: { quizId: quiz.id } } }]);
    const elements = [{ quizId: 'another' }, { quizId: quiz.id }, {}, { quizId: quiz.id }];
    const { body } = await call({ elements });
    const message = 'The service could not complete the request.';
    // Each output of these is an error; the fault's say what no operation says.
    const outputs = body as readonly { readonly output: { readonly errorMessage: string } }[];
    expect(outputs.map(({ output }) => output.errorMessage === message)).toEqual([false, true, false, true]);
  });

  it('needs its school and operation to fit as well', async () => {
    const match = { school: 'riverside', parameters: { labId } };
    const { hit } = await ruled([{ ...x, operation: 'update-interactive-coding-lab', match }]);
    const operation = 'update-interactive-coding-lab';
    expect([
      await hit({ operation, parameters: { labId } }),
      await hit({ operation, parameters: { labId }, school: 'hillcrest' }),
      await hit({ operation }),
      await hit({ operation: 'get-quiz-details', parameters: { labId } }),
    ]).toEqual(['x', '.', '.', '.']);
  });

  it('lets a call be whose body cannot be read', async () => {
    const { sandbox, call } = await ruled([{ ...x, match: { parameters: { quizId: quiz.id } } }]);
    const reply = await call().send(`{"data":[{"data":{"quizId":"${quiz.id}"}}`);
    expect({ status: reply.status, label: reply.headers['sandbox-fault'] }).toEqual({
      status: 400,
      label: undefined,
    });
    expect(await counters(sandbox)).toEqual({ x: [0, 0] });
  });
});

function rule(id: string, when: NonNullable<NewFaultRule['when']> = {}): NewFaultRule {
  return { ...x, id, when };
}

describe('several rules', () => {
  it.each<
    readonly [rules: readonly NewFaultRule[], hits: string, counted: Awaited<ReturnType<typeof counters>>]
  >([
    [[rule('a'), rule('b')], 'aaaaaa', { a: [6, 6], b: [0, 0] }],
    [[rule('a', { first: 2 }), rule('b')], 'aabbbb', { a: [6, 2], b: [4, 4] }],
    [[rule('a', { first: 2 }), rule('b', { first: 2 })], 'aabb..', { a: [6, 2], b: [4, 2] }],
    [[rule('a', { every: 2 }), rule('b')], 'bababa', { a: [6, 3], b: [3, 3] }],
    [[rule('a', { every: 2 }), rule('b', { every: 2 })], '.aba.a', { a: [6, 3], b: [3, 1] }],
    [[rule('a', { skip: 1, first: 2 }), rule('b', { skip: 1 })], '.aabbb', { a: [6, 2], b: [4, 3] }],
    [
      [rule('a', { times: 1 }), rule('b', { times: 1 }), rule('c', { skip: 1 })],
      'ab.ccc',
      { a: [6, 1], b: [5, 1], c: [4, 3] },
    ],
  ])(
    'are tried in order: the first that fires wins, and later ones do not count what it has hit (%#)',
    async (rules, hits, counted) => {
      const { sandbox, pattern } = await ruled(rules);
      expect(await pattern(6)).toBe(hits);
      expect(await counters(sandbox)).toEqual(counted);
    },
  );

  it('count each only what they are about', async () => {
    const { sandbox, hit } = await ruled([
      { ...rule('a'), operation: 'list-assignments' },
      { ...rule('b', { every: 2 }), match: { school: 'hillcrest' } },
      rule('c', { skip: 2 }),
    ]);
    const hits = [
      await hit({ operation: 'list-assignments', school: 'hillcrest' }),
      await hit({ school: 'hillcrest' }),
      await hit({ school: 'hillcrest' }),
      await hit(),
      await hit(),
    ];
    expect(hits).toEqual(['a', '.', 'b', '.', 'c']);
    expect(await counters(sandbox)).toEqual({ a: [1, 1], b: [2, 1], c: [3, 1] });
  });

  it('leave what an earlier one hit to the next once that is removed', async () => {
    const { sandbox, hit } = await ruled([rule('a'), rule('b'), rule('c')]);
    const hits = [await hit()];
    await sandbox.faults.remove('a');
    hits.push(await hit());
    await sandbox.faults.remove('b');
    hits.push(await hit());
    await sandbox.faults.clear();
    hits.push(await hit());
    expect(hits).toEqual(['a', 'b', 'c', '.']);
    expect(await sandbox.faults.list()).toEqual([]);
  });
});

describe('under parallel load', () => {
  const operations = [
    'get-quiz-details',
    'list-assignments',
    'get-all-live-events',
    'create-instructor-account',
  ] as const;

  /**
   * 200 calls that are all under way at once, of four operations and two schools: how many each rule hit, as
   * clients see it.
   */
  async function load(rules: readonly NewFaultRule[], request: NewSandbox = {}) {
    const { sandbox, hit } = await ruled(rules, request);
    const calls = Array.from({ length: 200 }, (_, number) => ({
      operation: operations[number % 4] ?? '',
      school: number % 3 === 0 ? 'hillcrest' : 'riverside',
    }));
    const seen: Record<string, number> = {};
    for (const label of await Promise.all(calls.map(hit))) seen[label] = (seen[label] ?? 0) + 1;
    return { sandbox, seen };
  }

  it.each<readonly [when: NonNullable<NewFaultRule['when']>, fired: number]>([
    [{ first: 37 }, 37],
    [{ times: 37 }, 37],
    [{ skip: 163 }, 37],
    [{ skip: 50, first: 100, every: 3 }, 33],
    [{ every: 7 }, 28],
    [{ every: 2, times: 99 }, 99],
  ])('%j hits exactly %i of 200 calls', { tags: ['slow'] }, async (when, fired) => {
    const { sandbox, seen } = await load([{ ...x, when }]);
    expect(seen).toEqual({ x: fired, '.': 200 - fired });
    expect(await counters(sandbox)).toEqual({ x: [200, fired] });
    expect(await sandbox.journal.list({ outcome: 'fault' })).toHaveLength(fired);
  });

  it('several rules share the calls exactly', { tags: ['slow'] }, async () => {
    const { sandbox, seen } = await load([
      { ...x, id: 'a', operation: 'get-quiz-details', when: { first: 13 } },
      { ...x, id: 'b', match: { school: 'hillcrest' }, when: { times: 11 } },
      { ...x, id: 'c', when: { first: 37 } },
    ]);
    expect(seen).toEqual({ a: 13, b: 11, c: 37, '.': 139 });
    expect(await counters(sandbox)).toMatchObject({ a: [50, 13], c: [176, 37] });
  });

  it('calls that a fault holds up count when they come', { tags: ['slow'] }, async () => {
    const { sandbox, hit } = await ruled([
      { id: 'slow', fault: 'delay', with: { ms: 5 }, when: { first: 20 } },
    ]);
    const labels = await Promise.all(Array.from({ length: 60 }, () => hit()));
    expect(labels.filter((label) => label === 'slow')).toHaveLength(20);
    expect(await counters(sandbox)).toEqual({ slow: [60, 20] });
  });
});

describe('a rule', () => {
  it('is named after its fault where it has no id, and labels its replies and its place in the journal', async () => {
    const { sandbox, hit } = await ruled([
      { fault: 'http-error', when: { first: 1 } },
      { fault: 'http-error', when: { first: 1 } },
      { fault: 'throttled', when: { first: 1 } },
    ]);
    expect((await sandbox.faults.list()).map(({ id }) => id)).toEqual([
      'http-error-1',
      'http-error-2',
      'throttled-1',
    ]);
    expect([await hit(), await hit(), await hit(), await hit()]).toEqual([
      'http-error-1',
      'http-error-2',
      'throttled-1',
      '.',
    ]);
    const armedAfter: unknown = expect.any(Number);
    expect((await sandbox.journal.list()).map(({ faults }) => faults)).toEqual([
      [{ fault: 'http-error', phase: 'before', rule: 'http-error-1', armedAfter }],
      [{ fault: 'http-error', phase: 'before', rule: 'http-error-2', armedAfter }],
      [{ fault: 'throttled', phase: 'before', rule: 'throttled-1', armedAfter }],
      [],
    ]);
  });

  it('gets a name that no other rule has or had', async () => {
    const { sandbox } = await ruled([{ id: 'reset-1', fault: 'garbage' }, { fault: 'reset' }]);
    await sandbox.faults.remove('reset-2');
    expect((await sandbox.faults.add({ fault: 'reset' })).id).toBe('reset-3');
    await sandbox.faults.clear();
    expect((await sandbox.faults.add({ fault: 'reset' })).id).toBe('reset-4');
  });

  it('labels nothing where the server is told not to', async () => {
    await using unlabelled = await startSandbox({ port: 0, labels: false });
    await unlabelled.default.faults.add(x);
    const reply = await supertest(unlabelled.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', unlabelled.default.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
    expect({ status: reply.status, label: reply.headers['sandbox-fault'] }).toEqual({
      status: 503,
      label: undefined,
    });
    expect(await unlabelled.default.journal.list()).toMatchObject([
      { outcome: 'fault', faults: [{ rule: 'x' }] },
    ]);
  });

  it('is listed as it was added, with its counters', async () => {
    const { sandbox, pattern } = await ruled([]);
    const rule: NewFaultRule = {
      id: 'all-of-it',
      operation: ['get-quiz-details', 'list-assignments'],
      match: { school: 'riverside', parameters: { quizId: quiz.id } },
      fault: 'http-error',
      with: { status: 502, 'retry-after': 3, message: 'Out to lunch.' },
      phase: 'after',
      when: {
        skip: 1,
        first: 4,
        every: 1,
        times: 2,
        probability: 1,
        between: ['now+PT0S', 'now+PT9S'],
        ttlSeconds: 5,
      },
    };
    expect(await sandbox.faults.add(rule)).toEqual({
      ...rule,
      scenario: null,
      matched: 0,
      fired: 0,
      canFire: true,
    });
    await pattern(5, { parameters: { quizId: quiz.id } });
    expect(await sandbox.faults.list()).toEqual([
      { ...rule, scenario: null, matched: 5, fired: 2, canFire: false },
    ]);
  });

  it('does not change with the object that it was made from, or with the list', async () => {
    const { sandbox, pattern } = await ruled([]);
    const rule = structuredClone<NewFaultRule>({ ...x, when: { first: 2 } });
    const added = await sandbox.faults.add(rule);
    for (const copy of [rule, added, ...(await sandbox.faults.list())])
      Object.assign(copy, { id: 'y', fault: 'nope', when: { first: 0 } });
    expect(await pattern(3)).toBe('xx.');
    expect(await sandbox.faults.list()).toEqual([
      { ...x, when: { first: 2 }, scenario: null, matched: 3, fired: 2, canFire: false },
    ]);
  });

  it('can fire until its time is over, and again once the clock is set back', async () => {
    const { sandbox } = await ruled([
      { ...x, when: { between: ['now+PT1S', 'now+PT9S'] } },
      { ...x, id: 'y', when: { ttlSeconds: 9 } },
    ]);
    const canFire = async () => (await sandbox.faults.list()).map((rule) => rule.canFire);
    expect(await canFire()).toEqual([true, true]);
    await sandbox.clock.advance({ seconds: 9 });
    expect(await canFire()).toEqual([false, false]);
    await sandbox.clock.advance({ seconds: -1 });
    expect(await canFire()).toEqual([true, true]);
  });

  it('that was added alone is gone after a reset, and names begin anew', async () => {
    const { sandbox, pattern } = await ruled([{ fault: 'http-error', when: { first: 3 } }]);
    expect(await pattern(1)).toBe('http-error-1');
    await sandbox.reset();
    expect(await sandbox.faults.list()).toEqual([]);
    expect(await pattern(2)).toBe('..');
    await sandbox.faults.add({ fault: 'http-error', when: { first: 1 } });
    expect(await pattern(2)).toBe('http-error-1.');
  });

  it('that is removed while somebody changes it does not come back, and the change is refused', async () => {
    const { sandbox } = await ruled([x, { ...x, id: 'y' }]);
    const changed = refusal(sandbox.faults.change('x', { when: { first: 1 } }));
    await sandbox.faults.remove('x');
    expect(await changed).toBe('There is no rule "x". The rules are y.');
    expect(await counters(sandbox)).toEqual({ y: [0, 0] });
  });

  it('that is not there cannot be removed; the message lists those that are', async () => {
    const { sandbox } = await ruled([x, { ...x, id: 'y' }]);
    const misuse = await refusal(sandbox.faults.remove('z'));
    expect(misuse).toBe('There is no rule "z". The rules are x, y.');
    expect(await counters(sandbox)).toEqual({ x: [0, 0], y: [0, 0] });
    await sandbox.faults.clear();
    expect(await refusal(sandbox.faults.remove('x'))).toBe('There is no rule "x". The sandbox has no rules.');
  });
});

/** The message of the SandboxError that something rejects with. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}

const faultList = `The faults are ${faultNames.join(', ')}.`;
const operationList = `The operations are ${operationNames.join(', ')}, or "*" for all.`;
const timings = 'Known here: skip, first, every, times, probability, between, ttlSeconds.';
const apart = '/fault: The parameters of delay are inconsistent.';
const noMoment = 'must be an RFC 3339 date-time, or a relative time such as "now+PT30S", but is the string';
const noId = '/id must match ^[a-z0-9-]{1,64}$, but is the string';
const noStatus = '/with/status must be a whole number from 400 to 599, but is';
const among = (known: string): string =>
  `is not a parameter of http-error. ${known}Its parameters are status, retry-after, message.`;

/** Rules that do not fit, with each thing that is said of them. */
const badRules: readonly (readonly [rule: unknown, ...said: readonly string[]])[] = [
  [undefined, 'must be an object, but is missing.'],
  ['reset', 'must be an object, but is the string "reset".'],
  [{}, '/fault is required, but missing.'],
  [{ fault: 7 }, '/fault must be a string, but is the number 7.'],
  [{ fault: 'explode' }, `/fault: There is no fault "explode". ${faultList}`],
  [{ fault: 'slowBody' }, `/fault: There is no fault "slowBody". Did you mean "slow-body"? ${faultList}`],
  [{ fault: 'constructor' }, `/fault: There is no fault "constructor". ${faultList}`],
  [{ fault: 'http-error', with: { code: 503 } }, `/with/code ${among('')}`],
  [
    { fault: 'http-error', with: { retryAfter: 2 } },
    `/with/retryAfter ${among('Did you mean "retry-after"? ')}`,
  ],
  [
    { fault: 'garbage', with: { bytes: 9 } },
    '/with/bytes is not a parameter of garbage. It has no parameters.',
  ],
  [{ fault: 'http-error', with: { status: '503' } }, `${noStatus} the string "503".`],
  [{ fault: 'http-error', with: { status: null } }, `${noStatus} null.`],
  [{ fault: 'http-error', with: { status: 399 } }, `${noStatus} the number 399.`],
  [{ fault: 'http-error', with: { status: 600 } }, `${noStatus} the number 600.`],
  [
    { fault: 'delay', with: { ms: 1.5 } },
    '/with/ms must be a whole number from 0 to 600000, but is the number 1.5.',
  ],
  [{ fault: 'delay', with: { ms: Infinity } }, '/with/ms must be a JSON value, but is the number Infinity.'],
  [
    { fault: 'output-error', with: { message: 5 } },
    '/with/message must be a string of up to 1000 characters, but is the number 5.',
  ],
  [
    { fault: 'output-error', with: { message: 'a'.repeat(1001) } },
    `/with/message must be a string of up to 1000 characters, but is the string "${'a'.repeat(59)}….`,
  ],
  [
    { fault: 'wrong-content-type', with: { type: 'html' } },
    '/with/type must be a media type such as text/html, but is the string "html".',
  ],
  [{ fault: 'delay', with: { min: 5 } }, `${apart} Set both "min" and "max", or both "p50" and "p99".`],
  [{ fault: 'delay', with: { p99: 5 } }, `${apart} Set both "min" and "max", or both "p50" and "p99".`],
  [
    { fault: 'delay', with: { ms: 5, min: 1, max: 2 } },
    `${apart} Set "ms", or "min" and "max", or "p50" and "p99".`,
  ],
  [{ fault: 'delay', with: { min: 5, max: 1 } }, `${apart} "min" must not be greater than "max".`],
  [{ fault: 'delay', with: { p50: 5, p99: 1 } }, `${apart} "p50" must not be greater than "p99".`],
  [
    { fault: 'element-error', with: { index: 0, every: 2 } },
    '/fault: The parameters of element-error are inconsistent. Set "index" or "every", not both.',
  ],
  [{ fault: 'reset', with: [] }, '/with must be an object, but is an empty array.'],
  [
    { fault: 'reset', phase: 'during' },
    '/phase must be one of "before", "after", but is the string "during".',
  ],
  [
    { fault: 'reset', operation: 'get-quizzes' },
    `/operation must be an operation, but is "get-quizzes". ${operationList}`,
  ],
  [
    { fault: 'reset', operation: 'list-assignment' },
    `/operation must be an operation, but is "list-assignment". Did you mean "list-assignments"? ${operationList}`,
  ],
  [
    { fault: 'reset', operation: ['get-quiz-details', 'nope', '*', 'this'] },
    `must be an operation, but is "nope". ${operationList}`,
    `must be an operation, but is "this". ${operationList}`,
  ],
  [{ fault: 'reset', operation: [] }, '/operation must '],
  [{ fault: 'reset', operation: [7] }, '/operation/0 must be a string, but is the number 7.'],
  [
    { fault: 'reset', wen: {} },
    '/wen is not a known field. Did you mean "when"? Known here: id, operation, match, fault, with, phase, when.',
  ],
  [
    { fault: 'reset', when: { frist: 1 } },
    `/when/frist is not a known field. Did you mean "first"? ${timings}`,
  ],
  [{ fault: 'reset', when: { first: -1 } }, '/when/first must be at least 0, but is the number -1.'],
  [{ fault: 'reset', when: { every: 0 } }, '/when/every must be at least 1, but is the number 0.'],
  [{ fault: 'reset', when: { skip: 0.5 } }, '/when/skip must be an integer, but is the number 0.5.'],
  [{ fault: 'reset', when: { times: 'x' } }, '/when/times must be an integer, but is the string "x".'],
  [
    { fault: 'reset', when: { probability: 50 } },
    '/when/probability must be at most 1, but is the number 50.',
  ],
  [
    { fault: 'reset', when: { probability: -0.1 } },
    '/when/probability must be at least 0, but is the number -0.1.',
  ],
  [{ fault: 'reset', when: { ttlSeconds: 0 } }, '/when/ttlSeconds must be more than 0, but is the number 0.'],
  [{ fault: 'reset', when: { between: [now] } }, '/when/between must '],
  [{ fault: 'reset', when: { between: [now, now, now] } }, '/when/between must '],
  [
    { fault: 'reset', when: { between: ['2026-10-15', 'tomorrow'] } },
    `/when/between/0 ${noMoment} "2026-10-15".`,
    `/when/between/1 ${noMoment} "tomorrow".`,
  ],
  [
    { fault: 'reset', when: { between: ['now+5', 'now+30'] } },
    `/when/between/0 ${noMoment} "now+5".`,
    `/when/between/1 ${noMoment} "now+30".`,
  ],
  [
    { fault: 'reset', when: { between: ['2026-10-15T11:00:00+02:00', '2026-10-15T08:00:00Z'] } },
    '/when/between must start before it ends.',
  ],
  [
    { fault: 'reset', when: { between: ['now+PT30S', 'now+PT10S'] } },
    '/when/between must start before it ends.',
  ],
  [{ fault: 'reset', when: { between: [now, now] } }, '/when/between must start before it ends.'],
  [{ fault: 'reset', id: 'My Rule' }, `${noId} "My Rule".`],
  [{ fault: 'reset', id: '' }, `${noId} "".`],
  [{ fault: 'reset', id: 'a'.repeat(65) }, `${noId} "${'a'.repeat(59)}….`],
  [{ fault: 'reset', id: 'x' }, 'A rule "x" already exists.'],
  [
    { fault: 'reset', match: { scool: 'riverside' } },
    '/match/scool is not a known field. Did you mean "school"? Known here: school, key, parameters.',
  ],
  [{ fault: 'reset', match: { parameters: {} } }, '/match/parameters must '],
  [
    { fault: 'reset', match: { parameters: { quizNumber: 1 } } },
    '/match/parameters/quizNumber is not a parameter of *.',
  ],
  [
    {
      fault: 'reset',
      operation: 'get-quiz-details',
      match: { parameters: { '/labId': labId, quizid: quiz.id } },
    },
    '/match/parameters/~1labId is not a parameter of get-quiz-details. The parameters are quizId.',
    '/match/parameters/quizid is not a parameter of get-quiz-details. Did you mean "quizId"? The parameters are quizId.',
  ],
  [
    {
      fault: 'reset',
      id: '?',
      phase: 'now',
      more: 1,
      when: { skip: -1, every: 'two' },
      match: { school: 1 },
    },
    `${noId} "?".`,
    '/phase must be one of "before", "after", but is the string "now".',
    '/more is not a known field.',
    '/when/skip must be at least 0, but is the number -1.',
    '/when/every must be an integer, but is the string "two".',
    '/match/school must be a string, but is the number 1.',
  ],
  [
    {
      fault: 'http-error',
      operation: ['get-quiz-details', 'nope'],
      match: { parameters: { labId } },
      with: { status: 1, message: false, code: 2 },
      when: { between: ['then', 'now+PT1S'] },
    },
    'must be an operation, but is "nope".',
    '/match/parameters/labId is not a parameter of get-quiz-details',
    `${noStatus} the number 1.`,
    '/with/message must be a string of up to 1000 characters, but is the boolean false.',
    `/with/code ${among('')}`,
    `/when/between/0 ${noMoment} "then".`,
  ],
];

describe('a rule that does not fit', () => {
  it.each(badRules)('is refused, with all that is wrong, and changes nothing: %j', async (rule, ...said) => {
    const { sandbox, pattern } = await ruled([{ ...x, when: { skip: 1 } }]);
    await pattern(1);
    // What a program without types can pass.
    const message = await refusal(sandbox.faults.add(rule as NewFaultRule));
    for (const one of said) expect(message).toContain(one);
    // Where there are several things, they are numbered.
    expect(message.match(/\(\d+\) /g)?.length ?? 1).toBe(said.length);
    expect(await sandbox.faults.list()).toEqual([
      { ...x, when: { skip: 1 }, scenario: null, matched: 1, fired: 0, canFire: true },
    ]);
    expect(await pattern(1)).toBe('x');
  });

  it('does not use up a name', async () => {
    const { sandbox } = await ruled([]);
    await refusal(sandbox.faults.add({ fault: 'reset', with: { bytes: -1 } }));
    expect((await sandbox.faults.add({ fault: 'reset' })).id).toBe('reset-1');
  });
});
