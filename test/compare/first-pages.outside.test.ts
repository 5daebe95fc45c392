import { describe, expect, it } from 'vitest';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { discover } from '../../src/upstream/compare/stand-ins.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();
const calls = [...exampleCalls(), ...mistakeCalls()];

const withoutLimits = {
  probes: probes.map((probe) => ({
    probe,
    leftOut: probe.waits === undefined ? null : 'needs --rate-limits',
  })),
  stamp: 'a-test',
};

/** The reply of a service whose first page has the number 0. */
function listing(pageNumber: unknown) {
  const data = { presets: pageNumber === 0 ? [{}] : [] };
  const outputs = [{ status: 'ok' as const, data, errorMessage: null }];
  return Promise.resolve({
    status: 200,
    header: () => null,
    headerNames: [],
    hasMark: false,
    text: '',
    outputs,
  });
}

function pagesOf(firstPage: number): readonly unknown[] {
  const side = { standIns: { firstPage, folder: '/a' }, has: () => true };
  return calls
    .filter(({ operation }) => operation === 'get-instructor-permission-presets')
    .flatMap(({ request }) => request(side).elements ?? [])
    .filter(
      (one) =>
        typeof one === 'object' &&
        one !== null &&
        'limit' in one &&
        !('pageNumber' in one && one.pageNumber === 9999),
    );
}

describe('lp-sandbox compare', () => {
  it('asks each side for its first page, which has records on both', () => {
    expect(JSON.stringify(pagesOf(0))).not.toContain('"pageNumber":1,');
    expect(JSON.stringify(pagesOf(1))).toContain('"pageNumber":1,');
  });

  it('asks for no page that only one side may have, unless the example shows a mistake', () => {
    expect(JSON.stringify(pagesOf(1))).not.toMatch(/"pageNumber":[2-9]/);
  });

  it('finds out which page is the first one', async () => {
    const asked: unknown[] = [];
    const found = await discover(
      ({ elements: [element] = [] }) => {
        asked.push(element);
        return listing(
          typeof element === 'object' && element !== null && 'pageNumber' in element
            ? element.pageNumber
            : null,
        );
      },
      {},
      () => 0,
    );
    expect(found.firstPage).toBe(0);
    expect(asked).toContainEqual({ filterTerm: '', pageNumber: 0, folderPath: '' });
  });

  it('names what it did not compare without --rate-limits', async () => {
    const { skipped } = await two.compared({}, {}, { exceedsLimits: false, probes: withoutLimits });
    expect(skipped.map(({ why }) => why)).toContainEqual(
      expect.stringMatching(/^not compared without --rate-limits: .*rateLimitWindow/),
    );
  });
});
