import {
  counted,
  inScope,
  missingKinds,
  placeOf,
  tallyText,
  unlistedText,
  type Check,
  type Violation,
} from '../figures.ts';
import { oneLine } from '../../base/escape.ts';
import { andMore } from '../../base/lists.ts';
import { Markup, markup, nothing } from '../../base/markup.ts';
import { exchangeText } from './exchange-lines.ts';
import type { Report } from '../report.ts';
import { judge, missedCalls, missedCoverage, noThresholds, type Thresholds } from '../thresholds.ts';

/** A test case: failed, skipped or passed. */
interface TestCase {
  readonly name: string;
  readonly failure?: Failure;
  readonly skipped?: string;
  readonly told?: readonly string[];
}

interface Failure {
  readonly message: string;
  readonly type: string;
  readonly lines: readonly string[];
}

/**
 * Renders the report as JUnit XML. A case fails only if it misses a threshold; what else was found is in its
 * output. Uncalled operations and checks that were not exercised or judged are skipped, never passed. Some CI
 * systems show only the text of a failure, others only its message, and most identify a suite by the class
 * names of its cases. Times are unknown.
 */
export function toJunit(report: Report, thresholds: Thresholds = noThresholds): string {
  const { failing } = judge(report, thresholds);
  const failingIds = new Set(failing.map(({ id }) => id));
  const stock = new Map(report.exchanges.map((one) => [one.requestId, one]));
  const context: Context = {
    isFailing: ({ id }) => failingIds.has(id),
    evidenceOf: (requestIds) =>
      requestIds.flatMap((id) => {
        const exchange = stock.get(id);
        stock.delete(id);
        return exchange === undefined
          ? []
          : ['', `${id}:`, ...exchangeText(exchange).map((line) => `    ${line}`)];
      }),
  };
  const suites = {
    contract: contractCases(report, context),
    ...upstreamSuite(report, context),
    ...assumptionsSuite(report, context),
    conduct: report.conduct.map((check) => conductCase(check, context)),
    coverage: [coverageCase(report, thresholds)],
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

interface Context {
  /** Whether a finding or violation misses a threshold. */
  readonly isFailing: (one: { readonly id: string }) => boolean;
  /** The requests and responses of calls that were not shown before. */
  readonly evidenceOf: (requestIds: readonly string[]) => readonly string[];
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

function contractCases(report: Report, context: Context): readonly TestCase[] {
  const { coverage, violations } = report;
  const type = 'contract-violation';
  const isMatched = ({ unmatched, operation }: Violation): boolean =>
    !unmatched && coverage.some((one) => one.operation === operation);
  const unmatched = violations.filter((one) => !isMatched(one));
  return [
    ...casesOf(coverage, violations.filter(isMatched), { type, whole: 'the body', context }),
    ...(unmatched.length === 0
      ? []
      : [
          {
            name: 'unmatched requests',
            ...violationsText(unmatched, { type, whole: 'the request', context }),
          },
        ]),
    ...restCase(unlistedText(report, 'violations'), type, context.isFailing({ id: 'violations:unlisted' })),
  ];
}

/** Unlisted violations count too. */
function restCase(text: string | null, type: string, isFailing: boolean): readonly TestCase[] {
  if (text === null) return [];
  const name = 'other violations';
  return [isFailing ? { name, failure: { message: text, type, lines: [text] } } : { name, told: [text] }];
}

/** The suite for the upstream of a proxy; none if there is no upstream. */
function upstreamSuite(report: Report, context: Context): { readonly upstream?: readonly TestCase[] } {
  const { coverage, responseViolations } = report;
  if (responseViolations === undefined) return {};
  const type = 'response-violation';
  const listed = casesOf(coverage, responseViolations, { type, whole: 'the response', context });
  const rest = unlistedText(report, 'responseViolations');
  return {
    upstream: [...listed, ...restCase(rest, type, context.isFailing({ id: 'response-violations:unlisted' }))],
  };
}

/** The suite for the differences of the upstream from the assumptions; none if there is no upstream. */
function assumptionsSuite(report: Report, context: Context): { readonly assumptions?: readonly TestCase[] } {
  const { coverage, responseDifferences } = report;
  if (responseDifferences === undefined) return {};
  const type = 'response-difference';
  const listed = casesOf(coverage, responseDifferences, { type, whole: 'the response', context });
  const rest = unlistedText(report, 'responseDifferences');
  const isFailing = context.isFailing({ id: 'response-differences:unlisted' });
  return { assumptions: [...listed, ...restCase(rest, type, isFailing)] };
}

interface OfKind {
  readonly type: string;
  /** The name of what a pointer points into. */
  readonly whole: string;
  readonly context: Context;
}

function casesOf(
  coverage: Report['coverage'],
  violations: Report['violations'],
  kind: OfKind,
): readonly TestCase[] {
  return coverage.map(({ operation, calls, outcomes }) => {
    const own = violations.filter((one) => one.operation === operation);
    const { failure, told = [] } = violationsText(own, kind);
    return {
      name: operation,
      ...(failure === undefined ? {} : { failure }),
      ...(calls === 0
        ? { skipped: 'Never called.' }
        : { told: [`${counted(calls, 'call')}: ${tallyText(outcomes)}.`, ...told] }),
    };
  });
}

/** Returns the violations that miss a threshold as a failure, and the others as output. */
function violationsText(
  violations: Report['violations'],
  { type, whole, context: { isFailing, evidenceOf } }: OfKind,
): Pick<TestCase, 'failure' | 'told'> {
  const sentence = ({ pointer, message }: Violation): string => `${placeOf(pointer, whole)} ${message}`;
  const linesOf = (one: Violation): readonly string[] => [
    oneLine(`${one.count}× ${sentence(one)} (${one.requestIds.join(', ')}) ${one.id}`),
    ...evidenceOf(one.requestIds),
  ];
  const failing = violations.filter(isFailing);
  const others = violations.filter((one) => !isFailing(one));
  const [first] = failing;
  return {
    ...(first === undefined
      ? {}
      : {
          failure: {
            message: `${sentence(first)}${andMore(failing.length - 1)}`,
            type,
            lines: failing.flatMap(linesOf),
          },
        }),
    ...(others.length === 0 ? {} : { told: others.flatMap(linesOf) }),
  };
}

function conductCase(check: Check, context: Context): TestCase {
  const { check: name, verdict, message, title, exercise } = check;
  if (verdict === 'not-exercised') return { name, skipped: `${message} To exercise it: ${exercise}` };
  if (verdict === 'not-judged') return { name, skipped: message };
  if (verdict === 'passed') return { name, told: [`${title}. ${message}`] };
  const lines = conductLines(check, context);
  const { isFailing } = context;
  const fails = check.findings.some(isFailing) || isFailing({ id: `${name}:unlisted` });
  return fails
    ? { name, failure: { message: `${title}: ${message}`, type: 'conduct', lines } }
    : { name, told: lines };
}

function conductLines(
  { title, message, rule, basis, findings }: Check,
  { evidenceOf }: Context,
): readonly string[] {
  const found = findings.flatMap((finding) => [
    oneLine(`${finding.operation}: ${finding.message}${inScope(finding)} ${finding.id}`),
    ...finding.evidence.map(
      ({ requestId, at, receivedAt }) =>
        `  ${requestId} at ${at} on the sandbox's clock, ${receivedAt} in real time`,
    ),
    ...evidenceOf(finding.evidence.map(({ requestId }) => requestId)),
  ]);
  return [`${title}: ${message}`, ...found, `Rule: ${rule}`, `Basis: ${basis}`];
}

function coverageCase(report: Report, thresholds: Thresholds): TestCase {
  const { met, of, percent, missing } = report.situations;
  const name = 'situations';
  const lines = missing.flatMap(({ kind, name: what, command }) => [
    `${missingKinds[kind]}: ${what}`,
    `  ${command}`,
  ]);
  const told = [`${met} of ${of} situations met (${percent} %).`, ...lines];
  const missed = [...missedCalls(report, thresholds), ...missedCoverage(report, thresholds)];
  if (missed.length === 0) return { name, told };
  return { name, failure: { message: missed.join(' '), type: 'coverage', lines: missed }, told };
}
