import { assumptionNames, type AssumptionName } from '../../../assumptions.ts';
import { allDomains, leavesOf, optionsOf, type Domains, type Prediction } from './ask.ts';

/** What one answer to a probe looked like, beside what each reading of the specification predicts. */
export interface Reading {
  /** The assumption that the probe is mostly about. */
  readonly about: AssumptionName;
  /** What was sent and what came back, in words. */
  readonly words: string;
  /** What came back, in the terms of the prediction. */
  readonly seen: string;
  readonly expected: Prediction;
}

/** What follows from the readings. */
export interface Conclusions {
  /** What is left of each assumption's options. */
  readonly domains: Domains;
  /** The readings that ruled options out, by assumption. */
  readonly evidence: ReadonlyMap<AssumptionName, readonly Reading[]>;
  /** Readings that no options predict. */
  readonly strange: readonly Reading[];
  /** Readings that options predict, but none that the other readings leave. */
  readonly contradictory: readonly Reading[];
  /** Refusals whose body is another one than that of earlier refusals. */
  readonly mixed: readonly Reading[];
  readonly scopes: Scopes;
}

/** The assumptions that each reading may depend on. */
type Scopes = ReadonlyMap<Reading, ReadonlySet<AssumptionName>>;

/**
 * Rules out what cannot be: an option stays as long as every reading comes out as seen for some choice of the others. So what is left
 * alone is the service's own option, wherever one of its options is.
 */
export function conclude(readings: readonly Reading[]): Conclusions {
  const all = allDomains();
  const explored = readings.map((reading) => ({ reading, found: outcomes(reading, all) }));
  const strange = explored.filter(({ found }) => fittingIn(found).length === 0).map(({ reading }) => reading);
  const scopes = new Map(explored.map(({ reading, found }) => [reading, new Set(found.flatMap(({ given }) => [...given.keys()]))]));
  const sound = readings.filter((reading) => !strange.includes(reading));
  const state: State = { domains: all, evidence: new Map(), contradictory: [], mixed: [], scopes };
  narrowAll(state, sound, new Set(assumptionNames));
  for (let name = tryEach(state, sound); name !== null; name = tryEach(state, sound)) narrowAll(state, sound, new Set([name]));
  return { ...state, strange };
}

interface State {
  readonly domains: Map<AssumptionName, readonly string[]>;
  readonly evidence: Map<AssumptionName, readonly Reading[]>;
  readonly contradictory: Reading[];
  readonly mixed: Reading[];
  readonly scopes: Scopes;
}

/** Narrows until nothing changes any more, beginning with the readings that depend on what has changed. */
function narrowAll(state: State, readings: readonly Reading[], changed: ReadonlySet<AssumptionName>): void {
  for (let news = changed; news.size > 0;) {
    const next = new Set<AssumptionName>();
    for (const reading of readings) {
      const scope = state.scopes.get(reading) ?? new Set();
      if ([...scope].some((name) => news.has(name) || next.has(name))) for (const name of narrow(state, reading)) next.add(name);
    }
    news = next;
  }
}

/** A way for a reading to come out, and whether it is the one that was seen. */
interface Outcome {
  readonly given: ReadonlyMap<AssumptionName, string>;
  readonly fits: boolean;
  /** It fits but for the body of a refusal. */
  readonly nearlyFits: boolean;
}

function outcomes({ expected: predict, seen }: Reading, domains: Domains): readonly Outcome[] {
  return leavesOf(predict, domains).map(({ given, expected }) => ({
    given,
    fits: seen === expected,
    nearlyFits: isRefusal(seen) && isRefusal(expected) && seen.slice(0, 4) === expected.slice(0, 4),
  }));
}

/** The body of a refusal may be none that is known, or differ between a gateway and what is behind it; its status counts then. */
function fittingIn(found: readonly Outcome[]): readonly Outcome[] {
  const fitting = found.filter(({ fits }) => fits);
  return fitting.length > 0 ? fitting : found.filter(({ nearlyFits }) => nearlyFits);
}

/** `401 !html`, or `401 error` for a refusal in the envelope. */
function isRefusal(outcome: string): boolean {
  return /^[45]\d\d (!|error$)/.test(outcome);
}

/** Takes away the options under which a reading cannot come out as seen. Tells whose options they were. */
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
    const left = before.filter((option) => fitting.some(({ given }) => (given.get(name) ?? option) === option));
    if (left.length === before.length) continue;
    changed.push(name);
    state.domains.set(name, left);
    state.evidence.set(name, [...(state.evidence.get(name) ?? []), reading]);
  }
  return changed;
}

/** Takes an option away that leads to a contradiction when it is tried. Tells whose; null where there is none. */
function tryEach({ domains, evidence, contradictory, scopes }: State, readings: readonly Reading[]): AssumptionName | null {
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
 * The options of other assumptions that keep a reading from telling the ones that are left of `name` apart: with another option of
 * theirs it would.
 */
export function masksOf(name: AssumptionName, { domains, scopes }: Conclusions): ReadonlyMap<AssumptionName, string> {
  const about = [...scopes].filter(([, scope]) => scope.has(name));
  const masks = new Map<AssumptionName, string>();
  for (const [other, [option, ...more]] of domains) {
    if (option === undefined || more.length > 0 || other === name) continue;
    const others = optionsOf(other).filter((one) => one !== option);
    const wouldTell = (reading: Reading): boolean => others.some((one) => tellsApart(reading, name, new Map([...domains, [other, [one]]])));
    if (about.some(([reading, scope]) => scope.has(other) && wouldTell(reading))) masks.set(other, option);
  }
  return masks;
}

/** Whether what a reading expects depends on what is left of an assumption. */
function tellsApart({ expected: predict }: Reading, name: AssumptionName, domains: Domains): boolean {
  const byOption = (domains.get(name) ?? []).map((option) => {
    const leaves = leavesOf(predict, new Map([...domains, [name, [option]]]));
    return leaves.map(({ expected }) => expected);
  });
  const [first = [], ...others] = byOption;
  return others.some((expected) => !expected.some((one) => first.includes(one)));
}
