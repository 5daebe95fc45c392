import type { Report } from './report.ts';

export type Check = Report['conduct'][number];
export type Violation = Report['violations'][number];
export type MissingSituation = Report['situations']['missing'][number];

/** What a report comes to, in numbers. */
export interface Figures {
  readonly calledOperations: number;
  /** Every time that the contract was broken. */
  readonly violations: number;
  /** The same of another server, behind the proxy. */
  readonly responseViolations: number;
  readonly broken: readonly Check[];
  readonly kept: readonly Check[];
  readonly notExercised: readonly Check[];
}

export function figuresOf({ coverage, violations, responseViolations = [], unlisted, conduct }: Report): Figures {
  const having = (verdict: Check['verdict']): readonly Check[] => conduct.filter((one) => one.verdict === verdict);
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

/** How many rules came to which verdict. */
export function conductText({ broken, kept, notExercised }: Figures): string {
  return `${broken.length} broken, ${kept.length} kept, ${notExercised.length} not exercised`;
}

/** ✓, ✗, or – where there is nothing to judge. */
export type Sign = '✓' | '✗' | '–';

/** The report in a sentence. It never says that a client kept what it had no occasion to break. */
export function verdictOf(report: Report): { readonly sign: Sign; readonly sentence: string } {
  const { broken, kept, violations } = figuresOf(report);
  if (report.calls === 0) return { sign: '–', sentence: 'The client made no call, so there is nothing to judge.' };
  const faults = [
    ...(broken.length === 0 ? [] : [`${broken.length} of ${counted(report.conduct.length, 'rule')} of conduct`]),
    ...(violations === 0 ? [] : [`the contract ${violations === 1 ? 'once' : `${violations} times`}`]),
  ];
  if (faults.length > 0) return { sign: '✗', sentence: `The client broke ${faults.join(', and ')}.` };
  const occasion = `${kept.length} of ${report.conduct.length}`;
  return { sign: '✓', sentence: `The client kept the contract, and every rule of conduct that it had occasion to keep: ${occasion}.` };
}

/** What is not in the report though it happened; null where that is nothing. */
export function leftOutOf({ evicted }: Report): string | null {
  if (evicted === 0) return null;
  return `${counted(evicted, 'older call')} had to make room in the journal and ${evicted === 1 ? 'is' : 'are'} not counted.`;
}

/** The kinds of violations that the report does not list; null where it lists all. */
export function unlistedText(report: Report, of: 'violations' | 'responseViolations'): string | null {
  const { kinds, count } = report.unlisted?.[of] ?? { kinds: 0, count: 0 };
  return kinds === 0 ? null : `And ${counted(kinds, 'more kind')} (${counted(count, 'violation')}), each as rare as the last or rarer.`;
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

/** What stands where: a JSON Pointer, or the body as a whole. */
export function placeOf(pointer: string, whole = 'the body'): string {
  return pointer === '' ? whole : pointer;
}

/** The calls that show a finding, by their ids. */
export function evidenceText({ evidence }: Check['findings'][number]): string {
  return evidence.map(({ requestId }) => requestId).join(', ');
}

/** The kinds of situations in the order in which they are told, each with what it means that one is missing. */
export const missingKinds: Readonly<Record<MissingSituation['kind'], string>> = {
  answer: 'Operations that never answered well',
  'element-error': 'Operations of which no element ever failed',
  refusal: 'Refusals never met',
  fault: 'Faults never met',
};

/** How the commands of missing situations are run. */
export const commandsNote = {
  variables: ['SANDBOX_URL', 'SANDBOX_API_KEY', 'SANDBOX_CONTROL_URL', 'SANDBOX_ID'],
  setBy: 'lp-sandbox exec',
  tokenHeader: '-H "Authorization: Bearer $SANDBOX_CONTROL_TOKEN"',
} as const;
