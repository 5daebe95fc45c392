import { describe, expect, it } from 'vitest';
import { testsIn } from '../../src/commands/matrix/failed-tests.ts';

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
    expect(
      testsIn(`<testsuites><testsuite>${others}${xml}${others}</testsuite></testsuites>`).failed,
    ).toEqual(['a.test.ts: lists > all']);
  });

  it('are not those that only print what looks like a failure', () => {
    const printed =
      '<system-out><![CDATA[<failure></testcase><testcase name="x"><failure/></testcase>]]></system-out>';
    expect(
      testsIn(`<testcase name="a">${printed}</testcase><!-- <testcase><error/></testcase> -->`).failed,
    ).toEqual([]);
    expect(
      testsIn('<testcase name="a"><system-out>no &lt;failure&gt;, no failures</system-out></testcase>')
        .failed,
    ).toEqual([]);
  });

  it('have the name alone if it contains the class, or if there is no class', () => {
    const failure = '<failure/></testcase>';
    expect(
      testsIn(
        `<testcase classname="a" name="a > b">${failure}<testcase name="c">${failure}<testcase>${failure}`,
      ).failed,
    ).toEqual(['a > b', 'c', 'a test without a name']);
  });

  it.each(['', 'no XML', '<testcase name="a"><failure>', '{}'])('are none in anything else: %j', (text) => {
    expect(testsIn(text).failed).toEqual([]);
  });

  it('are counted with the others that were not skipped', () => {
    const skipped =
      '<testcase name="a"><skipped message="x"/></testcase><testcase name="b"><skipped/></testcase>';
    expect(testsIn(`${skipped}<testcase name="c"/><testcase name="d"><failure/></testcase>`).ran).toBe(2);
    expect(testsIn('<testcase name="a"><system-out>&lt;skipped/></system-out></testcase>').ran).toBe(1);
  });
});
