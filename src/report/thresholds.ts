import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { listed } from '../base/lists.ts';
import { checks } from './checks/index.ts';
import { counted } from './figures.ts';
import { problemsIn, type Problem } from './problems.ts';
import type { Report } from './report.ts';

/** The minimum percentages of met situations: of all, and of each group. */
export type MinCoverage = Readonly<Partial<Record<'all' | 'operations' | 'failures', number>>>;

/** A finding that was there when the baseline was written. */
export interface KnownFinding {
  readonly id: string;
  readonly message: string;
}

/** The limits that a run must keep to succeed. */
export interface Thresholds {
  /** What fails a run: names from `failOnNames`. */
  readonly failOn: readonly string[];
  readonly minCoverage: MinCoverage;
  /** Findings whose ids start with one of these never fail a run. */
  readonly allow?: readonly string[];
  /** Findings that were there before do not fail a run. */
  readonly baseline?: readonly KnownFinding[];
}

const isOfClient = ({ kind }: Problem): boolean => kind === 'violation' || kind === 'unmatched';
const isOfUpstream = ({ kind }: Problem): boolean => kind === 'response-violation';
const isDifference = ({ kind }: Problem): boolean => kind === 'response-difference';
const isOfConduct = ({ kind }: Problem): boolean => kind === 'conduct';

export const noThresholds: Thresholds = { failOn: [], minCoverage: {} };

/** Whether a problem is of each group of names. The names of single checks are the other ones. */
const groups: Readonly<Record<string, (problem: Problem) => boolean>> = {
  violations: isOfClient,
  unmatched: ({ kind }) => kind === 'unmatched',
  'response-violations': isOfUpstream,
  'response-differences': isDifference,
  conduct: isOfConduct,
  'conduct:should': isOfConduct,
  'conduct:must': ({ kind, strength }) => kind === 'conduct' && strength === 'must',
};

const checkNames: readonly string[] = checks.map(({ check }) => check);

/** Parses names such as `violations,retry-after`. Throws SandboxError for an unknown name. */
export function readFailOn(text: string): readonly string[] {
  return readNames('--fail-on', text, [...Object.keys(groups), ...checkNames], (name) => name);
}

/** Parses the starts of finding ids. Throws SandboxError if one does not start with the name of a check. */
export function readAllow(text: string): readonly string[] {
  const known = ['violations', 'response-violations', 'response-differences', ...checkNames];
  return readNames('--allow', text, known, (name) => name.split(':')[0] ?? '');
}

function readNames(
  flag: string,
  text: string,
  known: readonly string[],
  start: (name: string) => string,
): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (known.includes(start(name))) continue;
    throw new SandboxError(
      `Unknown name in ${flag}: ${JSON.stringify(name)}.${didYouMean(start(name), known)} Known: ${known.join(', ')}.`,
    );
  }
  return names;
}

/** What the thresholds say about a report. */
export interface Judgement {
  /** A sentence for each missed threshold. */
  readonly missed: readonly string[];
  /** The problems that fail the run. */
  readonly failing: readonly Problem[];
  /** The problems that do not, because they are known or allowed. */
  readonly tolerated: readonly Problem[];
  /** Known findings that did not occur. */
  readonly stale: readonly KnownFinding[];
}

export function judge(report: Report, thresholds: Thresholds): Judgement {
  const { failOn, allow = [], baseline = [] } = thresholds;
  const problems = problemsIn(report);
  const known = new Set(baseline.map(({ id }) => id));
  const isTolerated = ({ id }: Problem): boolean =>
    known.has(id) || allow.some((start) => startsWithParts(id, start));
  const found = new Set(problems.map(({ id }) => id));
  const failing = problems.filter(
    (problem) => failOn.some((name) => isMeant(problem, name)) && !isTolerated(problem),
  );
  return {
    missed: [
      ...missedCalls(report, thresholds),
      ...sentences(report, failing),
      ...missedCoverage(report, thresholds),
    ],
    failing,
    tolerated: problems.filter(isTolerated),
    stale: baseline.filter(({ id }) => !found.has(id)),
  };
}

/** Returns a sentence for each threshold that a report misses. */
export function missedThresholds(report: Report, thresholds: Thresholds): readonly string[] {
  return judge(report, thresholds).missed;
}

function isMeant(problem: Problem, name: string): boolean {
  return groups[name]?.(problem) ?? problem.check === name;
}

/** Whether an id starts with whole parts: `limits:a` starts `limits:a:b` and `limits:a/b`, but not `limits:ab`. */
function startsWithParts(id: string, start: string): boolean {
  return id.startsWith(start) && /^(?:$|[:/])/.test(/[:/]$/.test(start) ? '' : id.slice(start.length));
}

/** Whether a report can miss a threshold. */
export function areDemanding({ failOn, minCoverage }: Thresholds): boolean {
  return failOn.length > 0 || Object.values(minCoverage).some((percent) => percent > 0);
}

/** A client that makes no calls keeps nothing, and neither does one that has a wrong key. */
export function missedCalls({ calls, evicted, coverage }: Report, thresholds: Thresholds): readonly string[] {
  if (!areDemanding(thresholds)) return [];
  if (calls === 0)
    return [
      evicted === 0
        ? 'The client made no calls, so it meets no threshold.'
        : 'The report has none of the calls, so the client meets no threshold.',
    ];
  const refused = coverage.reduce(
    (sum, { outcomes }) => sum + (outcomes['invalid-key'] ?? 0) + (outcomes['missing-key'] ?? 0),
    0,
  );
  return refused < calls
    ? []
    : [
        'Every call was refused because of its key, so the client meets no threshold. The environment of the command has a valid key: SANDBOX_API_KEY.',
      ];
}

/** Maximum number of ids in a sentence. */
const maxIds = 5;

function sentences({ conduct }: Report, failing: readonly Problem[]): readonly string[] {
  return [
    ...violationSentence('The client', failing.filter(isOfClient)),
    ...violationSentence('The service', failing.filter(isOfUpstream)),
    ...differenceSentence(failing.filter(isDifference)),
    ...conduct.flatMap(({ check, title, strength }) => {
      const verb = strength === 'must' ? 'violated' : 'should follow';
      const own = failing.filter((one) => one.check === check);
      return told(`The client ${verb} the rule ${check} (${title})`, own);
    }),
  ];
}

function violationSentence(who: string, own: readonly Problem[]): readonly string[] {
  return told(`${who} violated the contract ${timesOf(own)}`, own);
}

function differenceSentence(own: readonly Problem[]): readonly string[] {
  return told(`The service differed from the sandbox's assumptions ${timesOf(own)}`, own);
}

function timesOf(own: readonly Problem[]): string {
  const times = own.reduce((sum, { count }) => sum + count, 0);
  return times === 1 ? 'once' : `${times} times`;
}

/** Returns a sentence with the ids of problems; none if there are no problems. */
function told(start: string, own: readonly Problem[]): readonly string[] {
  const ids = [...new Set(own.map(({ id }) => id))];
  return ids.length === 0 ? [] : [`${start}: ${listed(ids.slice(0, maxIds), ids.length)}`];
}

/** Returns a sentence for each minimum coverage that a report misses. */
export function missedCoverage({ situations }: Report, { minCoverage }: Thresholds): readonly string[] {
  const { operations, failures } = situations.groups;
  const parts = [
    ['all', 'situations', situations],
    ['operations', 'situations of operations', operations],
    ['failures', 'failures', failures],
  ] as const;
  return parts.flatMap(([group, noun, { met, of, percent }]) => {
    const required = minCoverage[group] ?? 0;
    return percent < required
      ? [`The client met ${met} of ${of} ${noun} (${percent} %); ${required} % are required.`]
      : [];
  });
}

/** Returns a note on the problems that did not fail a run, and on known ones that are gone; nothing if there are none. */
export function toleranceNotes({ tolerated, stale }: Judgement): readonly string[] {
  return [
    ...(tolerated.length === 0
      ? []
      : [`Tolerated: ${counted(tolerated.length, 'known or allowed finding')}.`]),
    ...(stale.length === 0
      ? []
      : [
          `Known findings that did not occur: ${listed(
            stale.slice(0, maxIds).map(({ id }) => id),
            stale.length,
          )}. If they are fixed, update the baseline with --write-baseline.`,
        ]),
  ];
}
