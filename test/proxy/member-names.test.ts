import { describe, expect, it } from 'vitest';
import { proxyTo, send, upstreamThat } from './upstream.ts';

const keys = ['errorMessage', 'questions', 'questionId', 'isCorrectOption', 'output', 'status', 'data', 'id'];
/** Keys of which a part, or a form in capitals, is a name. */
const similar = ['x-errorMessage-7', 'sk_live_courseItemId9', 'QUESTIONS'];

function replyTo(key: string): string {
  const data = { createdAtIso: '2026-11-20T10:00:00Z', quizTitle: key, questions: [], id: 1 };
  const failure = { output: { status: 'error', errorMessage: 'No quiz' } };
  return JSON.stringify([failure, { output: { status: 'ok', data } }]);
}

const body = JSON.stringify({ data: [{ data: { quizId: 'q-1' } }, { data: { quizId: 'q-2' } }] });

/** Returns what the proxy stores of a call whose response repeats the key. */
async function stored(key: string, sent = body, operation = 'get-quiz-details') {
  const upstream = await upstreamThat((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-used': key });
    response.end(replyTo(key));
  });
  const proxy = await proxyTo(upstream.url);
  await send(proxy.url, { path: `/public/${operation}`, headers: { 'SERVICE-API-KEY': key }, body: sent });
  const control = `${proxy.url}/control/sandboxes/default`;
  const har = await (await fetch(`${control}/journal.har`)).text();
  const report = (await (await fetch(`${control}/report`)).json()) as { readonly conduct: unknown };
  return { entry: proxy.journal()[0], har, conduct: report.conduct };
}

describe('a proxy keeps the names of the contract, and masks values,', () => {
  it.each([...keys, ...similar])('if the key is %s', async (key) => {
    const { entry, har } = await stored(key);
    const { quizTitle } = (JSON.parse(entry?.response ?? '') as [unknown, { output: { data: object } }])[1]
      .output.data as { readonly quizTitle: string };
    expect(quizTitle).not.toBe(key);
    expect(entry?.response).toBe(replyTo(key).replace(`"quizTitle":"${key}"`, `"quizTitle":"${quizTitle}"`));
    expect(entry?.request).toBe(body);
    expect(entry?.responseHeaders['x-used']).not.toBe(key);
    expect(entry?.keyElsewhere).toEqual([]);
    expect(har).toContain('"errorMessage\\":');
  });

  it.each(['courseItemId', 'status', 'data'])(
    'with the violations and the report of any other key: %s',
    { tags: ['slow'] },
    async (key) => {
      const wrong = JSON.stringify({ data: [{ data: { courseItemId: 7 } }] });
      const other = await stored('lp_live_7KmzPq3RtYv8XwNc5BdHj2', wrong, 'get-course-item-data');
      const same = await stored(key, wrong, 'get-course-item-data');
      expect(other.entry?.violations).not.toEqual([]);
      expect(same.entry?.violations).toEqual(other.entry?.violations);
      expect(other.conduct).toBeDefined();
      expect(same.conduct).toEqual(other.conduct);
    },
  );
});
