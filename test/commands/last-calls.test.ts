import { describe, expect, it } from 'vitest';
import { lastOf } from '../../src/commands/last-calls.ts';
import { scopeIn } from '../../src/sandbox/scope.ts';

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

const long = (name: string): string => `test_${name}_${'of_many_words_'.repeat(12)}`;

describe('the calls shown of a failed run', () => {
  it('are those of the failed tests, if their scopes have the names of the tests', () => {
    expect(idsOf(lastOf(calls, ['tests.test_platform: test_video_page']))).toBe('page');
    expect(idsOf(lastOf(calls, ['test_video_page']))).toBe('page');
    expect(idsOf(lastOf(calls, ['page two', 'test_bad_key']))).toBe('pages,key');
  });

  it('are those of the test in the same class or file, if others have the same name', () => {
    const same = [
      call('a', 'ok', 'tests/test_a.py::TestReads::test_lists'),
      call('b', 'ok', 'tests/test_a.py::TestWrites::test_lists'),
      call('c', 'ok', 'tests/test_b.py::TestReads::test_lists'),
    ];
    expect(idsOf(lastOf(same, ['tests.test_a.TestReads: test_lists']))).toBe('a');
    expect(idsOf(lastOf(same, ['tests.test_a.TestWrites: test_lists']))).toBe('b');
    expect(idsOf(lastOf(same, ['tests.test_b.TestReads: test_lists']))).toBe('c');
  });

  it('are some of each failed test, in their order', () => {
    const scopes = ['quiet', 'busy', 'busy', 'late', 'busy', 'busy', 'busy', 'busy'];
    const parallel = scopes.map((scope, index) => call(String(index), 'ok', `a.test.ts > ${scope}`));
    expect(idsOf(lastOf(parallel, ['a.test.ts: quiet', 'a.test.ts: busy', 'a.test.ts: late']))).toBe(
      '0,3,5,6,7',
    );
  });

  it('are those of a test whose name is longer than a scope', () => {
    const cut = ['reads', 'writes'].map((name) =>
      call(name, 'ok', scopeIn(`tests/test_a.py::${long(name)}`)),
    );
    expect(idsOf(lastOf(cut, [`tests.test_a: ${long('reads')}`]))).toBe('reads');
  });

  it('are not those of a scope that is only the last word of a failed test', () => {
    const others = [call('rejected', 'rejected'), call('user', 'ok', 'user')];
    expect(idsOf(lastOf(others, ['a.test.ts: lists > finds a user']))).toBe('rejected');
    expect(idsOf(lastOf(others, ['a.test.ts: lists > user']))).toBe('user');
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
