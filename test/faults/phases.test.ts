import { isDeepStrictEqual } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { operationFacts } from '../../src/contract/generated/facts.ts';
import { isOperationName, operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import type { Phase } from '../../src/faults/fault.ts';
import { faultGroups, type FaultName } from '../../src/faults/index.ts';
import type { SandboxHandle } from '../../src/index.ts';
import { collectionNames } from '../../src/sandbox/seed.ts';
import { coupon, instructors, labId, learner, quiz, schools } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { outputsOf, resultOf, world, type World } from '../support/world.ts';

const now = '2026-10-15T09:00:00.000Z';
const clock = { mode: 'frozen', now } as const;

type WritingOperation = {
  [N in OperationName]: (typeof operationFacts)[N]['writes'] extends true ? N : never;
}[OperationName];

/**
 * A request of each operation that writes, which changes something in the demo data. The compiler asks for a
 * new operation's.
 */
const changes: Readonly<Record<WritingOperation, object>> = {
  'update-digital-product-coupon': {
    serviceCouponCodeId: coupon.id,
    serviceDigitalProductId: coupon.productId,
    description: 'Changed',
    couponTypeData: { type: 'percent-off', percentOff: 33 },
  },
  'update-interactive-coding-lab': { labId, labTitle: 'Changed', testCases: [{ input: '1', output: '2' }] },
  'submit-user-course-item': {
    courseItemId: quiz.itemId,
    userId: 'a-learner-of-tomorrow',
    userEmail: 'ada@students.riverside-academy.example',
    details: {
      questionsToUpsert: [
        { questionUniqueId: quiz.single.id, newSelectedOptionIds: [quiz.single.options[0]] },
      ],
    },
    shouldMarkAsCompleted: true,
  },
  'create-instructor-account': {
    instructorEmail: 'ines.duarte@riverside-academy.example',
    instructorName: 'Inês Duarte',
  },
};

const writes = Object.entries(changes).map(([operation, parameters]) => ({ operation, parameters }));
const faults = Object.values(faultGroups).flat();

/** A new fault is tested with its standard parameters; these keep real time short. */
const quick: Partial<Record<FaultName, string>> = { delay: '; ms=1' };

/**
 * One fault of each group, which is tried with all that writes. What a phase means is no matter of single
 * operations.
 */
const ofEachGroup: ReadonlySet<FaultName> = new Set(['http-error', 'reset', 'element-error', 'extra-fields']);

/** Every fault, with one operation after the other. */
const faultsAndWrites = faults.flatMap(({ name }, number) =>
  writes
    .filter((_, place) => ofEachGroup.has(name) || place === number % writes.length)
    .map((write) => ({ fault: name, ...write })),
);

interface Write {
  readonly operation: string;
  readonly parameters: object;
}

type Content = Readonly<Record<string, readonly unknown[]>>;

/** All that a sandbox remembers. */
async function contentOf({ state }: SandboxHandle): Promise<Content> {
  const entries = await Promise.all(
    collectionNames.map(async (name) => [name, await state.list(name)] as const),
  );
  return Object.fromEntries(entries);
}

interface Outcome {
  readonly reply: unknown;
  readonly content: Content;
}

async function undisturbed(write: Write): Promise<Outcome> {
  const place = await world({ clock });
  const reply = await place.call(write.operation, write.parameters);
  resultOf(reply);
  return { reply: reply.body, content: await contentOf(place.sandbox) };
}

/** The outcomes by operation, of the requests of `changes`: the same call comes to the same in every sandbox. */
const outcomes = new Map<string, Promise<Outcome>>();

/** What one undisturbed call comes to: its reply, and what the sandbox then remembers. */
function cleanly({ operation, parameters }: Write): Promise<Outcome> {
  const outcome = outcomes.get(operation) ?? undisturbed({ operation, parameters });
  outcomes.set(operation, outcome);
  return outcome;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await nextTurn();
}

/**
 * Calls with a fault. Returns the reply, or null if the connection or the reply is broken. The clock ends all
 * waits and is then set back, so that the sandbox has the same time as one that was not disturbed.
 */
async function disturbed(
  { url, sandbox }: World,
  fault: FaultName,
  phase: Phase | null,
  { operation, parameters }: Write,
): Promise<Response | null> {
  const over = new AbortController();
  const ended = supertest(url)
    .post(`/public/${operation}`)
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Sandbox-Fault', `${fault}${quick[fault] ?? ''}${phase === null ? '' : `; phase=${phase}`}`)
    .send({ data: [{ data: parameters }] })
    .then(
      (reply) => reply,
      () => null,
    )
    .finally(() => over.abort());
  await until(async () => {
    // Once it is in the journal, the call has run, and only its reply can still be under way.
    if (!over.signal.aborted && (await sandbox.journal.list()).length > 0)
      await sandbox.clock.advance({ seconds: 3600 });
    return over.signal.aborted;
  });
  const hits = (await sandbox.journal.list()).map((entry) => entry.faults);
  expect(hits).toEqual([[{ fault, phase: phase ?? (expect.any(String) as unknown), rule: null }]]);
  await sandbox.clock.set(clock);
  return ended;
}

describe('the operations of this file', () => {
  it('are all that write', () => {
    expect(Object.keys(changes).toSorted()).toEqual(
      operationNames.filter((name) => operationFacts[name].writes).toSorted(),
    );
    expect(Object.keys(changes).every(isOperationName)).toBe(true);
  });

  it.each(writes)('change something by themselves: $operation', { tags: ['slow'] }, async (write) => {
    const untouched = await contentOf((await world({ clock })).sandbox);
    expect((await cleanly(write)).content).not.toEqual(untouched);
  });
});

// A delay in phase `before` lets the operation take effect when it is over; its own tests are below.
describe.each(faultsAndWrites.filter(({ fault }) => fault !== 'delay'))(
  '$fault before $operation',
  ({ fault, ...write }) => {
    it('lets nothing change, and a retry then does what one call does', async () => {
      const place = await world({ clock });
      const untouched = await contentOf(place.sandbox);
      await disturbed(place, fault, 'before', write);
      expect(await contentOf(place.sandbox)).toEqual(untouched);
      const retry = await place.call(write.operation, write.parameters);
      const clean = await cleanly(write);
      expect(retry.body).toEqual(clean.reply);
      expect(await contentOf(place.sandbox)).toEqual(clean.content);
    });
  },
);

describe.each(faultsAndWrites)('$fault after $operation', ({ fault, ...write }) => {
  it('strikes when it has taken effect, and a retry then changes nothing more', async () => {
    const place = await world({ clock });
    await disturbed(place, fault, 'after', write);
    const clean = await cleanly(write);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
    const retry = await place.call(write.operation, write.parameters);
    expect(retry.body).toEqual(clean.reply);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
  });
});

/** Whether a reply tells its client that all is done. */
function looksDone(reply: Response | null): boolean {
  return reply?.status === 200 && reply.text.startsWith('[{"output":{"status":"ok"');
}

describe.each(faultsAndWrites)('$fault without a phase, on $operation', ({ fault, ...write }) => {
  it('makes no reply lie: what looks done is done, and nothing else', async () => {
    const place = await world({ clock });
    const untouched = await contentOf(place.sandbox);
    const reply = await disturbed(place, fault, null, write);
    const expected = looksDone(reply) ? (await cleanly(write)).content : untouched;
    expect(
      isDeepStrictEqual(await contentOf(place.sandbox), expected),
      looksDone(reply)
        ? `The reply looks successful, but ${write.operation} had no effect: give ${fault} the phase after.`
        : `The reply does not look successful, but ${write.operation} took effect: give ${fault} the phase before.`,
    ).toBe(true);
  });
});

/** A fault that loses replies in each of its ways, for the rules of single operations. */
const losses: readonly FaultName[] = ['reset', 'http-error', 'timeout', 'malformed-json', 'output-error'];

/** A submission with one answer. */
function answering(option: string): Write {
  return {
    operation: 'submit-user-course-item',
    parameters: {
      courseItemId: quiz.itemId,
      userId: learner.id,
      details: { questionsToUpsert: [{ questionUniqueId: quiz.single.id, newSelectedOptionIds: [option] }] },
    },
  };
}

describe('a retry after a lost reply, some time later', () => {
  it.each(losses)(
    'of a creation that %s hid finds the account there, and makes no second one',
    async (fault) => {
      const place = await world({ clock });
      const write = {
        operation: 'create-instructor-account',
        parameters: changes['create-instructor-account'],
      };
      const before = await contentOf(place.sandbox);
      await disturbed(place, fault, 'after', write);
      const [created] = (await place.sandbox.state.list('instructors')).slice(-1);
      await place.sandbox.clock.advance({ seconds: 30 });
      const found = resultOf(await place.call(write.operation, write.parameters));
      expect(found).toEqual({ serviceInstructorId: created?.id, associatedServiceUserId: created?.userId });
      expect(await place.sandbox.state.list('instructors')).toEqual([
        ...(before['instructors'] ?? []),
        created,
      ]);
      expect(await place.sandbox.state.list('users')).toHaveLength((before['users']?.length ?? 0) + 1);
    },
  );

  it.each(losses)("of a creation that %s hid has added another school's instructor once", async (fault) => {
    const place = await world({ clock });
    const { id, userId, email } = instructors.hillcrest;
    const write = { operation: 'create-instructor-account', parameters: { instructorEmail: email } };
    await disturbed(place, fault, 'after', write);
    await place.sandbox.clock.advance({ seconds: 30 });
    resultOf(await place.call(write.operation, write.parameters));
    for (const record of [
      await place.sandbox.state.get('instructors', id),
      await place.sandbox.state.get('users', userId),
    ]) {
      expect(record?.schoolIds).toEqual([schools.hillcrest, schools.riverside]);
    }
  });

  it.each(losses)(
    'of a submission that %s hid leaves it there once, and a resubmission replaces its answers',
    async (fault) => {
      const place = await world({ clock });
      const answers = async (): Promise<unknown> => {
        const all = await place.sandbox.state.list('submissions');
        const mine = all.filter(
          ({ userId, courseItemId }) => userId === learner.id && courseItemId === quiz.itemId,
        );
        return mine.map((one) => one.answers.map(({ selectedOptionIds }) => selectedOptionIds));
      };
      const [wrong = '', other = ''] = quiz.single.options;
      await disturbed(place, fault, 'after', answering(wrong));
      expect(await answers()).toEqual([[[wrong]]]);
      await place.sandbox.clock.advance({ seconds: 30 });
      for (const option of [wrong, other, other]) {
        const { operation, parameters } = answering(option);
        resultOf(await place.call(operation, parameters));
        expect(await answers()).toEqual([[[option]]]);
      }
    },
  );

  it.each(losses)('of an update that %s hid ends in the same record', async (fault) => {
    const place = await world({ clock });
    const write = {
      operation: 'update-interactive-coding-lab',
      parameters: changes['update-interactive-coding-lab'],
    };
    await disturbed(place, fault, 'after', write);
    const lab = await place.sandbox.state.get('labs', labId);
    expect(lab).toHaveProperty('labTitle', 'Changed');
    await place.sandbox.clock.advance({ seconds: 30 });
    resultOf(await place.call(write.operation, write.parameters));
    expect(await place.sandbox.state.get('labs', labId)).toEqual(lab);
  });
});

/** A call that a delay holds up until the clock is set on, as a client that may give up sends it. */
interface HeldCall {
  readonly place: World;
  readonly untouched: Content;
  /** What the client gets; null where it gave up. */
  readonly answered: Promise<unknown>;
  readonly giveUp: () => void;
}

async function held(phase: Phase, { operation, parameters }: Write): Promise<HeldCall> {
  const place = await world({ clock });
  const { sandbox, url } = place;
  const untouched = await contentOf(sandbox);
  await sandbox.faults.add({ fault: 'delay', with: { ms: 60_000 }, phase, when: { first: 1 } });
  // Unlike the other client, this one can be made to give up.
  const patience = new AbortController();
  const answered = fetch(`${url}/public/${operation}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: [{ data: parameters }] }),
    signal: patience.signal,
  }).then(
    (reply) => reply.json(),
    () => null,
  );
  await until(async () => (await sandbox.faults.list()).some(({ fired }) => fired === 1));
  return { place, untouched, answered, giveUp: () => patience.abort() };
}

/** What one undisturbed call comes to, a minute after the sandbox was made. */
async function aMinuteLater(write: Write): Promise<Content> {
  const place = await world({ clock });
  await place.sandbox.clock.advance({ seconds: 60 });
  resultOf(await place.call(write.operation, write.parameters));
  return contentOf(place.sandbox);
}

describe.each(writes)('a delay of $operation', (write) => {
  it('before lets nothing change until it is over; then the operation runs, as of then', async () => {
    const { place, untouched, answered } = await held('before', write);
    await place.sandbox.clock.advance({ seconds: 59.999 });
    expect(await contentOf(place.sandbox)).toEqual(untouched);
    expect(await place.sandbox.journal.list()).toEqual([]);
    await place.sandbox.clock.advance({ seconds: 0.001 });
    expect(await answered).toEqual((await cleanly(write)).reply);
    expect(await contentOf(place.sandbox)).toEqual(await aMinuteLater(write));
  });

  it('after lets the operation run at once, and only its reply wait', async () => {
    const { place, answered } = await held('after', write);
    const clean = await cleanly(write);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
    let over = false;
    void answered.then(() => (over = true));
    await place.sandbox.clock.advance({ seconds: 59.999 });
    // A reply that had left would be seen before a later call is answered.
    resultOf(await place.call('get-quiz-details', { quizId: quiz.id }));
    expect(over).toBe(false);
    await place.sandbox.clock.advance({ seconds: 0.001 });
    expect(await answered).toEqual(clean.reply);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
  });

  it('before, of a client that gives up, lets nothing change, also when it would be over; a retry does what one call does', async () => {
    const { place, untouched, answered, giveUp } = await held('before', write);
    giveUp();
    expect(await answered).toBeNull();
    await until(async () => (await place.sandbox.journal.list()).length > 0);
    expect(await place.sandbox.journal.list()).toMatchObject([
      { status: 0, outcome: 'client-gone', outcomes: [], response: '' },
    ]);
    await place.sandbox.clock.advance({ seconds: 60 });
    expect(await contentOf(place.sandbox)).toEqual(untouched);
    resultOf(await place.call(write.operation, write.parameters));
    expect(await contentOf(place.sandbox)).toEqual(await aMinuteLater(write));
    expect(await place.sandbox.journal.list()).toHaveLength(2);
  });

  it('after, of a client that gives up, leaves what has taken effect', async () => {
    const { place, answered, giveUp } = await held('after', write);
    giveUp();
    expect(await answered).toBeNull();
    const clean = await cleanly(write);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
    const retry = await place.call(write.operation, write.parameters);
    expect(retry.body).toEqual(clean.reply);
    expect(await contentOf(place.sandbox)).toEqual(clean.content);
  });
});

/** Faults that make elements fail, each asked to hit the last of three. */
const elementFaults = [
  'element-error; index=2',
  'not-found; index=2',
  'missing-output; index=2',
  'error-without-message; index=2',
  'short-output',
];

describe.each(elementFaults)('%s on a batch', (fault) => {
  const emails = ['one', 'two', 'three'].map((name) => `${name}@riverside-academy.example`);

  /** Those of the batch who have an account in the end. */
  async function created(
    phase: Phase,
    options: Parameters<typeof world>[0] = {},
  ): Promise<readonly string[]> {
    const { batch, sandbox, url } = await world({ clock, ...options });
    const reply = await supertest(url)
      .post('/public/create-instructor-account')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .set('Sandbox-Fault', `${fault}; phase=${phase}`)
      .send({ data: emails.map((instructorEmail) => ({ data: { instructorEmail } })) });
    expect(reply.headers['sandbox-fault']).toBe(fault.split(';')[0]);
    const accounts = await sandbox.state.list('instructors');
    const first = emails.filter((email) => accounts.some((account) => account.email === email));
    // Sent again as a whole, it makes good what is missing and nothing else.
    const again = await batch(
      'create-instructor-account',
      emails.map((instructorEmail) => ({ instructorEmail })),
    );
    expect(outputsOf(again).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    const all = (await sandbox.state.list('instructors')).map(({ email }) => email);
    expect(all.filter((email) => emails.includes(email)).toSorted()).toEqual(emails.toSorted());
    return first;
  }

  it('before keeps the element that it hits from taking effect, and no other', async () => {
    expect(await created('before')).toEqual(emails.slice(0, 2));
  });

  it('after hits an element that has taken effect like the others', async () => {
    expect(await created('after')).toEqual(emails);
  });

  it('before keeps the whole batch from taking effect where it is all or nothing', async () => {
    expect(await created('before', { assumptions: { batchProcessing: 'all-or-nothing' } })).toEqual([]);
  });

  it('after lets the whole batch take effect where it is all or nothing', async () => {
    expect(await created('after', { assumptions: { batchProcessing: 'all-or-nothing' } })).toEqual(emails);
  });
});

describe('several faults at once', () => {
  it.each([
    ['http-error, slow-body; phase=after', false],
    ['http-error; phase=after, malformed-json; phase=before', false],
    ['http-error; phase=after, malformed-json; phase=after', true],
    ['delay; ms=1; phase=before, reset; phase=after', true],
    ['reordered-output; phase=before, delay; ms=1; phase=after', false],
  ] as const)(
    'let the operation take effect only where none of them keeps it from that: %s',
    { tags: ['slow'] },
    async (header, effect) => {
      const { sandbox, url } = await world({ clock });
      await supertest(url)
        .post('/public/update-interactive-coding-lab')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .set('Sandbox-Fault', header)
        .send({ data: [{ data: { labId, labTitle: 'Changed' } }] })
        .then(
          () => null,
          () => null,
        );
      expect((await sandbox.state.get('labs', labId))?.labTitle === 'Changed').toBe(effect);
    },
  );
});
