import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';

interface Case {
  readonly test: string;
  readonly operation: string;
  readonly elements: readonly object[];
  readonly outcome: 'ok' | 'error';
}

const { SANDBOX_URL: url = '', SANDBOX_API_KEY: key = '' } = process.env;
// Our own file.
const cases = JSON.parse(readFileSync(new URL('../cases.json', import.meta.url), 'utf8')) as readonly Case[];
const submissions = cases
  .filter(({ operation }) => operation === 'submit-user-course-item')
  .slice(0, 2)
  .flatMap(({ elements }) => elements);
const quizzes = cases.filter(({ test }) => /^reads quiz \d/.test(test)).flatMap(({ elements }) => elements);
const items = cases
  .filter(({ test }) => test.startsWith('reads course item'))
  .flatMap(({ elements }) => elements);

let scope = '';
beforeEach(({ task }) => {
  scope = task.name;
});

async function call(
  operation: string,
  elements: readonly object[],
  query = '',
): Promise<{ status: number; isOk: boolean }> {
  const response = await fetch(`${url}/public/${operation}${query}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json', 'Sandbox-Scope': scope },
    body: JSON.stringify({ data: elements.map((data) => ({ data })) }),
  });
  const text = await response.text();
  const { status } = response;
  return { status, isOk: status === 200 && !text.includes('"status":"error"') };
}

describe('the platform', () => {
  it.each(cases.map((one) => [one.test, one] as const))('%s', async (_, { operation, elements, outcome }) => {
    expect(await call(operation, elements)).toMatchObject({ isOk: outcome === 'ok' });
  });

  it.each([
    ['reads six quizzes at once', 'get-quiz-details', quizzes.slice(0, 6)],
    ['reads seven quizzes at once', 'get-quiz-details', quizzes],
    ['reads twelve course items at once', 'get-course-item-data', items.slice(0, 12)],
  ])('%s', async (_, operation, elements) => {
    const answers = await Promise.all(elements.map((element) => call(operation, [element])));
    expect(answers.every(({ isOk }) => isOk)).toBe(true);
  });

  it('planted: misspells a path', async () => {
    expect(await call('get-quiz-detials', [{}])).toMatchObject({ isOk: false });
  });

  it('planted: sends a field that is not documented', async () => {
    await call('get-course-item-data', [{ ...items[0], traceId: 'a-17' }]);
  });

  it('planted: sends the key in the query', async () => {
    await call('get-all-instructors', [{}], `?key=${key}`);
  });

  it('planted: submits twice', async () => {
    for (let time = 0; time < 2; time += 1)
      for (const submission of submissions) await call('submit-user-course-item', [submission]);
  });

  it('planted: sends a number as text', async () => {
    await call('get-instructor-permission-presets', [{ pageNumber: '1', limit: 4 }]);
  });
});
