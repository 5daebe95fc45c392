import { assumptionNames, assumptions, profileNames } from '../../assumptions.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import { SandboxError } from '../../base/errors.ts';
import { checks } from '../../report/checks/index.ts';
import { scenarioNames } from '../../store/read-scenario.ts';
import type { Given } from '../command.ts';
import { defaultsRun, everyRun, type PlannedRun } from './plan.ts';

/** Returns the selected runs, the one with the defaults first. Throws SandboxError for an unknown run. */
export function selectRuns(given: Given): readonly [PlannedRun, ...PlannedRun[]] {
  const only = given.get('only');
  const named = only === undefined ? null : namedBy('--only', only);
  const isWanted = (run: PlannedRun): boolean =>
    run.kind === 'profile'
      ? given.has('profiles') || (named?.(run) ?? false)
      : (named?.(run) ?? !isTemplate(run));
  return [defaultsRun, ...everyRun().filter(isWanted)];
}

/** Whether a run needs a text of your own, so that it must be selected. */
function isTemplate({ assumptions: chosen }: PlannedRun): boolean {
  return Object.values(chosen).includes('template');
}

/** Returns a test for runs that may fail. The flag without a list allows all. */
export function allowedRuns(given: Given): (run: PlannedRun) => boolean {
  const allowed = given.get('allow');
  if (allowed === undefined) return () => false;
  if (allowed.length === 0) return () => true;
  return namedBy(
    '--allow',
    allowed.flatMap(wordsIn).filter((word) => !isFinding(word)),
  );
}

/** Returns the findings that `--allow` names in addition to runs, by the prefixes of their ids. */
export function allowedFindings(given: Given): readonly string[] {
  return (given.get('allow') ?? []).flatMap(wordsIn).filter(isFinding);
}

function isFinding(word: string): boolean {
  const [start = ''] = word.split(':');
  return findingStarts.has(start);
}

const findingStarts: ReadonlySet<string> = new Set([
  'violations',
  'response-violations',
  ...checks.map(({ check }) => check),
]);

function wordsIn(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim());
}

/** Returns a test for the runs that the lists name. */
function namedBy(flag: string, lists: readonly string[]): (run: PlannedRun) => boolean {
  const words = lists.flatMap(wordsIn);
  const known = new Set([defaultsRun, ...everyRun()].flatMap((run) => run.words));
  for (const word of words)
    if (!known.has(word)) throw new SandboxError(`${flag}: ${whyUnknown(word, [...known])}`);
  return (run) => run.words.some((word) => words.includes(word));
}

function whyUnknown(word: string, known: readonly string[]): string {
  const [name = '', option] = word.split('=');
  const assumption = assumptionNames.find((one) => one === name);
  if (assumption === undefined || option === undefined) {
    return `unknown run ${JSON.stringify(word)}.${didYouMean(word, known)} Known: ${allWords()}.`;
  }
  if (assumptions[assumption].default === option)
    return `${word} is the default, which the run "defaults" covers.`;
  const options = Object.keys(assumptions[assumption].options).filter(
    (one) => one !== assumptions[assumption].default,
  );
  return `${name} has no option ${JSON.stringify(option)}.${didYouMean(option, options)} Known: ${options.join(', ')}.`;
}

function allWords(): string {
  const groups = ['assumptions', 'scenarios', 'profiles', 'defaults'];
  return [
    ...groups,
    ...scenarioNames(),
    ...profileNames.filter((name) => name !== 'conventional'),
    ...assumptionNames,
  ].join(', ');
}
