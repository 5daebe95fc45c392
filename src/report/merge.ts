import { mostWanted } from './evidence/exchanges.ts';
import { counted, type UnlistedGroup } from './figures.ts';
import { mergeCoverage, mergeSituations, summed } from './merge-coverage.ts';
import { mergeUpstream } from './merge-upstream.ts';
import { byText, firstOf, union } from './merge-lists.ts';
import type { Report } from './report.ts';

type Check = Report['conduct'][number];
type Finding = Check['findings'][number];
type Violation = Report['violations'][number];

/** Maximum number of requests and scopes listed for each violation, and of calls for each finding. */
const maxNamed = 10;
const maxEvidence = 4;

/**
 * Merges reports of different runs, jobs or sandboxes into one. Neither their order nor the order of several
 * merges changes the result. Lists of violations, findings and exchanges are complete, see `shortened`.
 */
export function mergeReports([first, ...others]: readonly [Report, ...Report[]]): Report {
  return others.reduce(merge, first);
}

function merge(one: Report, other: Report): Report {
  const coverage = mergeCoverage(one.coverage, other.coverage);
  const ofUpstream = [one.responseViolations, other.responseViolations].filter((list) => list !== undefined);
  const differing = [one.responseDifferences, other.responseDifferences].filter((list) => list !== undefined);
  return {
    version: one.version,
    sandbox: union(one.sandbox.split(', '), other.sandbox.split(', '), (name) => name).join(', '),
    calls: one.calls + other.calls,
    fromPages: one.fromPages + other.fromPages,
    evicted: one.evicted + other.evicted,
    from: firstOf([one.from, other.from]),
    to: firstOf([one.to, other.to], (former, latter) => byText(latter, former)),
    coverage,
    neverCalled: coverage.flatMap(({ operation, calls }) => (calls === 0 ? [operation] : [])),
    faultsMet: summed(one.faultsMet, other.faultsMet),
    situations: mergeSituations(one.situations, other.situations),
    violations: mergeViolations(one.violations, other.violations),
    ...(ofUpstream.length === 0 ? {} : { responseViolations: ofUpstream.reduce(mergeViolations, []) }),
    ...(differing.length === 0 ? {} : { responseDifferences: differing.reduce(mergeViolations, []) }),
    ...mergeUpstream(one, other),
    ...unlistedOf(one.unlisted, other.unlisted),
    conduct: mergeConduct(one.conduct, other.conduct),
    exchanges: union(one.exchanges, other.exchanges, callKey, firstAsText),
  };
}

/** Maximum number of listed violations, and of findings per check. */
const maxListed = 500;

/**
 * Returns a report with at most `max` violations, with at most `maxFindings` per check, and with as many exchanges
 * as that of one sandbox. It counts the other violations and findings.
 */
export function shortened(report: Report, max = maxListed, maxFindings = max): Report {
  const { violations, responseViolations, responseDifferences, unlisted, conduct, exchanges } = report;
  const { unlisted: all } = unlistedOf(unlisted, {
    violations: countOf(violations.slice(max)),
    responseViolations: countOf(responseViolations?.slice(max) ?? []),
    responseDifferences: countOf(responseDifferences?.slice(max) ?? []),
  });
  const listed = {
    violations: violations.slice(0, max),
    ...(responseViolations === undefined ? {} : { responseViolations: responseViolations.slice(0, max) }),
    ...(responseDifferences === undefined ? {} : { responseDifferences: responseDifferences.slice(0, max) }),
    conduct: conduct.map((check) => ({
      ...check,
      ...unlistedFindings((check.unlisted ?? 0) + Math.max(0, check.findings.length - maxFindings)),
      findings: check.findings.slice(0, maxFindings),
    })),
  };
  const isComplete = all === undefined || Object.values(all).every(({ kinds }) => kinds === 0);
  return {
    ...report,
    ...listed,
    ...(isComplete ? {} : { unlisted: all }),
    exchanges: mostWanted(listed, exchanges),
  };
}

function countOf(violations: readonly Violation[]): typeof none {
  return { kinds: violations.length, count: violations.reduce((sum, { count }) => sum + count, 0) };
}

const none = { kinds: 0, count: 0 };

/** A kind that several reports do not list counts several times, because nothing shows that it is the same. */
function unlistedOf(one: Report['unlisted'], other: Report['unlisted']): Pick<Report, 'unlisted'> {
  const both = [one, other].filter((unlisted) => unlisted !== undefined);
  if (both.length === 0) return {};
  const sum = (of: UnlistedGroup): typeof none =>
    both.reduce(
      (total, { [of]: own = none }) => ({ kinds: total.kinds + own.kinds, count: total.count + own.count }),
      none,
    );
  const responseDifferences = sum('responseDifferences');
  return {
    unlisted: {
      violations: sum('violations'),
      responseViolations: sum('responseViolations'),
      ...(responseDifferences.kinds === 0 ? {} : { responseDifferences }),
    },
  };
}

function mergeViolations(one: readonly Violation[], other: readonly Violation[]): readonly Violation[] {
  const merged = union(one, other, violationKey, (former, latter) => ({
    ...former,
    count: former.count + latter.count,
    scopes: union(former.scopes, latter.scopes, (scope) => scope).slice(0, maxNamed),
    requestIds: union(former.requestIds, latter.requestIds, (id) => id).slice(0, maxNamed),
  }));
  return merged.toSorted(
    (former, latter) => latter.count - former.count || byText(violationKey(former), violationKey(latter)),
  );
}

/** Violations with the same id may differ in numbers and quoted values. */
function violationKey({ id, operation, pointer, message, unmatched }: Violation): string {
  return [id, operation, pointer, unmatched, message].join(' ');
}

/** The verdicts from the worst to the least informative one: a merged check has the first of its verdicts. */
const verdicts: readonly Check['verdict'][] = ['failed', 'advised', 'not-judged', 'passed', 'not-exercised'];

function mergeConduct(one: readonly Check[], other: readonly Check[]): readonly Check[] {
  const names = new Set([...one, ...other].map(({ check }) => check));
  return [...names].flatMap((name) => {
    const former = one.find(({ check }) => check === name);
    const latter = other.find(({ check }) => check === name);
    if (former === undefined || latter === undefined) return former ?? latter ?? [];
    return mergeChecks(former, latter);
  });
}

function mergeChecks(one: Check, other: Check): Check {
  const [worst = one, rest = other] = [one, other].toSorted(
    (former, latter) =>
      verdicts.indexOf(former.verdict) - verdicts.indexOf(latter.verdict) ||
      byText(former.message, latter.message),
  );
  const occasions = worst.occasions + rest.occasions;
  const findings = union(one.findings, other.findings, findingKey, mergeFindings);
  const merged = {
    ...worst,
    ...unlistedFindings((one.unlisted ?? 0) + (other.unlisted ?? 0)),
    occasions,
    findings,
  };
  return { ...merged, message: messageOf(merged) };
}

function unlistedFindings(unlisted: number): Pick<Check, 'unlisted'> {
  return unlisted === 0 ? {} : { unlisted };
}

function messageOf({ verdict, occasions, findings, unlisted = 0, message }: Check): string {
  const on = `on ${counted(occasions, 'occasion')}`;
  if (verdict === 'failed' || verdict === 'advised')
    return `${counted(findings.length + unlisted, 'finding')} ${on}.`;
  return verdict === 'passed' ? `Passed ${on}.` : message;
}

function findingKey({ id, message }: Finding): string {
  return `${id} ${message}`;
}

function mergeFindings(one: Finding, other: Finding): Finding {
  return { ...one, evidence: union(one.evidence, other.evidence, callKey).slice(0, maxEvidence) };
}

/** Chooses one of two calls of different servers that have the same id and time. */
function firstAsText<T>(one: T, other: T): T {
  return JSON.stringify(one) <= JSON.stringify(other) ? one : other;
}

/** Calls of different runs may have the same id. */
function callKey({ receivedAt, requestId }: Finding['evidence'][number]): string {
  return `${receivedAt} ${requestId}`;
}
