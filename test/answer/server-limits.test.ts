import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { coupon, quiz } from '../support/demo.ts';
import { serve } from '../support/serve.ts';
import { outputsOf, world, type World } from '../support/world.ts';
import type { StartOptions } from '../../src/index.ts';

/** A server of its own with some limits, and the way to call it. */
async function limitedTo(max: NonNullable<StartOptions['max']>) {
  const { url, default: sandbox } = await serve({ max });
  const call = (operation: string, elements: readonly unknown[], fault?: string): supertest.Test => {
    const request = supertest(url)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
    if (fault !== undefined) void request.set('Sandbox-Fault', fault);
    return request.send({ data: elements.map((data) => ({ data })) });
  };
  return { sandbox, call };
}

const aQuiz = { quizId: quiz.id };

/** As many of one element. */
function times<T>(count: number, element: T): readonly T[] {
  return Array.from({ length: count }, () => element);
}

describe('a limit of the server', () => {
  it('is told as one of this server, with its name, its value and the flag that changes it', async () => {
    const { sandbox, call } = await limitedTo({ batchElements: 3 });
    const { status, type, headers, body } = await call('get-quiz-details', times(4, aQuiz));
    expect({ status, type, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      type: 'application/problem+json',
      limit: 'batchElements; max=3',
    });
    expect(body).toMatchObject({
      type: 'urn:learning-platform-sandbox:server-limit',
      title: 'Limit of this server',
      status: 413,
    });
    expect(body).toHaveProperty(
      'detail',
      'The batch has 4 elements; this server processes at most 3 in one call. Split it into several calls. This is a limit of this server, not of the platform; --max batchElements=N changes it.',
    );
    expect(await sandbox.journal.list()).toMatchObject([
      { status: 413, outcome: 'server-limit', outcomes: [] },
    ]);
  });

  it('is the same under every profile, as it is no behavior of the platform', async () => {
    const { url, createSandbox } = await serve({ max: { batchElements: 1 } });
    const sandbox = await createSandbox({ profile: 'always-200' });
    const { status, type } = await supertest(url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: times(2, { data: aQuiz }) });
    expect({ status, type }).toEqual({ status: 413, type: 'application/problem+json' });
  });

  it('lets what just fits pass', async () => {
    const { call } = await limitedTo({ batchElements: 3, jsonValues: 1000, faultsPerCall: 2 });
    expect((await call('get-quiz-details', times(3, aQuiz))).status).toBe(200);
    expect((await call('get-quiz-details', [aQuiz], 'extra-fields, null-fields')).status).toBe(200);
  });
});

describe('a reply that would be larger than this server sends', () => {
  it('is refused, and nothing of the call takes effect', async () => {
    const { sandbox, call } = await limitedTo({ replyBytes: 1024 });
    const created = times(20, 0).map((_, number) => ({
      instructorEmail: `new${number}@school.example`,
      instructorName: 'New',
    }));
    const { status, headers, body } = await call('create-instructor-account', created);
    expect({ status, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      limit: 'replyBytes; max=1024',
    });
    expect(body).toHaveProperty(
      'detail',
      expect.stringContaining('The call had no effect. Send fewer elements per call.'),
    );
    const instructors = await sandbox.state.list('instructors');
    expect(instructors.filter(({ email }) => email.startsWith('new'))).toEqual([]);
  });

  it('of one element is refused without the advice to send fewer elements', async () => {
    const { call } = await limitedTo({ replyBytes: 1024 });
    const { status, body } = await call('get-all-instructors', [{}]);
    expect(status).toBe(413);
    expect(body).toHaveProperty(
      'detail',
      expect.stringContaining(
        'The call had no effect. A single element needs smaller records, or fewer of them.',
      ),
    );
  });

  it('counts the messages of elements that fail as well', async () => {
    const { call } = await limitedTo({ replyBytes: 1024 });
    expect((await call('get-quiz-details', times(20, { quizId: 'x' }))).status).toBe(413);
  });

  it('may be smaller if a fault changes its outputs', async () => {
    const { call } = await limitedTo({ editedReplyBytes: 1024 });
    expect((await call('get-quiz-details', times(5, aQuiz))).status).toBe(200);
    const { status, headers } = await call('get-quiz-details', times(5, aQuiz), 'extra-fields');
    expect({ status, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      limit: 'editedReplyBytes; max=1024',
    });
  });

  it('is what it was before a change that would make it too large', { tags: ['slow'] }, async () => {
    const { call } = await limitedTo({ replyBytes: 10_000 });
    const { text } = await call('get-quiz-details', [aQuiz], 'long-strings; length=100000');
    const { text: plain } = await call('get-quiz-details', [aQuiz]);
    expect(text).toBe(plain);
  });

  it('is refused with 503 for a moment while other large replies are on their way', async () => {
    const { call } = await limitedTo({ repliesInFlightBytes: 1_048_576, batchElements: 10_000 });
    const { status, headers, body } = await call('get-quiz-details', times(3000, aQuiz));
    expect({ status, after: headers['retry-after'], limit: headers['sandbox-limit'] }).toEqual({
      status: 503,
      after: '1',
      limit: 'repliesInFlightBytes; max=1048576',
    });
    expect(body).toHaveProperty('type', 'urn:learning-platform-sandbox:server-busy');
  });

  it('is refused in the same way before a long list is complete', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await limitedTo({ repliesInFlightBytes: 1_048_576 });
    const [known] = await sandbox.state.list('instructors');
    if (known === undefined) throw new Error('There is no instructor.');
    const longDescriptionMarkdown = 'x'.repeat(700_000);
    for (const number of [1, 2, 3])
      await sandbox.state.put('instructors', { ...known, id: `i${number}`, longDescriptionMarkdown });
    const { status, headers } = await call('get-all-instructors', [{}]);
    expect({ status, limit: headers['sandbox-limit'] }).toEqual({
      status: 503,
      limit: 'repliesInFlightBytes; max=1048576',
    });
    for (const number of [1, 2, 3]) await sandbox.state.remove('instructors', `i${number}`);
    expect((await call('get-all-instructors', [{}])).status).toBe(200);
  });

  it('leaves room for the next one when it has been sent', { tags: ['slow'] }, async () => {
    const { call } = await limitedTo({ repliesInFlightBytes: 3 * 1_048_576 });
    const large = times(1000, aQuiz);
    const { text } = await call('get-quiz-details', large);
    expect(text.length).toBeGreaterThan(2_097_152);
    for (const round of [1, 2, 3])
      expect([round, (await call('get-quiz-details', large)).status]).toEqual([round, 200]);
  });
});

const instructor = (number: number) => ({
  instructorEmail: `new${number}@riverside-academy.example`,
  instructorName: 'x'.repeat(5000),
});

describe('a call that waits', () => {
  it('is refused for a moment if calls that wait take up too much memory, and takes no effect', async () => {
    const { sandbox, call } = await limitedTo({ waitingCallsBytes: 30_000 });
    const before = await sandbox.state.list('instructors');
    const { status, headers, body } = await call(
      'create-instructor-account',
      [1, 2, 3].map(instructor),
      'delay; ms=1',
    );
    expect({ status, after: headers['retry-after'], limit: headers['sandbox-limit'] }).toEqual({
      status: 503,
      after: '1',
      limit: 'waitingCallsBytes; max=30000',
    });
    expect(body).toHaveProperty('type', 'urn:learning-platform-sandbox:server-busy');
    expect(await sandbox.state.list('instructors')).toEqual(before);
    expect(await sandbox.journal.list()).toMatchObject([{ status: 503, outcome: 'server-busy' }]);
    // What is refused, or answered, holds nothing.
    for (const number of [4, 5, 6]) {
      expect((await call('create-instructor-account', [instructor(number)], 'delay; ms=1')).status).toBe(200);
    }
  });
});

/** An element with so many fields, each with an object of its own. */
function fields(count: number): object {
  return Object.fromEntries(times(count, 0).map((_, number) => [`field${number}`, { a: 1, b: [{ c: 1 }] }]));
}

describe('an object of a body with more fields than this server reads', () => {
  it('is refused before it is parsed; nested objects count for themselves', async () => {
    const { call } = await limitedTo({ objectFields: 100 });
    expect((await call('get-all-live-events', [fields(100)])).status).toBe(200);
    const { status, headers } = await call('get-all-live-events', [fields(101)]);
    expect({ status, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      limit: 'objectFields; max=100',
    });
  });
});

describe('a body with more values than this server reads', () => {
  it('is refused before it is parsed, however its text means them', async () => {
    const { call } = await limitedTo({ jsonValues: 1000 });
    const { status, headers } = await call('update-interactive-coding-lab', [
      { labId: 'x', testCases: times(1000, 1) },
    ]);
    expect({ status, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      limit: 'jsonValues; max=1000',
    });
  });

  it('is measured by its values, not by the commas and brackets in its texts', async () => {
    const { call } = await limitedTo({ jsonValues: 1000 });
    const [output] = outputsOf(await call('get-quiz-details', [{ quizId: '[,{,"\\,]'.repeat(500) }]));
    expect(output).toMatchObject({
      status: 'error',
      errorMessage: expect.stringContaining('The school has no quiz'),
    });
  });
});

/** Elements that ask for a fault of their own each. */
function distinct(count: number): readonly object[] {
  return times(count, 0).map((_, number) => ({ quizId: `fault.element-error.${number}` }));
}

describe('the faults that one call asks for', () => {
  it('are as many as the limit at most, by magic identifiers', async () => {
    const { batch } = await world();
    expect((await batch('get-quiz-details', distinct(20))).status).toBe(200);
    const { status, body } = await batch('get-quiz-details', distinct(21));
    expect(status).toBe(400);
    expect(body).toHaveProperty(
      'detail',
      'The parameters have too many different magic identifiers. This server injects at most 20 different faults into one call; --max faultsPerCall=N changes it.',
    );
  });

  it('may be carried by any number of elements, if they are the same', { tags: ['slow'] }, async () => {
    const { batch } = await world();
    const outputs = outputsOf(
      await batch('get-quiz-details', times(3000, { quizId: 'fault.element-error' })),
    );
    expect(outputs.every(({ status }) => status === 'error')).toBe(true);
  });

  it('are as many as the limit at most, by the header', async () => {
    const { call } = await limitedTo({ faultsPerCall: 2 });
    const { status, body } = await call('get-quiz-details', [aQuiz], 'delay; ms=1, delay; ms=2, delay; ms=3');
    expect(status).toBe(400);
    expect(body).toHaveProperty(
      'detail',
      expect.stringContaining('has 3 faults. This server injects at most 2 different faults'),
    );
  });

  it(
    'are named by a header of limited length: the first ones, and how many others there are',
    { tags: ['slow'] },
    async () => {
      const { call } = await limitedTo({ faultLabelBytes: 100 });
      const { headers } = await call('get-quiz-details', [aQuiz], times(20, 'extra-fields').join(', '));
      expect(headers['sandbox-fault']).toBe(
        'extra-fields, extra-fields, extra-fields, extra-fields, extra-fields, extra-fields and 14 more',
      );
    },
  );
});

/** The description of the demo's coupon, as calls have left it. */
async function descriptionIn({ sandbox }: World): Promise<string> {
  const found = await sandbox.state.get('coupons', coupon.id);
  return found?.description ?? '';
}

describe('a batch that takes several slices', () => {
  it('is never seen half done, whether it takes effect or not', { tags: ['slow'] }, async () => {
    const one = await world({
      assumptions: { batchProcessing: 'all-or-nothing', omittedUpdateFields: 'keep' },
    });
    await one.sandbox.limits.set({ scale: null });
    const before = await descriptionIn(one);
    const update = {
      serviceCouponCodeId: coupon.id,
      serviceDigitalProductId: coupon.productId,
      description: 'half done',
    };
    const progress = { isOver: false };
    const updating = one
      .batch('update-digital-product-coupon', [...times(5000, update), { serviceCouponCodeId: 'none' }])
      .then(({ status }) => {
        progress.isOver = true;
        return status;
      });
    const seen = new Set<string>();
    while (!progress.isOver) {
      seen.add(await descriptionIn(one));
      await one.call('get-all-live-events');
    }
    expect(await updating).toBe(200);
    seen.add(await descriptionIn(one));
    expect([...seen]).toEqual([before]);
  });
});
