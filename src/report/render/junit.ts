import { counted, missingKinds, placeOf, tallyText, unlistedText, type Check } from '../figures.ts';
import { oneLine } from '../../base/escape.ts';
import { andMore } from '../../base/lists.ts';
import { Markup, markup, nothing } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** A test case: failed, skipped or passed. */
interface TestCase {
  readonly name: string;
  readonly failure?: { readonly message: string; readonly type: string; readonly lines: readonly string[] };
  readonly skipped?: string;
  readonly told?: readonly string[];
}

/**
 * Renders the report as JUnit XML. Uncalled operations and checks that were not exercised are skipped, never
 * passed. Some CI systems show only the text of a failure, others only its message, and most identify a suite
 * by the class names of its cases. Times are unknown.
 */
export function toJunit(report: Report): string {
  const suites = {
    contract: contractCases(report),
    ...upstreamSuite(report),
    conduct: report.conduct.map(conductCase),
    coverage: [coverageCase(report)],
  };
  const all = Object.values(suites).flat();
  // The totals have no count of skipped tests, because the schema that Jenkins validates against does not
  // allow one.
  return `<?xml version="1.0" encoding="UTF-8"?>
${
  markup`<testsuites name="Report on the client of sandbox ${oneLine(report.sandbox)}" ${counts(all)}>
${Object.entries(suites).map(([name, cases]) => suite(name, cases))}
</testsuites>
`.text
}`;
}

function counts(cases: readonly TestCase[]): Markup {
  return markup`tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== undefined).length}" errors="0"`;
}

function suite(name: string, cases: readonly TestCase[]): Markup {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  return markup`<testsuite name="${name}" ${counts(cases)} skipped="${skipped}">
${cases.map((one) => testCase(name, one))}
</testsuite>`;
}

function testCase(suiteName: string, { name, failure, skipped, told }: TestCase): Markup {
  return markup`<testcase classname="${suiteName}" name="${name}">${
    failure === undefined
      ? nothing
      : markup`<failure message="${oneLine(failure.message)}" type="${failure.type}">${failure.lines.join('\n')}</failure>`
  }${skipped === undefined ? nothing : markup`<skipped message="${oneLine(skipped)}"/>`}${
    told === undefined ? nothing : markup`<system-out>${told.join('\n')}</system-out>`
  }</testcase>`;
}

function contractCases(report: Report): readonly TestCase[] {
  const { coverage, violations } = report;
  const type = 'contract-violation';
  return [
    ...casesOf(coverage, violations, type, 'the body'),
    ...restCase(unlistedText(report, 'violations'), type),
  ];
}

/** Unlisted violations count as a failure too. */
function restCase(text: string | null, type: string): readonly TestCase[] {
  return text === null ? [] : [{ name: 'other violations', failure: { message: text, type, lines: [text] } }];
}

/** The suite for the upstream of a proxy; none if there is no upstream. */
function upstreamSuite(report: Report): { readonly upstream?: readonly TestCase[] } {
  const { coverage, responseViolations } = report;
  if (responseViolations === undefined) return {};
  const type = 'response-violation';
  const listed = casesOf(coverage, responseViolations, type, 'the response');
  return { upstream: [...listed, ...restCase(unlistedText(report, 'responseViolations'), type)] };
}

function casesOf(
  coverage: Report['coverage'],
  violations: Report['violations'],
  type: string,
  whole: string,
): readonly TestCase[] {
  return coverage.map(({ operation, calls, outcomes }) => {
    const own = violations.filter((one) => one.operation === operation);
    const sentences = own.map(({ pointer, message }) => `${placeOf(pointer, whole)} ${message}`);
    const lines = own.map(({ count, requestIds }, index) =>
      oneLine(`${count}× ${sentences[index]} (${requestIds.join(', ')})`),
    );
    const message = `${sentences[0]}${andMore(own.length - 1)}`;
    return {
      name: operation,
      ...(own.length === 0 ? {} : { failure: { message, type, lines } }),
      ...(calls === 0
        ? { skipped: 'Never called.' }
        : { told: [`${counted(calls, 'call')}: ${tallyText(outcomes)}.`] }),
    };
  });
}

function conductCase(check: Check): TestCase {
  const { verdict, message, title, exercise } = check;
  const name = check.check;
  if (verdict === 'not-exercised') return { name, skipped: `${message} To exercise it: ${exercise}` };
  if (verdict === 'passed') return { name, told: [`${title}. ${message}`] };
  return { name, failure: { message: `${title}: ${message}`, type: 'conduct', lines: conductLines(check) } };
}

function conductLines({ title, message, rule, findings }: Check): readonly string[] {
  const found = findings.flatMap((finding) => [
    oneLine(`${finding.operation}: ${finding.message}`),
    ...finding.evidence.map(
      ({ requestId, at, receivedAt }) =>
        `  ${requestId} at ${at} on the sandbox's clock, ${receivedAt} in real time`,
    ),
  ]);
  return [`${title}: ${message}`, ...found, `Rule: ${rule}`];
}

function coverageCase({ situations: { met, of, percent, missing } }: Report): TestCase {
  const lines = missing.flatMap(({ kind, name, command }) => [
    `${missingKinds[kind]}: ${name}`,
    `  ${command}`,
  ]);
  return { name: 'situations', told: [`${met} of ${of} situations met (${percent} %).`, ...lines] };
}
