import { assumptionNames, type AssumptionName } from '../../assumptions.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import { allDomains, leavesOf, optionsOf, type Domains } from './model/ask.ts';
import { masksOf, type Reading } from './model/infer.ts';
import { reconcile, type Reconciled } from './model/reconcile.ts';
import type { Finding, Probe } from './probe.ts';
import { shown } from './shown-text.ts';

/** The result for one assumption. */
export interface Verdict {
  readonly name: AssumptionName;
  /** The service's option; null if it could not be determined. */
  readonly option: string | null;
  /** The remaining options. */
  readonly left: readonly string[];
  /** The requests and responses as text. */
  readonly evidence: readonly string[];
  /** Why the option could not be determined; null if it was. */
  readonly why: string | null;
  /** How the service departs from all options, as far as it does: no remaining option is then the service's own. */
  readonly oddity: Oddity | null;
}

/**
 * A response fits no option, or none that fits the other responses, or no template has the form of the refusals. Or one
 * option remains, but no response shows what it does: a service that matches none can look the same.
 */
type Oddity = 'matches-none' | 'contradictory' | 'no-template' | 'not-shown';

/** A probe and its finding, or the reason why it did not run. */
export interface Done {
  readonly probe: Probe;
  readonly came: Finding | string;
}

/** Assumptions that cannot be determined from outside, or not completely. */
const neverTold: { readonly [N in AssumptionName]?: string } = {
  omittedUpdateFields: 'no operation reads coupons or labs back',
  partialCouponTypeData: 'no operation reads coupons back',
  answersOutsideQuiz: 'no operation reads submissions back',
  withdrawnCompletion: 'no operation reads submissions back',
};

export function readingsOf(done: readonly Done[]): readonly Reading[] {
  return done.flatMap(({ came }) => (typeof came === 'string' ? [] : came.readings));
}

/** Returns a verdict on every assumption, without any part of a key. */
export function judge(done: readonly Done[], mask: Mask): readonly Verdict[] {
  const readings = readingsOf(done);
  const conclusions = reconcile(readings);
  return assumptionNames.map((name) => {
    const left = conclusions.domains.get(name) ?? [];
    const odd = oddityOf(name, conclusions, readings) ?? halfShown(name, left, readings);
    const evidence = evidenceFor(name, conclusions, readings).map((words) => shown(words, mask));
    const [only, ...more] = left;
    if (odd === null && only !== undefined && more.length === 0)
      return { name, option: only, left, evidence, why: null, oddity: null };
    const why = odd?.why ?? whyUntold(name, { done, conclusions });
    return { name, option: null, left, evidence, why: shown(why, mask), oddity: odd?.oddity ?? null };
  });
}

/**
 * Returns the most relevant readings: first those about the assumption that ruled options out, then others
 * about it, then others that did.
 */
function evidenceFor(
  name: AssumptionName,
  { evidence }: Reconciled,
  readings: readonly Reading[],
): readonly string[] {
  const decisive = evidence.get(name) ?? [];
  const about = readings.filter((reading) => reading.about === name);
  const ordered = [...decisive.filter((reading) => about.includes(reading)), ...about, ...decisive];
  return [...new Set(ordered.map(({ words }) => words))].slice(0, most);
}

/** Maximum number of readings shown for one assumption. */
const most = 2;

/** Which assumption the body of a refusal is about, by what its reading is about; `refusalBody` for all others. */
const bodyAbout: { readonly [N in AssumptionName]?: AssumptionName } = {
  missingKey: 'gatewayRefusalBody',
  invalidKey: 'gatewayRefusalBody',
  throttleReply: 'gatewayRefusalBody',
  rateLimitUnit: 'gatewayRefusalBody',
  rateLimitScope: 'gatewayRefusalBody',
  rateLimitWindow: 'gatewayRefusalBody',
  refusedCallsCount: 'gatewayRefusalBody',
  wrongMethod: 'unmatchedBody',
  unknownPath: 'unmatchedBody',
};

/** Returns the assumption that the body of a refusal is about. */
export function bodyOf({ about }: Pick<Reading, 'about'>): AssumptionName {
  return bodyAbout[about] ?? 'refusalBody';
}

export const ofNone = 'the service matches none of the options';

interface Odd {
  readonly oddity: Oddity;
  readonly why: string;
}

function oddityOf(
  name: AssumptionName,
  { domains, strange, contradictory, mixed, covered, refusedBatches, contested, evidence }: Reconciled,
  readings: readonly Reading[],
): Odd | null {
  const about = (readings: readonly Reading[]): string | undefined =>
    readings.find((reading) => reading.about === name)?.words;
  const bodies = mixed.filter((reading) => bodyOf(reading) === name);
  // A router need not use the form of any other refusal.
  const matchesNone = ({ seen }: Reading): boolean => name === 'unmatchedBody' || seen.endsWith(' !other');
  const [batch] = name === 'batchProcessing' ? refusedBatches : [];
  if (batch !== undefined) return { oddity: 'matches-none', why: `${ofNone}: ${batch.words}${ofWholeCall}` };
  const one = about(strange) ?? bodies.find(matchesNone)?.words;
  // A pair of elements is about the processing of batches only if the first one fails in its output.
  const whole = name === 'batchProcessing' ? undefined : covered.find((reading) => reading.about === name);
  // What is odd about a pair may be its first element, too.
  const own = name === 'batchProcessing' ? undefined : about(contradictory);
  const other = own ?? bodies[0]?.words ?? contested.get(name)?.words;
  const against = [...(evidence.get(name) ?? []), ...readings.filter((reading) => reading.about === name)];
  if (one !== undefined) return { oddity: 'matches-none', why: `${ofNone}: ${one}` };
  if (whole !== undefined)
    return {
      oddity: 'contradictory',
      why: `one refusal of the whole call covers every invalid value, while the sandbox ${failureIn(whole, domains)}: ${whole.words}`,
    };
  return other === undefined
    ? null
    : { oddity: 'contradictory', why: contradiction(name, other, against, readings) };
}

/** Says how the sandbox fails where the service refuses, under the options that remain. */
function failureIn({ expected }: Reading, domains: Domains): string {
  const failures = leavesOf(expected, domains).filter((leaf) => !leaf.expected.startsWith('200 ok'));
  const statuses = new Set(failures.map((leaf) => leaf.expected.slice(0, 3)));
  return statuses.size === 0 || statuses.has('200')
    ? 'reports this one in its output'
    : `returns HTTP ${[...statuses].join(' or ')} for this one`;
}

/** Names both responses, as far as another one about the same assumption is known. */
function contradiction(
  name: AssumptionName,
  words: string,
  against: readonly Reading[],
  readings: readonly Reading[],
): string {
  const own = readings.find((reading) => reading.words === words);
  const others = against.filter(({ seen }) => seen !== own?.seen);
  // What ruled out an option need not contradict this response.
  const other = others.find((one) => own !== undefined && areExclusive(name, own, one)) ?? others[0];
  return other === undefined
    ? `no option that fits its other responses explains this one: ${words}`
    : `its responses contradict each other: ${words}; but ${other.words}`;
}

/** Whether each option of an assumption explains at most one of two responses. */
function areExclusive(name: AssumptionName, one: Reading, other: Reading): boolean {
  const all = allDomains();
  return optionsOf(name).every((option) => {
    const given = new Map([...all, [name, [option]]]);
    return ![one, other].every(({ expected, seen }) =>
      leavesOf(expected, given).some((leaf) => leaf.expected === seen),
    );
  });
}

const ofWholeCall =
  '; it refuses the whole call if any element fails, so compare differs for every batch in which one fails';

/** Some readings leave one option, and yet do not show it. */
function halfShown(name: AssumptionName, left: readonly string[], readings: readonly Reading[]): Odd | null {
  const why = whyHalf[name]?.(left, readings) ?? null;
  return why === null ? null : { oddity: 'not-shown', why };
}

const whyHalf: {
  readonly [N in AssumptionName]?: (left: readonly string[], readings: readonly Reading[]) => string | null;
} = { batchProcessing: whyUnstopped, ruleFailureStatus: whyNoConflict };

/** A refusal of the failure alone, in place of outputs, also fits a service that refuses every such batch. */
function whyUnstopped(left: readonly string[], readings: readonly Reading[]): string | null {
  if (left.join('') !== 'stop-at-first-error') return null;
  return readings.some(endsWithFailure) ? null : 'no batch had outputs up to an element that failed';
}

/** Whether a response shows the output of an element that failed in a batch. */
function endsWithFailure({ about, seen }: Reading): boolean {
  return seen === '200 ok,error' || (about === 'batchProcessing' && seen === '200 error');
}

/** One status for all rules shows only after a conflict with stored data. */
function whyNoConflict(left: readonly string[], readings: readonly Reading[]): string | null {
  if (left.join('') !== 'http-400') return null;
  return readings.some(({ about, seen }) => conflicts.has(about) && seen.startsWith('400 '))
    ? null
    : 'no call was refused because of stored data';
}

/** The readings of a conflict with stored data, where the service refuses. */
const conflicts: ReadonlySet<AssumptionName> = new Set([
  'unfinishedSession',
  'resubmission',
  'emailOfKnownUser',
]);

interface Grounds {
  readonly done: readonly Done[];
  readonly conclusions: Reconciled;
}

function whyUntold(name: AssumptionName, { done, conclusions }: Grounds): string {
  const masks = [...masksOf(name, conclusions)].map(([other, option]) => `${other} is ${option}`);
  const telling = done.filter(({ probe }) => probe.tells.includes(name));
  const hindrances = new Map<string, readonly string[]>();
  for (const { probe, came } of telling) {
    const why = typeof came === 'string' ? came : (came.lacking?.[name] ?? came.missing);
    if (why !== undefined) hindrances.set(why, [...(hindrances.get(why) ?? []), probe.name]);
  }
  const never = neverTold[name];
  const reasons = [
    // If a probe lacked something, that is the reason.
    ...(masks.length === 0 || hindrances.size > 0 ? [] : [`not visible if ${inWords(masks)}`]),
    ...(never === undefined ? [] : [never]),
    ...[...hindrances].map(([why, names]) => `${names.join(', ')}: ${why}`),
  ];
  return reasons.length === 0 ? 'the responses match each of these' : reasons.join('; ');
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
