import { expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { openPointDifferences } from '../../src/upstream/compare/open-points.ts';
import { secondSandbox, verdictOn, type Change } from '../calibrate/second-sandbox.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const second = secondSandbox();
const two = twoSandboxes();

const byStatus: PartialOptions = {
  operationFailureStatus: 'by-kind',
  ruleFailureStatus: 'http-400',
  operationFailureBody: 'as-refusals',
  refusalBody: 'message-json',
  unknownId: 'http-404',
  invalidParameters: 'http-400',
  fractionalLimit: 'refuse',
};

/** Refuses a whole batch if any of its elements fails. */
const refusesWhole: Change = async (_, reply) =>
  (await reply.clone().text()).includes('"status":"error"')
    ? Response.json({ message: 'Not possible' }, { status: 400 })
    : reply;

/** Refuses a call with any failure in the way in which the service refuses invalid parameters. */
const refusesAny: Change = async (_, reply) => {
  const text = await reply.clone().text();
  const isFailure = text.includes('"status":"error"') || [404, 409].includes(reply.status);
  return isFailure && !/found/i.test(text)
    ? Response.json({ message: 'Not possible' }, { status: 422 })
    : reply;
};

it('calibrate takes no service that refuses a whole batch for one that stops at the failure', async () => {
  const done = await second.calibrated(byStatus, { change: refusesWhole });
  expect(verdictOn('batchProcessing', done)).toMatchObject({
    option: null,
    why: expect.stringMatching(
      /^the service matches none of the options: a limit of 0 after a valid one: HTTP 400.*; it refuses the whole call if any element fails, so compare differs for every batch in which one fails$/,
    ),
  });
});

it('calibrate determines that a service stops at the failure, whose status is the one of the failure alone', async () => {
  const done = await second.calibrated({ ...byStatus, batchProcessing: 'stop-at-first-error' });
  expect(verdictOn('batchProcessing', done).option).toBe('stop-at-first-error');
});

it('compare finds a batch that is refused as a whole, and names the assumption about batches', async () => {
  const service = { ...byStatus, limitBelowOne: 'element-error' } as const;
  const { differences } = await two.compared(service, service, { probes: null }, refusesWhole);
  const ofBatch = differences.filter(({ call, what }) => call === 'bad-after-good' && what === 'status');
  expect(ofBatch.map(({ explanation }) => explanation?.assumption)).toEqual(['batchProcessing']);
  expect(differences.filter(({ explanation }) => explanation?.assumption === 'cors')).toEqual([]);
});

it('compare recommends no option about batches if the only one that remains shows in no response', async () => {
  const service = { ...byStatus, invalidParameters: 'http-422', ruleFailureStatus: 'by-kind' } as const;
  const done = await second.calibrated(service, { change: refusesAny });
  const { option, oddity } = verdictOn('batchProcessing', done);
  expect({ option, oddity }).toEqual({ option: null, oddity: 'not-shown' });
  const sandbox = done.verdicts.map((one) => ({ ...one, option: 'other', left: ['other'], oddity: null }));
  const differences = openPointDifferences({ service: done.verdicts, sandbox }, done);
  expect(differences.find(({ what }) => what === 'batchProcessing')?.explanation?.instead).toEqual([]);
});
