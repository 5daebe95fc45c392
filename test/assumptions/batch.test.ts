import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { coupon, items, labId, learner, products, quiz } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';
import { sendText, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/** Every way in which a body is not the request envelope, with what the refusal says of it. */
const malformed = [
  ['{"data":', 'is not JSON'],
  ['[]', 'must be an object with an array "data", but is an empty array'],
  ['{}', '/data is required, but missing'],
  ['{"data":{}}', '/data must be an array of elements, but is an object'],
  ['{"data":[{}]}', '/data/0/data is required, but missing'],
  ['{"data":[{"data":[]}]}', '/data/0/data must be an object, but is an empty array'],
] as const;

const empty = '{"data":[{"data":{}}]}';

function malformedBody(statuses: {
  readonly malformed: number;
  readonly tooLarge: number;
  readonly notJson: number;
}): OptionTest {
  return async ({ open, noted }) => {
    const place = await open({ assumptions: { maxPayload: '100kb' } });
    const expectRefused = (reply: Response, status: number, message: string): void => {
      expect(reply.status).toBe(status);
      expect(outputsOf(reply)).toHaveLength(1);
      expect(failureOf(reply)).toContain(message);
      noted(reply);
    };
    for (const [body, message] of malformed) {
      expectRefused(await sendText(place, 'get-all-instructors', body), statuses.malformed, message);
    }
    const large = await sendText(place, 'get-all-instructors', empty.padEnd(102_401));
    expectRefused(large, statuses.tooLarge, 'The body is larger than 102400 bytes.');
    const text = await sendText(place, 'get-all-instructors', empty, 'text/plain');
    expectRefused(text, statuses.notJson, 'is declared as "text/plain"');
  };
}

const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };

/** A batch whose second element fails: what each came to, and the description that the coupon has then. */
async function tryBatch({
  batch,
  sandbox,
}: World): Promise<{ reply: Response; statuses: readonly string[]; description: unknown }> {
  const unknown = { ...names, serviceCouponCodeId: 'f'.repeat(24) };
  const reply = await batch('update-digital-product-coupon', [
    { ...names, description: 'First' },
    { ...unknown, description: 'Second' },
    { ...names, description: 'Third' },
  ]);
  const { description } = (await sandbox.state.get('coupons', coupon.id)) ?? {};
  return { reply, statuses: outputsOf(reply).map(({ status }) => status), description };
}

function batchProcessing(statuses: readonly string[], description: string): OptionTest {
  return async ({ open, noted }) => {
    const { reply, ...came } = await tryBatch(await open());
    expect(came).toEqual({ statuses, description });
    expect(reply.status).toBe(200);
    noted(reply);
  };
}

function quizzes(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({ quizId: quiz.id }));
}

function maxBatchSize(most: number): OptionTest {
  return async ({ open, noted }) => {
    const { batch } = await open();
    expect(outputsOf(await batch('get-quiz-details', quizzes(most)))).toHaveLength(most);
    const refused = await batch('get-quiz-details', quizzes(most + 1));
    expect(refused.status).toBe(400);
    expect(failureOf(refused)).toBe(
      `/data must have at most ${most} element${most === 1 ? '' : 's'}, but has ${most + 1}.`,
    );
    noted(refused);
  };
}

function maxPayload(most: number): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    expect((await sendText(place, 'get-all-instructors', empty.padEnd(most))).status).toBe(200);
    const refused = await sendText(place, 'get-all-instructors', empty.padEnd(most + 1));
    expect(refused.status).toBe(413);
    expect(failureOf(refused)).toContain(`The body is larger than ${most} bytes.`);
    noted(refused);
  };
}

export const batch = {
  malformedBody: {
    'http-400': malformedBody({ malformed: 400, tooLarge: 413, notJson: 415 }),
    'http-422': malformedBody({ malformed: 422, tooLarge: 413, notJson: 415 }),
    'output-error': malformedBody({ malformed: 200, tooLarge: 200, notJson: 200 }),
  },
  batchProcessing: {
    'each-in-order': batchProcessing(['ok', 'error', 'ok'], 'Third'),
    'first-only': batchProcessing(['ok'], 'First'),
    'stop-at-first-error': batchProcessing(['ok', 'error'], 'First'),
    'all-or-nothing': async (reading) => {
      await batchProcessing(['error', 'error', 'error'], 'Early-bird price for the next course')(reading);
      const place = await reading.open();
      const both = await place.batch('update-digital-product-coupon', [
        { ...names, description: 'One' },
        { ...names, description: 'Two' },
      ]);
      expect(outputsOf(both).map(({ status }) => status)).toEqual(['ok', 'ok']);
      expect(await place.sandbox.state.get('coupons', coupon.id)).toHaveProperty('description', 'Two');
    },
  },
  emptyBatch: {
    'empty-array': async ({ open, noted }) => {
      const reply = await (await open()).batch('get-all-instructors', []);
      expect({ status: reply.status, body: reply.body as unknown }).toEqual({ status: 200, body: [] });
      noted(reply);
    },
    refuse: async ({ open, noted }) => {
      const reply = await (await open()).batch('get-all-instructors', []);
      expect(reply.status).toBe(400);
      expect(failureOf(reply)).toBe('/data must have at least one element, but is empty.');
      noted(reply);
      const other = await (
        await open({ assumptions: { malformedBody: 'http-422' } })
      ).batch('get-all-instructors', []);
      expect(other.status).toBe(422);
    },
  },
  maxBatchSize: {
    none: async ({ open }) => {
      const outputs = outputsOf(await (await open()).batch('get-quiz-details', quizzes(500)));
      expect(outputs.map(({ status }) => status)).toEqual(Array.from({ length: 500 }, () => 'ok'));
    },
    '1': maxBatchSize(1),
    '25': maxBatchSize(25),
    '100': maxBatchSize(100),
  },
  maxPayload: {
    '1mb': maxPayload(1_048_576),
    '100kb': maxPayload(102_400),
    '10mb': async ({ open }) => {
      // What is longer is cut off before it has come whole: how, is the HTTP tests' matter.
      expect((await sendText(await open(), 'get-all-instructors', empty.padEnd(10_485_760))).status).toBe(
        200,
      );
    },
  },
  requiredFields: {
    identifiers: async ({ open, noted }) => {
      const { call } = await open();
      const lab = await call('update-interactive-coding-lab', { labId });
      expect(resultOf(lab)).toEqual({});
      noted(lab);
      const nameless = await call('list-assignments');
      expect(failureOf(nameless)).toBe(
        'The parameters are invalid. /data/0/data/courseIdentifier is required, but missing.',
      );
      noted(nameless);
      expect(failureOf(await call('submit-user-course-item', { courseItemId: quiz.itemId }))).toContain(
        '/data/0/data/userId is required',
      );
    },
    'stated-only': async ({ open, noted }) => {
      // Invalid parameters would be 422: what is missing here is no violation of the contract.
      const { call } = await open({ assumptions: { invalidParameters: 'http-422' } });
      const nameless = await call('list-assignments');
      expect(nameless.status).toBe(200);
      expect(failureOf(nameless)).toBe(
        '/data/0/data/courseIdentifier/digitalProductId is required, but missing.',
      );
      noted(nameless);
      const quizless = await call('get-quiz-details');
      expect(quizless.status).toBe(422);
      expect(failureOf(quizless)).toBe(
        'The parameters are invalid. /data/0/data/quizId is required, but missing.',
      );
    },
    all: async ({ open, noted }) => {
      const { call } = await open();
      const bare = await call('get-video-library');
      for (const field of ['filterTerm', 'pageNumber', 'folderPath']) {
        expect(failureOf(bare)).toContain(`/data/0/data/${field} is required, but missing.`);
      }
      noted(bare);
      const whole = await call('get-video-library', { filterTerm: '', pageNumber: 1, folderPath: '' });
      expect(resultOf(whole)).toHaveProperty('totalResults', 39);
      const details = { courseItemType: 'Quiz', questionsToUpsert: [{ questionUniqueId: quiz.multi.id }] };
      const submission = {
        courseItemId: quiz.itemId,
        details,
        userId: learner.id,
        userEmail: learner.email,
        shouldMarkAsCompleted: false,
      };
      const inner = await call('submit-user-course-item', submission);
      expect(failureOf(inner)).toContain(
        '/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds is required, but missing.',
      );
    },
  },
  unknownFields: {
    ignore: async ({ open, noted }) => {
      const reply = await (
        await open()
      ).call('get-course-item-data', { courseItemId: items.article, verbose: true });
      expect(resultOf(reply)).toHaveProperty('courseItemData');
      noted(reply);
    },
    refuse: async ({ open, noted }) => {
      const { call } = await open();
      const reply = await call('get-course-item-data', {
        courseItemId: items.article,
        courseItemID: items.article,
      });
      expect(failureOf(reply)).toBe(
        'The parameters are invalid. /data/0/data/courseItemID is not a known field. Did you mean "courseItemId"? Known here: courseItemId.',
      );
      noted(reply);
      const course = { type: 'product-id', digitalProductId: products.python, slug: 'python' };
      expect(failureOf(await call('list-assignments', { courseIdentifier: course }))).toContain(
        '/data/0/data/courseIdentifier/slug is not a known field.',
      );
      const place = await open();
      const wrapped = await sendText(
        place,
        'get-all-instructors',
        '{"version":2,"data":[{"data":{}},{"id":1,"data":{}}]}',
      );
      expect(wrapped.status).toBe(400);
      expect(failureOf(wrapped)).toBe(
        '(1) /version is not a known field. Known here: data. (2) /data/1/id is not a known field. Known here: data.',
      );
      noted(wrapped);
    },
  },
} satisfies Partial<OptionTests>;

testOptions(batch);

describe('a batch that can be read, but is refused like a malformed body', () => {
  it('is answered with one error output where malformed bodies are, however many elements it has', async () => {
    const { batch: send } = await world({
      assumptions: { malformedBody: 'output-error', maxBatchSize: '1' },
    });
    const reply = await send('get-quiz-details', [
      { quizId: quiz.id },
      { quizId: quiz.id },
      { quizId: quiz.id },
    ]);
    expect(reply.status).toBe(200);
    expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error']);
  });

  it('is answered with one error output where it is too large', async () => {
    const place = await world({ assumptions: { malformedBody: 'output-error', maxPayload: '100kb' } });
    const reply = await sendText(
      place,
      'get-all-instructors',
      '{"data":[{"data":{}},{"data":{}}]}'.padEnd(102_401),
    );
    expect(reply.status).toBe(200);
    expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error']);
  });
});
