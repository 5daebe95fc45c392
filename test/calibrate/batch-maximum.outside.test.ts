import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

const needed = new Set([
  'service',
  'live-events',
  'recording',
  'an-identifier',
  'unknown-id',
  'malformed-body',
  'batch-of-26',
  'batch-of-101',
  'rate-limit',
  'mp4-limit',
]);

/** Elements of a call to an operation. */
async function countOf(sent: Request): Promise<number> {
  if (sent.method !== 'POST') return 0;
  return (await sent.clone().text()).split('"data":{').length - 1;
}

const oneError = (errorMessage: string): Response =>
  Response.json([{ output: { status: 'error', errorMessage } }]);

/** Refuses larger batches with one error for all elements. */
function upTo(maximum: number): Change {
  return async (sent, reply) => ((await countOf(sent)) > maximum ? oneError('Too many elements') : reply);
}

/** Throttles with one error for all elements. */
const throttlesOnce: Change = async (_, reply) =>
  (await reply.clone().text()).includes('rate limit') ? oneError('Over the rate limit') : reply;

const insideOutputs: PartialOptions = { malformedBody: 'output-error', throttleReply: 'output-error' };

const calibratedWith = (options: PartialOptions, change: Change) =>
  second.calibrated(
    { ...insideOutputs, ...options },
    {
      change,
      leftOut: ({ name }) => (needed.has(name) ? null : 'not needed'),
    },
  );

describe('lp-sandbox calibrate does not determine the maximum of a batch, where HTTP 200 refuses it, if', () => {
  it.each([10, 50, 64])('the service accepts %i elements', async (maximum) => {
    const done = await calibratedWith({}, upTo(maximum));
    const { option, why } = verdictOn('maxBatchSize', done);
    expect({ option, why }).toEqual({ option: null, why: expect.any(String) as string });
    expect(verdictOn('rateLimitUnit', done).option).toBe('request');
  });

  it('the limit counts elements, and an error for all says so', async () => {
    const done = await calibratedWith({ rateLimitUnit: 'element' }, throttlesOnce);
    const { option, why } = verdictOn('maxBatchSize', done);
    expect({ option, why }).toMatchObject({ option: null, why: expect.stringContaining('throttled') });
  });
});

it.each(['1', '25', '100', 'none'] as const)(
  'calibrate determines a maximum of %s, where HTTP 200 refuses larger batches',
  async (maxBatchSize) => {
    const done = await calibratedWith({ maxBatchSize }, (_, reply) => reply);
    expect(verdictOn('maxBatchSize', done).option).toBe(maxBatchSize);
  },
);
