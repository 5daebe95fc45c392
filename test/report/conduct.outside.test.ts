import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../src/store/read-scenario.ts';
import { reportOn } from './report-on.ts';

describe('a well-behaved client', () => {
  it.each(scenarioNames())('breaks no rule under %s', async (scenario) => {
    const report = await reportOn({}, { scenario });
    expect(report.conduct.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(report.calls).toBeGreaterThan(10);
  });
});
