import { afterEach, describe, expect, it, vi } from 'vitest';
import { items, quiz } from '../support/demo.ts';
import { failureOf, outputsOf, world } from '../support/world.ts';

/** More than 100 kB of questions that are no questions. */
const manyWrong = Array.from({ length: 60_000 }, () => 1);

/** As many elements as one call may have. */
const maxElements = 10_000;

describe('what is wrong with a large body', () => {
  it('is told up to the first problem of each element, since there could be any number', async () => {
    const { batch } = await world();
    const wrong = { courseItemId: quiz.itemId, userId: 'u', details: { questionsToUpsert: manyWrong } };
    const outputs = outputsOf(
      await batch('submit-user-course-item', [
        wrong,
        { courseItemId: items.article, userId: 7, userEmail: 'no' },
      ]),
    );
    expect(outputs).toEqual([
      {
        status: 'error',
        errorMessage:
          'The parameters are invalid. /data/0/data/details/questionsToUpsert/0 must be an object, but is the number 1.',
      },
      {
        status: 'error',
        errorMessage:
          'The parameters are invalid. /data/1/data/userId must be a string, but is the number 7.',
      },
    ]);
  });

  it('is told element by element up to the fiftieth that is no element', async () => {
    const { post, sandbox } = await world();
    const reply = await post('get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: manyWrong.slice(0, maxElements) });
    expect(reply.status).toBe(400);
    expect(failureOf(reply)).toContain(
      '(50) /data/49 must be an object with an object "data", but is the number 1.',
    );
    expect(failureOf(reply)).not.toContain('/data/50 ');
    expect(failureOf(reply)).toMatch(/ And 9950 more\.$/);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** More than 1 MiB, with objects of thousands of fields. */
function manyFields(last: string): string {
  const fields = Array.from({ length: 9000 }, (_, number) => `"field ${number} is unknown":1`).join(',');
  const objects = Array.from({ length: 8 }, () => `{${fields}}`).join(',');
  return `{"data":[{"data":{"quizId":${JSON.stringify(quiz.id)},"more":[${objects}]}}${last}`;
}

describe('a body of more than 1 MiB', () => {
  it('is parsed in pieces, between which other calls are answered', async () => {
    const { post, sandbox } = await world({ assumptions: { maxPayload: '10mb' } });
    const parse = vi.spyOn(JSON, 'parse');
    const reply = await post('get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .set('Content-Type', 'application/json')
      .send(manyFields(']}'));
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(70_000);
    expect(outputsOf(reply)).toMatchObject([{ status: 'ok' }]);
  });

  it('is refused with the place where it is not JSON', async () => {
    const { post, sandbox } = await world({ assumptions: { maxPayload: '10mb' } });
    const body = manyFields(',]}');
    const reply = await post('get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .set('Content-Type', 'application/json')
      .send(body);
    expect(reply.status).toBe(400);
    expect(failureOf(reply)).toContain(
      `is not JSON at line 1, column ${body.length - 1}: a comma comes before this "]". Remove the comma.`,
    );
  });
});
