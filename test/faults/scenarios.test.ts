import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { start } from '../../src/commands/start/command.ts';
import { checkScenario } from '../../src/faults/check-rule.ts';
import { SandboxError, type SandboxHandle } from '../../src/index.ts';
import { scenarioNames } from '../../src/store/read-scenario.ts';
import { temporaryFolder } from '../support/command.ts';
import { items, quiz } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { invoke, startHere } from '../support/invocation.ts';
import { supertest } from '../support/supertest.ts';
import { settled, stopRealTime } from '../support/wire.ts';
import { sharedServer, world } from '../support/world.ts';

/** What a client has in hand after a call. */
interface Seen {
  /** 0 where no answer came, or only a part of one. */
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const noAnswer: Seen = { status: 0, type: '', headers: {}, text: '' };

async function send(
  sandbox: SandboxHandle,
  operation: string,
  elements: readonly object[],
  school = 'riverside',
): Promise<Seen> {
  try {
    const reply = await supertest(sandbox.baseUrl)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', sandbox.apiKey(school))
      .send({ data: elements.map((data) => ({ data })) })
      // As text, because what is declared as JSON may be none.
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
        response.on('end', () => done(null, text));
      });
    // The parser above made a text of it, and Node's headers are texts.
    const { status, type, headers, body } = reply as unknown as Omit<Seen, 'text'> & {
      readonly body: string;
    };
    return { status, type, headers, text: body };
  } catch {
    return noAnswer;
  }
}

/** The reply to a call, however long a fault keeps it: the sandbox's time flies meanwhile. */
async function hurried<T>(sandbox: SandboxHandle, reply: Promise<T>): Promise<T> {
  const over = reply.then(() => true);
  while (!(await Promise.race([over, nextTurn(false)]))) await sandbox.clock.advance({ seconds: 600 });
  return reply;
}

async function times<T>(count: number, act: (number: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let number = 0; number < count; number += 1) results.push(await act(number));
  return results;
}

type Member = {
  readonly output?: {
    readonly status: string;
    readonly data?: Record<string, unknown>;
    readonly errorMessage?: string;
  };
};

function membersOf({ text }: Seen): readonly Member[] {
  // What the service sends, or a fault makes of it.
  return JSON.parse(text) as readonly Member[];
}

/** Status and type in a word or two. */
function inShort({ status, type }: Seen): string {
  if (status === 0) return 'no answer';
  return status === 200 && type === 'application/json' ? 'ok' : `${status} ${type}`;
}

const aQuiz = [{ quizId: quiz.id }];
const askForQuiz = (sandbox: SandboxHandle, school?: string): Promise<Seen> =>
  send(sandbox, 'get-quiz-details', aQuiz, school);

describe('the scenarios that come with the sandbox', () => {
  it('are ten at least', () => {
    expect(scenarioNames()).toEqual(
      expect.arrayContaining([
        'bad-gateway',
        'flaky-network',
        'key-revoked',
        'long-outage',
        'lost-replies',
        'outage-then-recovery',
        'partial-batches',
        'rate-limit-storm',
        'schema-drift',
        'silent-outage',
        'slow-day',
      ]),
    );
    expect(readdirSync('fixtures/scenarios').toSorted()).toEqual(
      scenarioNames().map((name) => `${name}.yaml`),
    );
  });

  it.each(scenarioNames())(
    '%s fits its schema, and has a summary and a lesson of a sentence or two',
    (name) => {
      const content: unknown = parse(readFileSync(`fixtures/scenarios/${name}.yaml`, 'utf8'));
      expect(checkScenario(name, content)).toMatchObject({ name });
      const sentence = /^[A-Z][^|]{30,200}\.$/;
      expect(content).toMatchObject({
        summary: expect.stringMatching(sentence) as unknown,
        lesson: expect.stringMatching(sentence) as unknown,
      });
    },
  );

  it('bad-gateway: of eight calls four go well, and four bring something else than JSON', async () => {
    const { sandbox } = await world({ scenario: 'bad-gateway' });
    const seen = await times(16, () => askForQuiz(sandbox));
    const round = ['ok', 'ok', 'ok', 'ok', 'no answer', '200 text/html', '504 text/html', '502 text/html'];
    expect(seen.map(inShort)).toEqual([...round, ...round]);
    expect(seen[7]?.text).toContain('<h1>502 Bad Gateway</h1>');
  });

  it('key-revoked: ten calls go well, and then no key is good any more', async () => {
    const { sandbox } = await world({ scenario: 'key-revoked' });
    const before = await times(10, (number) =>
      askForQuiz(sandbox, number % 2 === 0 ? 'riverside' : 'hillcrest'),
    );
    expect(before.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await sandbox.clock.advance({ seconds: 3600 });
    for (const school of ['riverside', 'hillcrest']) {
      const after = await askForQuiz(sandbox, school);
      expect(after.status).toBe(401);
      expect(membersOf(after)).toEqual([
        { output: { status: 'error', errorMessage: 'The API key is not valid.' } },
      ]);
    }
  });

  it(
    'long-outage: everything fails for a minute, and for 24 calls, without a word on how long it lasts',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world({ scenario: 'long-outage', clock: { mode: 'frozen' } });
      const inMinute = await times(30, () => askForQuiz(sandbox));
      await sandbox.clock.advance({ seconds: 59.9 });
      const failed = [...inMinute, await askForQuiz(sandbox)];
      expect(failed.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        Array.from({ length: 31 }, () => [503, undefined]),
      );
      await sandbox.clock.advance({ seconds: 0.1 });
      expect(inShort(await askForQuiz(sandbox))).toBe('ok');
      const { sandbox: slow } = await world({ scenario: 'long-outage', clock: { mode: 'frozen' } });
      await slow.clock.advance({ seconds: 60 });
      expect((await times(25, () => askForQuiz(slow))).map(({ status }) => status)).toEqual([
        ...Array.from({ length: 24 }, () => 503),
        200,
      ]);
    },
  );

  it(
    'lost-replies: of four writing calls two take effect and their replies are lost; reading is undisturbed',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world({ scenario: 'lost-replies' });
      const emails = Array.from({ length: 8 }, (_, number) => `new-${number}@riverside-academy.example`);
      const create = (instructorEmail: string): Promise<Seen> =>
        send(sandbox, 'create-instructor-account', [{ instructorEmail }]);
      const seen = await times(8, async (number) => {
        expect(inShort(await askForQuiz(sandbox))).toBe('ok');
        return inShort(await create(emails[number] ?? ''));
      });
      const round = ['ok', 'ok', '504 text/html', 'no answer'];
      expect(seen).toEqual([...round, ...round]);
      const known = async (): Promise<readonly string[]> =>
        (await sandbox.state.list('instructors')).map(({ email }) => email);
      expect(await known()).toEqual(expect.arrayContaining(emails));
      const number = (await known()).length;
      expect(inShort(await create(emails[3] ?? ''))).toBe('ok');
      expect(await known()).toHaveLength(number);
    },
  );

  it(
    'outage-then-recovery: three calls go well, five meet an outage, five are slow, and then all is well',
    { tags: ['slow'] },
    async () => {
      stopRealTime();
      const { sandbox } = await world({ scenario: 'outage-then-recovery', clock: { mode: 'frozen' } });
      const quick = async (): Promise<string> => inShort(await askForQuiz(sandbox));
      expect(await times(3, quick)).toEqual(['ok', 'ok', 'ok']);
      const outage = await times(5, () => askForQuiz(sandbox));
      expect(outage.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        Array.from({ length: 5 }, () => [503, '2']),
      );
      await times(5, async () => {
        let pending = true;
        const reply = askForQuiz(sandbox).finally(() => (pending = false));
        // Long enough for any reply that does not wait.
        await times(3, () => settled(sandbox));
        await sandbox.clock.advance({ seconds: 1 });
        await settled(sandbox);
        expect(pending).toBe(true);
        await sandbox.clock.advance({ seconds: 0.5 });
        expect(inShort(await reply)).toBe('ok');
      });
      expect(await times(10, quick)).toEqual(Array.from({ length: 10 }, () => 'ok'));
      expect((await sandbox.journal.list()).slice(-10).flatMap(({ faults }) => faults)).toEqual([]);
    },
  );

  it('silent-outage: after two calls three meet an outage that does not say how long it lasts, and later three of every eight', async () => {
    const { sandbox } = await world({ scenario: 'silent-outage' });
    const seen = await times(19, () => askForQuiz(sandbox));
    const down = [503, 503, 503];
    expect(seen.map(({ status }) => status)).toEqual([
      200,
      200,
      ...down,
      ...Array.from({ length: 3 }, () => 200),
      ...down,
      ...Array.from({ length: 5 }, () => 200),
      ...down,
    ]);
    for (const { headers } of seen) expect(headers['retry-after']).toBeUndefined();
  });

  it('partial-batches: of six batches one is whole, and each of the others is partial in a way of its own', async () => {
    const { sandbox } = await world({ scenario: 'partial-batches' });
    const names = new Map([
      [items.article, 'article'],
      [items.markdown, 'markdown'],
      [items.draft, 'draft'],
    ]);
    const batch = [...names.keys()].map((courseItemId) => ({ courseItemId }));
    const told = ({ output }: Member): string => {
      if (output === undefined) return 'hollow';
      if (output.status === 'error') return output.errorMessage === undefined ? 'no reason' : 'failed';
      // What get-course-item-data answers, by the contract.
      const item = output.data?.['courseItemData'] as { readonly serviceCourseItemId: string } | undefined;
      return names.get(item?.serviceCourseItemId ?? '') ?? '';
    };
    const seen = await times(12, async () =>
      membersOf(await send(sandbox, 'get-course-item-data', batch)).map(told),
    );
    const round = [
      ['article', 'markdown', 'draft'],
      ['draft', 'markdown', 'article'],
      ['no reason', 'markdown', 'draft'],
      ['hollow', 'markdown', 'draft'],
      ['article', 'markdown'],
      ['article', 'failed', 'draft'],
    ];
    expect(seen).toEqual([...round, ...round]);
  });

  it('schema-drift: every reply has drifted, in one way after another', async () => {
    const { sandbox } = await world({ scenario: 'schema-drift' });
    interface Quiz {
      readonly quizTitle: string;
      readonly addedLater?: string;
      readonly questions: readonly {
        readonly type?: string;
        readonly title?: string;
        readonly explanation?: string | null;
      }[];
    }
    const ways: readonly (readonly [string, (result: Quiz) => boolean])[] = [
      [
        'nulls',
        ({ questions }) => questions.length > 0 && questions.every(({ explanation }) => explanation === null),
      ],
      ['long texts', ({ quizTitle }) => quizTitle.length === 5000],
      ['other scripts', ({ quizTitle }) => quizTitle.includes('漢字')],
      ['empty lists', ({ questions }) => questions.length === 0],
      ['fields gone', ({ questions }) => questions.some(({ title }) => title === undefined)],
      ['unknown values', ({ questions }) => questions.some(({ type }) => type === 'AddedLater')],
      ['unknown fields', ({ addedLater }) => addedLater !== undefined],
    ];
    const seen = await times(14, async () => {
      // What get-quiz-details answers, by the contract and as far as the drift has left it.
      const result = membersOf(await askForQuiz(sandbox))[0]?.output?.data as unknown as Quiz;
      return ways.filter(([, shows]) => shows(result)).map(([way]) => way);
    });
    const round = ways.map(([way]) => [way]);
    expect(seen).toEqual([...round, ...round]);
  });

  it(
    'rate-limit-storm: in the first minute two of three calls are throttled before the limit is reached, and then none',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world({ scenario: 'rate-limit-storm', clock: { mode: 'frozen' } });
      const atOnce = await times(50, () => askForQuiz(sandbox));
      await sandbox.clock.advance({ seconds: 59.9 });
      const atTheEnd = await times(9, () => askForQuiz(sandbox));
      const storm = [...atOnce, ...atTheEnd];
      const throttled = storm.filter(({ status }) => status === 429);
      expect(throttled.length).toBeGreaterThan(30);
      expect(throttled.length).toBeLessThan(50);
      expect(storm.filter(({ status }) => status === 200)).toHaveLength(59 - throttled.length);
      expect(atTheEnd.map(({ status }) => status)).toContain(429);
      expect(new Set(throttled.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['2', '10']));
      await sandbox.clock.advance({ seconds: 0.1 });
      expect((await times(30, () => askForQuiz(sandbox))).map(inShort)).toEqual(
        Array.from({ length: 30 }, () => 'ok'),
      );
    },
  );

  it(
    'flaky-network: one call in six is lost, in every way there is; the others go well after a while',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world({ scenario: 'flaky-network', randomSeed: 3 });
      const seen = await times(150, () => hurried(sandbox, askForQuiz(sandbox)));
      const lost = seen.filter(({ status }) => status === 0);
      expect(lost.length).toBeGreaterThan(15);
      expect(lost.length).toBeLessThan(35);
      expect(seen.filter((one) => inShort(one) === 'ok')).toHaveLength(150 - lost.length);
      const rules = await sandbox.faults.list();
      expect(rules.map(({ fault, fired }) => [fault, fired > 0])).toEqual(
        ['timeout', 'reset', 'truncated-body', 'empty-response', 'delay'].map((fault) => [fault, true]),
      );
      expect(rules.reduce((sum, { fired }) => sum + fired, 0)).toBe(150);
    },
  );

  it(
    'slow-day: everything works, the first 20 calls take their time, and then one in 15',
    { tags: ['slow'] },
    async () => {
      stopRealTime();
      const { sandbox } = await world({ scenario: 'slow-day', clock: { mode: 'frozen' } });
      let answered = 0;
      const ask = async () => {
        const seen = await askForQuiz(sandbox);
        answered += 1;
        return seen;
      };
      const calls = Array.from({ length: 20 }, ask);
      // The operation has run in every case; it is the replies that wait.
      await eventually(async () => expect(await sandbox.journal.list()).toHaveLength(20));
      expect(answered).toBe(0);
      await sandbox.clock.advance({ seconds: 0.4 });
      await eventually(() => expect(answered).toBeGreaterThanOrEqual(5));
      await settled(sandbox);
      expect(answered).toBeLessThan(17);
      const seen = await hurried(sandbox, Promise.all(calls));
      answered = 0;
      const later = Array.from({ length: 30 }, ask);
      await eventually(() => expect(answered).toBe(28));
      await settled(sandbox);
      expect(answered).toBe(28);
      const all = [...seen, ...(await hurried(sandbox, Promise.all(later)))];
      expect(all.map(inShort)).toEqual(Array.from({ length: 50 }, () => 'ok'));
      expect(all.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, () => seen[0]?.text));
      expect((await sandbox.faults.list()).map(({ id, fired }) => [id, fired])).toEqual([
        ['drip', 4],
        ['long', 1],
        ['slow', 15],
        ['tail', 2],
      ]);
    },
  );

  it.each([1, 2, 3])(
    'slow-day: the ninth call exceeds a timeout of 5 s with any seed: %i',
    async (randomSeed) => {
      stopRealTime();
      const { sandbox } = await world({ scenario: 'slow-day', randomSeed, clock: { mode: 'frozen' } });
      const answered: number[] = [];
      const ask = async (number: number) => {
        await askForQuiz(sandbox);
        answered.push(number);
      };
      await times(8, (number) => hurried(sandbox, ask(number + 1)));
      const ninth = ask(9);
      await eventually(async () => expect(await sandbox.journal.list()).toHaveLength(9));
      await sandbox.clock.advance({ seconds: 5.9 });
      await settled(sandbox);
      expect(answered).not.toContain(9);
      await sandbox.clock.advance({ seconds: 0.1 });
      await ninth;
      expect(answered).toContain(9);
    },
  );

  it.each([1, 2, 3])(
    'flaky-network: the calls 20, 40 and 60 get no response, with any seed: %i',
    { tags: ['slow'] },
    async (randomSeed) => {
      const { sandbox } = await world({ scenario: 'flaky-network', randomSeed });
      await times(65, () => hurried(sandbox, askForQuiz(sandbox)));
      const entries = await sandbox.journal.list();
      const silent = entries.flatMap(({ faults }, at) =>
        faults.some(({ rule }) => rule === 'silent') ? [at + 1] : [],
      );
      expect(silent).toEqual([20, 40, 60]);
    },
  );
});

/** A scenario file of one's own, in a folder that is gone after the test. */
function file(text: string, name = 'my-own.yaml'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

const mine =
  'summary: The second call fails.\nrules: [{ id: second, fault: http-error, with: { status: 418 }, when: { skip: 1, first: 1 } }]\n';

async function statuses(sandbox: SandboxHandle, count: number): Promise<readonly number[]> {
  return (await times(count, () => askForQuiz(sandbox))).map(({ status }) => status);
}

describe('a scenario', () => {
  it("can be a file of one's own, by its path; it is called like the file", async () => {
    const { sandbox } = await world({ scenario: file(mine) });
    expect(await sandbox.scenario.current()).toBe('my-own');
    expect(await statuses(sandbox, 4)).toEqual([200, 418, 200, 200]);
  });

  it('can be written as JSON, too', async () => {
    const { sandbox } = await world();
    await sandbox.scenario.play(file(JSON.stringify(parse(mine)), 'mine.json'));
    expect(await statuses(sandbox, 3)).toEqual([200, 418, 200]);
  });

  it('gives its rules names after its own where they have none, fit for labels whatever the file is called', async () => {
    const { sandbox } = await world({
      scenario: file('summary: All fail.\nrules: [{ fault: http-error }]', 'Früh am Montag.yaml'),
    });
    const { headers } = await askForQuiz(sandbox);
    expect(headers['sandbox-fault']).toMatch(/^[a-z0-9-]+-1$/);
    expect((await sandbox.faults.list()).map(({ id }) => id)).toEqual([headers['sandbox-fault']]);
  });

  it('begins when it is played, takes the place of the one before, and can be stopped', async () => {
    const { sandbox } = await world();
    expect(await sandbox.scenario.current()).toBeNull();
    await statuses(sandbox, 5);
    await sandbox.scenario.play(file(mine));
    expect(await statuses(sandbox, 2)).toEqual([200, 418]);
    await sandbox.scenario.play('key-revoked');
    expect(await sandbox.scenario.current()).toBe('key-revoked');
    expect((await sandbox.faults.list()).map(({ id, scenario }) => [id, scenario])).toEqual([
      ['revoked', 'key-revoked'],
    ]);
    expect((await statuses(sandbox, 11)).at(-1)).toBe(401);
    await sandbox.scenario.stop();
    expect(await sandbox.scenario.current()).toBeNull();
    expect(await sandbox.faults.list()).toEqual([]);
    expect(await statuses(sandbox, 2)).toEqual([200, 200]);
  });

  it('is played again from the beginning when it is played a second time', async () => {
    const path = file(mine);
    const { sandbox } = await world({ scenario: path });
    expect(await statuses(sandbox, 3)).toEqual([200, 418, 200]);
    await sandbox.scenario.play(path);
    expect(await statuses(sandbox, 3)).toEqual([200, 418, 200]);
  });

  it(
    'begins anew at a reset, its chances and its time included, and then plays alone',
    { tags: ['slow'] },
    async () => {
      const { sandbox } = await world({ scenario: 'rate-limit-storm', clock: { mode: 'frozen' } });
      await sandbox.faults.add({
        id: 'alone',
        fault: 'http-error',
        with: { status: 418 },
        when: { skip: 25 },
      });
      const first = await statuses(sandbox, 20);
      expect(first).toContain(429);
      await sandbox.clock.advance({ seconds: 60 });
      expect(await statuses(sandbox, 20)).not.toContain(429);
      await sandbox.reset();
      expect(await sandbox.scenario.current()).toBe('rate-limit-storm');
      expect((await sandbox.faults.list()).map(({ id, matched }) => [id, matched])).toEqual([
        ['throttled-briefly', 0],
        ['throttled-longer', 0],
      ]);
      expect(await statuses(sandbox, 20)).toEqual(first);
    },
  );

  it('ends when all rules are cleared', async () => {
    const { sandbox } = await world({ scenario: file(mine) });
    await sandbox.faults.clear();
    expect(await sandbox.scenario.current()).toBeNull();
    await sandbox.reset();
    expect(await statuses(sandbox, 2)).toEqual([200, 200]);
  });

  it('comes before the rules that were added alone, and leaves them where they are', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ id: 'alone', fault: 'http-error', with: { status: 599 } });
    await sandbox.scenario.play(file(mine));
    expect((await sandbox.faults.list()).map(({ id }) => id)).toEqual(['second', 'alone']);
    expect(await statuses(sandbox, 3)).toEqual([599, 418, 599]);
    await sandbox.scenario.stop();
    expect((await sandbox.faults.list()).map(({ id, matched }) => [id, matched])).toEqual([['alone', 2]]);
  });

  it.each(['flaky-network', 'rate-limit-storm'])(
    '%s is the same again with the same random seed, and another with another',
    { tags: ['slow'] },
    async (name) => {
      const fates = async (randomSeed: number): Promise<readonly unknown[]> => {
        const { sandbox } = await world({ scenario: name, randomSeed, clock: { mode: 'frozen' } });
        await times(40, () =>
          name === 'rate-limit-storm' ? askForQuiz(sandbox) : hurried(sandbox, askForQuiz(sandbox)),
        );
        return (await sandbox.journal.list()).map(({ faults }) => faults.map(({ rule }) => rule));
      };
      const [one, again, other] = [await fates(11), await fates(11), await fates(12)];
      expect(one).toHaveLength(40);
      expect(again).toEqual(one);
      expect(other).not.toEqual(one);
    },
  );

  it('plays in its own sandbox alone', async () => {
    const { sandbox: noisy } = await world({ scenario: 'key-revoked' });
    const { sandbox: quiet } = await world();
    expect((await statuses(noisy, 11)).at(-1)).toBe(401);
    expect(await statuses(quiet, 11)).not.toContain(401);
  });
});

const list =
  'bad-gateway, flaky-network, key-revoked, long-outage, lost-replies, outage-then-recovery, partial-batches, rate-limit-storm, schema-drift, silent-outage, slow-day';

/** What cannot be played, as a name or as the text of a file, and what is said to it. */
const refused: readonly (readonly [string, () => string, readonly string[]])[] = [
  [
    'a name with a slip',
    () => 'flaky-netwrok',
    ['There is no scenario "flaky-netwrok". Did you mean "flaky-network"?', `Known scenarios: ${list}`],
  ],
  ['no name', () => '', ['There is no scenario "".', `Known scenarios: ${list}`]],
  [
    'a file that is missing',
    () => './nowhere/mine.yaml',
    ['There is no scenario "./nowhere/mine.yaml".', 'the path of your own .yaml file'],
  ],
  ['a file that is no YAML', () => file('rules: ['), ['my-own.yaml is not YAML', 'line 1']],
  [
    'a file with a key twice',
    () => file('summary: One.\nsummary: Two.\n'),
    ['my-own.yaml is not YAML', 'line 2'],
  ],
  ['an empty file', () => file(''), ['my-own.yaml is invalid', 'must be an object, but is null']],
  ['a scenario without rules', () => file('summary: Nothing happens.'), ['/rules is required, but missing.']],
  [
    'a scenario with an empty list of rules',
    () => file('summary: Nothing happens.\nrules: []'),
    ['/rules must'],
  ],
  [
    'a scenario without a summary',
    () => file('rules: [{ fault: reset }]'),
    ['/summary is required, but missing.'],
  ],
  [
    'a word that no scenario has',
    () => file('summary: All fail.\nlessons: None.\nrules: [{ fault: reset }]'),
    ['/lessons is not a known field. Did you mean "lesson"? Known here: summary, lesson, rules.'],
  ],
  [
    'an unknown fault, in the second rule',
    () => file('summary: All fail.\nrules: [{ fault: reset }, { fault: resett }]'),
    ['/rules/1/fault', 'There is no fault "resett". Did you mean "reset"? The faults are http-error, '],
  ],
  [
    'several mistakes, all of which are named',
    () =>
      file(
        'summary: All fail.\nrules: [{ fault: http-error, with: { stauts: 503 } }, { fault: delay, operation: get-quiz, with: { ms: -1 } }]',
      ),
    [
      '/rules/0/with/stauts is not a parameter of http-error. Did you mean "status"?',
      '/rules/1/operation must be an operation, but is "get-quiz".',
      '/rules/1/with/ms must be a whole number from 0 to 600000',
    ],
  ],
  [
    'rules of one name',
    () => file('summary: All fail.\nrules: [{ id: a, fault: reset }, { id: a, fault: garbage }]'),
    ['/rules must have different ids, but "a" occurs twice.'],
  ],
];

async function complaintOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => new Error('It was accepted.'),
    (reason: unknown) => reason,
  );
  if (error instanceof SandboxError) return error.message;
  throw new Error('There was no SandboxError.', { cause: error });
}

describe('a scenario that cannot be played is refused, and nothing changes', () => {
  it.each(refused)('%s', async (_, scenario, said) => {
    const { createSandbox, sandbox: sandboxNamed } = await sharedServer();
    const named = scenario();
    const complaint = await complaintOf(createSandbox({ id: 'never-made', scenario: named }));
    for (const words of said) expect(complaint).toContain(words);
    expect(await sandboxNamed('never-made')).toBeNull();

    const { sandbox } = await world({ scenario: 'key-revoked' });
    await statuses(sandbox, 3);
    const rules = await sandbox.faults.list();
    expect(await complaintOf(sandbox.scenario.play(named))).toBe(complaint);
    expect(await sandbox.scenario.current()).toBe('key-revoked');
    expect(await sandbox.faults.list()).toEqual(rules);
    expect((await statuses(sandbox, 8)).map((status) => status === 401)).toEqual([
      ...Array.from({ length: 7 }, () => false),
      true,
    ]);
  });

  it('one with a rule that the sandbox has already', async () => {
    const { sandbox } = await world({ scenario: 'slow-day' });
    await sandbox.faults.add({ id: 'revoked', fault: 'reset', when: { probability: 0 } });
    const rules = await sandbox.faults.list();
    expect(await complaintOf(sandbox.scenario.play('key-revoked'))).toBe(
      'The sandbox already has a rule "revoked", which the scenario contains too. Remove that rule first.',
    );
    expect(await sandbox.scenario.current()).toBe('slow-day');
    expect(await sandbox.faults.list()).toEqual(rules);
  });
});

describe('--scenario', () => {
  it.each([
    [
      'a name with a slip',
      () => 'slow-dya',
      'There is no scenario "slow-dya". Did you mean "slow-day"? Known scenarios: ',
    ],
    [
      'a file that does not fit',
      () => file('summary: All fail.\nrules: [{ fault: http-error, with: { stauts: 503 } }]', 'mine.yaml'),
      'mine.yaml is invalid:\n  /rules/0/with/stauts is not a parameter of http-error.',
    ],
    ['a file that is no YAML', () => file('rules: [', 'none.yaml'), 'none.yaml is not YAML: '],
    ['a file that is missing', () => 'nowhere.yaml', 'There is no scenario "nowhere.yaml".'],
  ])('%s ends the program before it serves', async (_, scenario, said) => {
    const invoked = invoke(start, ['--port', '0', '--scenario', scenario()]);
    await expect(invoked.code).rejects.toThrow(SandboxError);
    await expect(invoked.code).rejects.toThrow(said);
    expect(invoked.said().out).toBe('');
  });

  it('plays in every sandbox, those that a key opens too, for each from the beginning; and the banner names it', async () => {
    const { banner, url } = await startHere(['--port', '0', '--scenario', file(mine, 'mine.yaml')]);
    expect(banner).toMatch(/^ +Scenario +mine: The second call fails\.$/m);
    for (const key of ['sbx_default_riverside', 'sbx_build-481_riverside', 'sbx_build-482_hillcrest']) {
      const ask = async (): Promise<number> =>
        (
          await supertest(url)
            .post('/public/get-all-instructors')
            .set('SERVICE-API-KEY', key)
            .send({ data: [{ data: {} }] })
        ).status;
      expect(await times(3, ask)).toEqual([200, 418, 200]);
    }
  });
});
