import { oneLine } from '../../base/escape.ts';
import { groupBy } from '../../base/group-by.ts';
import { andMore } from '../../base/lists.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import {
  advice,
  isCovered,
  sentenceOn,
  type Difference,
  type DifferenceReport,
  type Tolerance,
} from './report.ts';

interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly differences: readonly Difference[];
  readonly skipped: string | null;
}

/**
 * Renders the report as JUnit XML: a suite for each operation, a case for each call. A case fails if a
 * difference is neither known nor allowed; the others are in its output.
 */
export function toJunit(report: DifferenceReport, tolerance: Tolerance): string {
  const cases = casesOf(report);
  const suites = [...groupBy(cases, ({ suite }) => suite)];
  const text = markup`<testsuites name="${oneLine(report.title)}" ${counts(cases, tolerance)}>
${suites.map(
  ([
    name,
    own,
  ]) => markup`<testsuite name="${name}" ${counts(own, tolerance)} skipped="${own.filter(({ skipped }) => skipped !== null).length}">
${own.map((one) => testCase(one, report, tolerance))}
</testsuite>`,
)}
</testsuites>
`.text;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
}

function casesOf({ compared, skipped, differences }: DifferenceReport): readonly TestCase[] {
  const byCall = groupBy(differences, ({ operation, call }) => `${operation} ${call}`);
  const sent = new Set(compared.map(({ operation, call }) => `${operation} ${call}`));
  const others = [...byCall].filter(([name]) => !sent.has(name)).map(([, [first]]) => first);
  const all = [...compared, ...others.filter((one) => one !== undefined)];
  return [
    ...all.map(({ operation, call }) => ({
      suite: operation,
      name: call,
      differences: byCall.get(`${operation} ${call}`) ?? [],
      skipped: null,
    })),
    ...skipped.map(({ operation, call, why }) => ({
      suite: operation,
      name: call,
      differences: [],
      skipped: why,
    })),
  ];
}

function failingIn({ differences }: TestCase, tolerance: Tolerance): readonly Difference[] {
  return differences.filter((one) => !isCovered(one, tolerance));
}

function counts(cases: readonly TestCase[], tolerance: Tolerance): Markup {
  const failures = cases.filter((one) => failingIn(one, tolerance).length > 0).length;
  return markup`tests="${cases.length}" failures="${failures}" errors="0"`;
}

function testCase(one: TestCase, { sides }: DifferenceReport, tolerance: Tolerance): Markup {
  const failing = failingIn(one, tolerance);
  const others = one.differences.filter((difference) => !failing.includes(difference));
  const [first] = failing;
  const lineOf = (difference: Difference): string => {
    const hint = advice(difference);
    const sentence = sentenceOn(difference, sides);
    return oneLine(`${sentence}${hint === '' ? '' : ` (${hint})`} ${difference.id}`);
  };
  const failure =
    first === undefined
      ? nothing
      : markup`<failure message="${oneLine(`${sentenceOn(first, sides)}${andMore(failing.length - 1)}`)}" type="difference">${failing.map(lineOf).join('\n')}</failure>`;
  const skipped = one.skipped === null ? nothing : markup`<skipped message="${oneLine(one.skipped)}"/>`;
  const told =
    others.length === 0 ? nothing : markup`<system-out>${others.map(lineOf).join('\n')}</system-out>`;
  return markup`<testcase classname="${one.suite}" name="${one.name}">${failure}${skipped}${told}</testcase>`;
}
