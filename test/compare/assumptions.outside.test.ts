import { describe, expect, it } from 'vitest';
import { assumptionNames, assumptions, type AssumptionName } from '../../src/assumptions.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();

/** The options that no client can see beside the defaults, as in test/calibrate/exact.outside.test.ts. */
const hidden: { readonly [N in AssumptionName]?: readonly string[] } = {
  // The same as the default while refusalBody is envelope.
  gatewayRefusalBody: ['envelope'],
  omittedUpdateFields: ['clear'],
  partialCouponTypeData: ['replace'],
  withdrawnCompletion: ['withdraw'],
  // Only beside operationFailureStatus=by-kind.
  ruleFailureStatus: ['http-400'],
  operationFailureBody: ['as-refusals'],
  // Only beside another window or unit.
  refusedCallsCount: ['yes'],
};

describe('lp-sandbox compare', () => {
  it('finds no difference between two sandboxes with the same options', async () => {
    const { differences, compared } = await two.compared({});
    expect(differences).toEqual([]);
    expect(compared.length).toBeGreaterThan(50);
  });

  it.each(
    assumptionNames.flatMap((name) =>
      Object.keys(assumptions[name].options)
        .filter((option) => option !== assumptions[name].default)
        .map((option) => ({ name, option })),
    ),
  )('finds $name=$option of a service, and names it', async ({ name, option }) => {
    const { differences } = await two.compared({ [name]: option });
    const named = differences.filter(({ explanation }) => explanation?.assumption === name);
    if (hidden[name]?.includes(option) === true) return expect(differences).toEqual([]);
    expect(named.map(({ id }) => id)).not.toEqual([]);
    expect(named.map(({ explanation }) => explanation?.option)).toContain(assumptions[name].default);
    expect(differences.filter((one) => !named.includes(one))).toEqual([]);
  });

  it('shows the words of the sandbox, though its key has them, too', async () => {
    const needed = new Set(['library-pages', 'library-folders', 'title-search']);
    const leftOut = (name: string) => (needed.has(name) ? null : 'left out');
    const all = probes.map((probe) => ({ probe, leftOut: leftOut(probe.name) }));
    const plan = { calls: [], probes: { probes: all, stamp: 'a-test' }, exceedsLimits: false };
    const { differences } = await two.compared({ filterMatching: 'prefix' }, {}, plan);
    const found = differences.find(({ what }) => what === 'filterMatching');
    expect(found?.right).toContain('Riverside');
    expect(found?.left).not.toContain('Riverside');
  });
});
