import { describe, expect, it } from 'vitest';
import { lastOf } from '../../src/commands/last-calls.ts';

const call = (id: string, outcome: 'ok' | 'rejected', scope: string | null = null) => ({
  id,
  outcome,
  scope,
});
const idsOf = (calls: readonly { readonly id: string }[]): string => calls.map(({ id }) => id).join();

const calls = [
  call('page', 'ok', 'tests/test_platform.py::test_video_page'),
  call('pages', 'ok', 'tests/test_platform.py::test_video_page_two'),
  call('key', 'rejected', 'tests/test_platform.py::test_bad_key'),
  call('free', 'rejected'),
];

describe('the calls shown of a failed run', () => {
  it('are those of the failed tests, if their scopes have the names of the tests', () => {
    expect(idsOf(lastOf(calls, ['tests.test_platform: test_video_page']))).toBe('page');
    expect(idsOf(lastOf(calls, ['test_video_page']))).toBe('page');
    expect(idsOf(lastOf(calls, ['page two', 'test_bad_key']))).toBe('pages,key');
  });

  it('are those that did not succeed, if no scope has the name of a failed test', () => {
    for (const failedTests of [[], ['test_other'], ['🙂']])
      expect(idsOf(lastOf(calls, failedTests))).toBe('key,free');
  });

  it('are the last five, if all succeeded', () => {
    const fine = Array.from({ length: 7 }, (_, index) => call(String(index), 'ok'));
    expect(idsOf(lastOf(fine, ['test_other']))).toBe('2,3,4,5,6');
  });
});
