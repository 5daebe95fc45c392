import { describe, expect, it } from 'vitest';
import { conductText } from '../../src/commands/matrix/evidence.ts';

describe('the conduct column of matrix', () => {
  it('has the checks that were not judged, which do not count as passed', () => {
    const conduct = { passed: 5, 'not-judged': 2, 'not-exercised': 9 };
    expect(conductText({ conduct, calls: 7 })).toBe('5 passed, 2 not judged');
    expect(conductText({ conduct: { ...conduct, failed: 1 }, calls: 7 })).toBe(
      '1 failed, 5 passed, 2 not judged',
    );
  });

  it('is empty for a run without calls', () => {
    expect(conductText({ conduct: { 'not-judged': 2 }, calls: 0 })).toBe('');
  });
});
