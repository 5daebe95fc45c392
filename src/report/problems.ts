import type { Report } from './report.ts';

/** One finding or kind of violation that can fail a run. */
export interface Problem {
  readonly id: string;
  readonly kind: 'violation' | 'unmatched' | 'response-violation' | 'response-difference' | 'conduct';
  /** The check that found it. Null for violations. */
  readonly check: string | null;
  readonly strength: 'must' | 'should';
  readonly message: string;
  /** How often it occurred. */
  readonly count: number;
}

/** Returns everything in a report that can fail a run. Advice cannot. */
export function problemsIn(report: Report): readonly Problem[] {
  const { violations, responseViolations = [], responseDifferences = [], unlisted, conduct } = report;
  return [
    ...violations.map((one) => violation(one.unmatched ? 'unmatched' : 'violation', one)),
    ...unlistedViolations('violation', unlisted?.violations.count ?? 0),
    ...responseViolations.map((one) => violation('response-violation', one)),
    ...unlistedViolations('response-violation', unlisted?.responseViolations.count ?? 0),
    ...responseDifferences.map((one) => violation('response-difference', one)),
    ...unlistedViolations('response-difference', unlisted?.responseDifferences?.count ?? 0),
    ...conduct.flatMap(findingsOf),
  ];
}

function violation(
  kind: Problem['kind'],
  { id, message, count }: Pick<Report['violations'][number], 'id' | 'message' | 'count'>,
): Problem {
  return { id, kind, check: null, strength: 'must', message, count };
}

/** Violations that the report does not list have one id together, which only `violations` as a whole allows. */
function unlistedViolations(
  kind: 'violation' | 'response-violation' | 'response-difference',
  count: number,
): readonly Problem[] {
  if (count === 0) return [];
  const what = kind === 'response-difference' ? 'Differences' : 'Violations';
  return [
    violation(kind, { id: `${kind}s:unlisted`, message: `${what} that the report does not list.`, count }),
  ];
}

function findingsOf({
  check,
  strength,
  findings,
  unlisted = 0,
}: Report['conduct'][number]): readonly Problem[] {
  if (strength === 'advice') return [];
  const rest = { id: `${check}:unlisted`, message: 'Findings that the report does not list.' };
  return [
    ...findings.map(({ id, message }) => ({ id, message, count: 1 })),
    ...(unlisted === 0 ? [] : [{ ...rest, count: unlisted }]),
  ].map((one) => ({ ...one, kind: 'conduct' as const, check, strength }));
}
