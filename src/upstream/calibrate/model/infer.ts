import { assumptionNames, type AssumptionName } from '../../../assumptions.ts';
import type { OwnForm } from '../template.ts';
import { allDomains, leavesOf, optionsOf, type Domains, type Prediction } from './ask.ts';

/** The response to a probe, with the prediction for it. */
export interface Reading {
  /** The assumption that the probe mainly tests. */
  readonly about: AssumptionName;
  /** The request and the response as text. */
  readonly words: string;
  /** The response in the terms of the prediction. */
  readonly seen: string;
  readonly expected: Prediction;
  /** The body of a refusal that matches no form of the sandbox. */
  readonly ownForm?: OwnForm;
}

/** The conclusions from all readings. */
export interface Conclusions {
  /** The options that are still possible for each assumption. */
  readonly domains: Domains;
  /** The readings that ruled options out, by assumption. */
  readonly evidence: ReadonlyMap<AssumptionName, readonly Reading[]>;
  /** Readings that no combination of options predicts. */
  readonly strange: readonly Reading[];
  /** Readings that contradict the other readings. */
  readonly contradictory: readonly Reading[];
  /** Refusals whose body differs from that of earlier refusals. */
  readonly mixed: readonly Reading[];
  readonly scopes: Scopes;
}

/** The assumptions that each reading may depend on. */
type Scopes = ReadonlyMap<Reading, ReadonlySet<AssumptionName>>;

/**
 * Rules out impossible options: an option stays as long as some choice of the others predicts every reading
 * as seen. So if one option is left, it is the service's own, provided that the service uses any of the
 * options.
 */
export function conclude(readings: readonly Reading[]): Conclusions {
  const all = allDomains();
  const explored = readings.map((reading) => ({ reading, found: outcomes(reading, all) }));
  const strange = explored.filter(({ found }) => fittingIn(found).length === 0).map(({ reading }) => reading);
  const scopes = new Map(
    explored.map(({ reading, found }) => [reading, new Set(found.flatMap(({ given }) => [...given.keys()]))]),
  );
  const sound = readings.filter((reading) => !strange.includes(reading));
  const state: State = { domains: all, evidence: new Map(), contradictory: [], mixed: [], scopes };
  narrowAll(state, sound, new Set(assumptionNames));
  for (let name = tryEach(state, sound); name !== null; name = tryEach(state, sound))
    narrowAll(state, sound, new Set([name]));
  return { ...state, strange };
}

interface State {
  readonly domains: Map<AssumptionName, readonly string[]>;
  readonly evidence: Map<AssumptionName, readonly Reading[]>;
  readonly contradictory: Reading[];
  readonly mixed: Reading[];
  readonly scopes: Scopes;
}

/** Narrows until nothing changes, starting with the readings that depend on the changed assumptions. */
function narrowAll(state: State, readings: readonly Reading[], changed: ReadonlySet<AssumptionName>): void {
  for (let news = changed; news.size > 0;) {
    const next = new Set<AssumptionName>();
    for (const reading of readings) {
      const scope = state.scopes.get(reading) ?? new Set();
      if ([...scope].some((name) => news.has(name) || next.has(name)))
        for (const name of narrow(state, reading)) next.add(name);
    }
    news = next;
  }
}

/** A possible outcome of a reading, and whether it matches the response. */
interface Outcome {
  readonly given: ReadonlyMap<AssumptionName, string>;
  readonly fits: boolean;
  /** It matches except for the body of a refusal. */
  readonly nearlyFits: boolean;
}

function outcomes({ expected: predict, seen }: Reading, domains: Domains): readonly Outcome[] {
  return leavesOf(predict, domains).map(({ given, expected }) => ({
    given,
    fits: seen === expected,
    nearlyFits: isRefusal(seen) && isRefusal(expected) && seen.slice(0, 4) === expected.slice(0, 4),
  }));
}

/**
 * Returns the matching outcomes. If no refusal body matches, only the status counts: a gateway may use
 * another body.
 */
function fittingIn(found: readonly Outcome[]): readonly Outcome[] {
  const fitting = found.filter(({ fits }) => fits);
  return fitting.length > 0 ? fitting : found.filter(({ nearlyFits }) => nearlyFits);
}

/** Matches `401 !html`, or `401 error` for a refusal in the envelope. */
export function isRefusal(outcome: string): boolean {
  return /^[45]\d\d (!|error$)/.test(outcome);
}

/** Removes the options that contradict a reading. Returns the assumptions that changed. */
function narrow(state: State, reading: Reading): readonly AssumptionName[] {
  if (state.contradictory.includes(reading)) return [];
  const leaves = outcomes(reading, state.domains);
  const fitting = fittingIn(leaves);
  if (fitting[0]?.fits === false && !state.mixed.includes(reading)) state.mixed.push(reading);
  if (fitting.length === 0) {
    state.contradictory.push(reading);
    return [];
  }
  const changed: AssumptionName[] = [];
  for (const name of new Set(leaves.flatMap(({ given }) => [...given.keys()]))) {
    const before = state.domains.get(name) ?? [];
    const left = before.filter((option) =>
      fitting.some(({ given }) => (given.get(name) ?? option) === option),
    );
    if (left.length === before.length) continue;
    changed.push(name);
    state.domains.set(name, left);
    state.evidence.set(name, [...(state.evidence.get(name) ?? []), reading]);
  }
  return changed;
}

/** Removes an option that leads to a contradiction. Returns its assumption, or null if there is none. */
function tryEach(
  { domains, evidence, contradictory, scopes }: State,
  readings: readonly Reading[],
): AssumptionName | null {
  for (const name of assumptionNames) {
    const options = domains.get(name) ?? [];
    for (const option of options.length > 1 ? options : []) {
      const tried: State = {
        domains: new Map([...domains, [name, [option]]]),
        evidence: new Map(),
        contradictory: [...contradictory],
        mixed: [],
        scopes,
      };
      narrowAll(tried, readings, new Set([name]));
      if (tried.contradictory.length === contradictory.length) continue;
      domains.set(
        name,
        options.filter((other) => other !== option),
      );
      evidence.set(name, [...(evidence.get(name) ?? []), ...tried.contradictory.slice(contradictory.length)]);
      return name;
    }
  }
  return null;
}

/**
 * Returns the options of other assumptions that prevent readings from distinguishing the remaining options of
 * `name`.
 */
export function masksOf(
  name: AssumptionName,
  { domains, scopes }: Conclusions,
): ReadonlyMap<AssumptionName, string> {
  const about = [...scopes].filter(([, scope]) => scope.has(name));
  const masks = new Map<AssumptionName, string>();
  for (const [other, [option, ...more]] of domains) {
    if (option === undefined || more.length > 0 || other === name) continue;
    const others = optionsOf(other).filter((one) => one !== option);
    const wouldTell = (reading: Reading): boolean =>
      others.some((one) => tellsApart(reading, name, new Map([...domains, [other, [one]]])));
    if (about.some(([reading, scope]) => scope.has(other) && wouldTell(reading))) masks.set(other, option);
  }
  return masks;
}

/** Whether the prediction depends on the remaining options of an assumption. */
function tellsApart({ expected: predict }: Reading, name: AssumptionName, domains: Domains): boolean {
  const byOption = (domains.get(name) ?? []).map((option) => {
    const leaves = leavesOf(predict, new Map([...domains, [name, [option]]]));
    return leaves.map(({ expected }) => expected);
  });
  const [first = [], ...others] = byOption;
  return others.some((expected) => !expected.some((one) => first.includes(one)));
}
