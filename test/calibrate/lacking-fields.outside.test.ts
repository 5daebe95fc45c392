import { expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { openPointDifferences } from '../../src/upstream/compare/open-points.ts';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** Sends each question with these fields; undefined omits one. */
function withQuestions(own: Readonly<Record<string, unknown>>): Change {
  return async (sent, reply) => {
    if (sent.method !== 'POST' || !sent.url.endsWith('get-quiz-details')) return reply;
    const text = await reply.text();
    const body = JSON.stringify(JSON.parse(text), (_, value: unknown) =>
      isObject(value) && 'questionId' in value ? { ...value, ...own } : value,
    );
    return new Response(body, { status: reply.status, headers: reply.headers });
  };
}

const calibratedWith = (own: Readonly<Record<string, unknown>>) =>
  second.calibrated(
    {},
    {
      change: withQuestions(own),
      leftOut: ({ name }) => (/^(service|live-events|quiz-fields)$/.test(name) ? null : 'not needed'),
    },
  );

it.each([
  [{ explanation: null, description: undefined }, 'explanation', 'description'],
  [{ description: null, explanation: undefined }, 'description', 'explanation'],
])(
  'calibrate does not conclude from one field how all fields without a value are sent: %o',
  async (own, sent, missing) => {
    const done = await calibratedWith(own);
    const { option, oddity, why } = verdictOn('responseFields', done);
    expect({ option, oddity }).toEqual({ option: null, oddity: 'contradictory' });
    expect(why).toContain(`the ${missing} of a question is absent`);
    expect(why).toContain(`the ${sent} of a question is null`);
    // Compare shows what then differs, and recommends no option.
    expect(done.departures).toContainEqual(
      expect.objectContaining({ what: `${missing} without a value`, service: 'missing', sandbox: 'null' }),
    );
    const sandbox = done.verdicts.map((one) => ({ ...one, option: 'all', left: ['all'], oddity: null }));
    const differences = openPointDifferences({ service: done.verdicts, sandbox }, done);
    expect(differences.find(({ what }) => what === 'responseFields')?.explanation?.instead).toEqual([]);
  },
);

it.each([
  [{ explanation: null, description: null }, 'all'],
  [{ explanation: undefined, description: undefined, title: '' }, 'not-null'],
])('calibrate determines how fields without a value are sent, if they agree: %o', async (own, option) => {
  const done = await calibratedWith(own);
  expect(verdictOn('responseFields', done).option).toBe(option);
  expect(done.departures.filter(({ what }) => what.endsWith('without a value'))).toEqual([]);
});
