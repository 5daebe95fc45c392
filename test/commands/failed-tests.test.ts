import { describe, expect, it } from 'vitest';
import { failedTestsIn } from '../../src/commands/matrix/failed-tests.ts';

describe('the failed tests of a JUnit file', () => {
  it.each([
    ['of Vitest', '<testcase classname="a.test.ts" name="lists > all"><failure message="no"/></testcase>'],
    [
      'of pytest',
      `<testcase name='lists &gt; all' time="1" classname='a.test.ts'>\n<failure>no</failure></testcase>`,
    ],
    ['with an error', '<testcase classname="a.test.ts" name="lists &#62; &#x61;ll"><error/></testcase>'],
  ])('have their class and name: %s', (_, xml) => {
    const others = '<testcase name="passes"/><testcase name="is skipped"><skipped/></testcase>';
    expect(failedTestsIn(`<testsuites><testsuite>${others}${xml}${others}</testsuite></testsuites>`)).toEqual(
      ['a.test.ts: lists > all'],
    );
  });

  it('are not those that only print what looks like a failure', () => {
    const printed =
      '<system-out><![CDATA[<failure></testcase><testcase name="x"><failure/></testcase>]]></system-out>';
    expect(
      failedTestsIn(`<testcase name="a">${printed}</testcase><!-- <testcase><error/></testcase> -->`),
    ).toEqual([]);
    expect(
      failedTestsIn('<testcase name="a"><system-out>no &lt;failure&gt;, no failures</system-out></testcase>'),
    ).toEqual([]);
  });

  it('have the name alone if it contains the class, or if there is no class', () => {
    const failure = '<failure/></testcase>';
    expect(
      failedTestsIn(
        `<testcase classname="a" name="a > b">${failure}<testcase name="c">${failure}<testcase>${failure}`,
      ),
    ).toEqual(['a > b', 'c', 'a test without a name']);
  });

  it.each(['', 'no XML', '<testcase name="a"><failure>', '{}'])('are none in anything else: %j', (text) => {
    expect(failedTestsIn(text)).toEqual([]);
  });
});
