import type { Report } from './report.ts';

export type Check = Report['conduct'][number];
export type Violation = Report['violations'][number];
export type MissingSituation = Report['situations']['missing'][number];

/** The figures of a report. */
export interface Figures {
  readonly calledOperations: number;
  /** Number of contract violations by the client. */
  readonly violations: number;
  /** Number of contract violations by the upstream of a proxy. */
  readonly responseViolations: number;
  readonly broken: readonly Check[];
  readonly kept: readonly Check[];
  readonly notExercised: readonly Check[];
}

export function figuresOf({
  coverage,
  violations,
  responseViolations = [],
  unlisted,
  conduct,
}: Report): Figures {
  const having = (verdict: Check['verdict']): readonly Check[] =>
    conduct.filter((one) => one.verdict === verdict);
  return {
    calledOperations: coverage.filter(({ calls }) => calls > 0).length,
    violations: countOf(violations) + (unlisted?.violations.count ?? 0),
    responseViolations: countOf(responseViolations) + (unlisted?.responseViolations.count ?? 0),
    broken: having('failed'),
    kept: having('passed'),
    notExercised: having('not-exercised'),
  };
}

function countOf(violations: readonly Violation[]): number {
  return violations.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number of checks by verdict. */
export function conductText({ broken, kept, notExercised }: Figures): string {
  return `${broken.length} failed, ${kept.length} passed, ${notExercised.length} not exercised`;
}

/** ✓, ✗, or – if there were no calls. */
export type Sign = '✓' | '✗' | '–';

/** Returns the result in one sentence. Checks that were not exercised never count as passed. */
export function verdictOf(report: Report): { readonly sign: Sign; readonly sentence: string } {
  const { broken, kept, violations } = figuresOf(report);
  if (report.calls === 0)
    return { sign: '–', sentence: 'The client made no calls, so there is nothing to report.' };
  const faults = [
    ...(broken.length === 0
      ? []
      : [`failed ${broken.length} of ${counted(report.conduct.length, 'conduct check')}`]),
    ...(violations === 0
      ? []
      : [`violated the contract ${violations === 1 ? 'once' : `${violations} times`}`]),
  ];
  if (faults.length > 0) return { sign: '✗', sentence: `The client ${faults.join(' and ')}.` };
  const occasion = `${kept.length} of ${report.conduct.length}`;
  return {
    sign: '✓',
    sentence: `The client did not violate the contract and passed every conduct check that applied: ${occasion}.`,
  };
}

/** Returns a note on calls that are missing from the report, or null. */
export function leftOutOf({ evicted }: Report): string | null {
  if (evicted === 0) return null;
  return `Not counted: ${counted(evicted, 'older call')} that the journal no longer has.`;
}

/** Returns a note on the violations that the report does not list, or null. */
export function unlistedText(report: Report, of: 'violations' | 'responseViolations'): string | null {
  const { kinds, count } = report.unlisted?.[of] ?? { kinds: 0, count: 0 };
  return kinds === 0
    ? null
    : `And ${counted(kinds, 'more kind')} (${counted(count, 'violation')}), none more frequent than the last one listed.`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `ok 3, fault 2`. */
export function tallyText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** Returns a JSON Pointer, or the name of the whole if it is empty. */
export function placeOf(pointer: string, whole = 'the body'): string {
  return pointer === '' ? whole : pointer;
}

/** Returns the request ids that prove a finding. */
export function evidenceText({ evidence }: Check['findings'][number]): string {
  return evidence.map(({ requestId }) => requestId).join(', ');
}

/** The kinds of situations in the order of the report, with titles for the missing ones. */
export const missingKinds: Readonly<Record<MissingSituation['kind'], string>> = {
  answer: 'Operations without a successful call',
  'element-error': 'Operations without a failed element',
  refusal: 'Refusals not met',
  fault: 'Faults not met',
};

/** The variables and the header that the commands of missing situations need. */
export const commandsNote = {
  variables: ['SANDBOX_URL', 'SANDBOX_API_KEY', 'SANDBOX_CONTROL_URL', 'SANDBOX_ID'],
  setBy: 'lp-sandbox exec',
  tokenHeader: '-H "Authorization: Bearer $SANDBOX_CONTROL_TOKEN"',
} as const;
