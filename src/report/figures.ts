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
  /** Number of differences of the upstream from the assumptions. */
  readonly responseDifferences: number;
  readonly broken: readonly Check[];
  readonly advised: readonly Check[];
  readonly kept: readonly Check[];
  readonly notJudged: readonly Check[];
  readonly notExercised: readonly Check[];
}

export function figuresOf({
  coverage,
  violations,
  responseViolations = [],
  responseDifferences = [],
  unlisted,
  conduct,
}: Report): Figures {
  const having = (verdict: Check['verdict']): readonly Check[] =>
    conduct.filter((one) => one.verdict === verdict);
  return {
    calledOperations: coverage.filter(({ calls }) => calls > 0).length,
    violations: countOf(violations) + (unlisted?.violations.count ?? 0),
    responseViolations: countOf(responseViolations) + (unlisted?.responseViolations.count ?? 0),
    responseDifferences: countOf(responseDifferences) + (unlisted?.responseDifferences?.count ?? 0),
    broken: having('failed'),
    advised: having('advised'),
    kept: having('passed'),
    notJudged: having('not-judged'),
    notExercised: having('not-exercised'),
  };
}

function countOf(violations: readonly Violation[]): number {
  return violations.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number of checks by verdict. */
export function conductText(figures: Figures): string {
  return `${failedText(figures)}, ${otherVerdictsText(figures)}`;
}

/** Returns the number of checks that did not fail, by verdict. Rare verdicts are named only if they occur. */
export function otherVerdictsText({ advised, kept, notJudged, notExercised }: Figures): string {
  return [
    ...(advised.length === 0 ? [] : [`${advised.length} with advice`]),
    `${kept.length} passed`,
    ...(notJudged.length === 0 ? [] : [`${notJudged.length} not judged`]),
    `${notExercised.length} not exercised`,
  ].join(', ');
}

/** Returns the number of failed checks by strength: `3 failed (1 must, 2 should)`. */
function failedText({ broken }: Figures): string {
  const of = (strength: Check['strength']): readonly string[] => {
    const count = broken.filter((one) => one.strength === strength).length;
    return count === 0 ? [] : [`${count} ${strength}`];
  };
  const parts = [...of('must'), ...of('should')];
  return `${broken.length} failed${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

/** The sign of a check with findings, by its strength. */
export const signs = { must: '✗', should: '!', advice: '→' } as const;

/** ✗ if the client violated the contract, ! if it should do something better, ✓, or – if there were no calls. */
export type Sign = '✓' | '!' | '✗' | '–';

/** Returns the result in one sentence. Checks that were not exercised or judged never count as passed. */
export function verdictOf(report: Report): { readonly sign: Sign; readonly sentence: string } {
  const { broken, violations, ...others } = figuresOf(report);
  const { calls, evicted } = report;
  if (calls === 0 && evicted > 0)
    return { sign: '–', sentence: 'The report has none of the calls of the client.' };
  if (calls === 0) return { sign: '–', sentence: 'The client made no calls, so there is nothing to report.' };
  const ofContract = broken.filter(({ strength }) => strength === 'must').length;
  const ofConduct = broken.length - ofContract;
  const parts = [
    ...(violations === 0
      ? []
      : [`violated the contract ${violations === 1 ? 'once' : `${violations} times`}`]),
    ...(ofContract === 0 ? [] : [`violated ${counted(ofContract, 'rule')} of conduct`]),
    ...(ofConduct === 0
      ? []
      : [`should follow ${counted(ofConduct, 'rule')} of conduct that it did not follow`]),
  ];
  if (parts.length > 0)
    return {
      sign: violations + ofContract > 0 ? '✗' : '!',
      sentence: `The client ${listedAnd(parts)}.`,
    };
  const where = evicted === 0 ? '' : ` in its last ${counted(calls, 'call')}`;
  return {
    sign: '✓',
    sentence: `The client did not violate the contract${where}. ${passedText(report, others)}`,
  };
}

/** `It passed 3 of 11 conduct checks; 7 were not exercised, and 1 was not judged.` */
function passedText(
  { conduct }: Report,
  {
    kept,
    advised,
    notExercised,
    notJudged,
  }: Pick<Figures, 'kept' | 'advised' | 'notExercised' | 'notJudged'>,
): string {
  const rest = [
    ...(advised.length === 0 ? [] : [`there is advice on ${advised.length}`]),
    ...wereNot(notExercised, 'exercised'),
    ...wereNot(notJudged, 'judged'),
  ];
  const passed = `It passed ${kept.length} of ${counted(conduct.length, 'conduct check')}`;
  return rest.length === 0 ? `${passed}.` : `${passed}; ${listedAnd(rest)}.`;
}

function wereNot({ length }: readonly Check[], what: string): readonly string[] {
  return length === 0 ? [] : [`${length} ${length === 1 ? 'was' : 'were'} not ${what}`];
}

/** Returns texts as one: `a, b and c`. */
function listedAnd(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' and ');
}

/** Returns the scope of a finding for the end of a sentence: ` (in a test)`. Empty if there is none. */
export function inScope({ scope }: Check['findings'][number]): string {
  return scope === null ? '' : ` (in ${scope})`;
}

/** Returns a note on calls that are missing from the report, or null. */
export function leftOutOf({ evicted, fromPages }: Report): string | null {
  const parts = [
    ...(evicted === 0 ? [] : [`${counted(evicted, 'older call')} that the report does not have`]),
    ...(fromPages === 0 ? [] : [`${counted(fromPages, 'call')} from pages of the sandbox or a browser`]),
  ];
  return parts.length === 0 ? null : `Not counted: ${listedAnd(parts)}.`;
}

/** The lists of a report whose rest is only counted. */
export type UnlistedGroup = 'violations' | 'responseViolations' | 'responseDifferences';

/** Returns a note on what such a list leaves out, or null. */
export function unlistedText(report: Report, of: UnlistedGroup): string | null {
  const { kinds, count } = report.unlisted?.[of] ?? { kinds: 0, count: 0 };
  return kinds === 0
    ? null
    : `And ${counted(kinds, 'more kind')} (${counted(count, of === 'responseDifferences' ? 'difference' : 'violation')}), none more frequent than the last one listed.`;
}

/** `12.3 ms`. */
export function milliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`;
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
