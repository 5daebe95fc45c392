import type { components } from '../contract/generated/control.ts';
import { pointerOf } from '../base/violation.ts';
import { isObject } from '../base/is-object.ts';
import { parametersIn } from '../contract/envelope.ts';
import type { SentCall } from './sent-call.ts';

export type ExpectedCall = components['schemas']['ExpectedCall'];

/** Where a call differs: in a field of its journal entry, or at a place in its parameters or its body. */
type At = (typeof named)[number] | Place;

/** A place in a body. Its pointer is created only to be shown: in deep bodies, pointers are long. */
interface Place {
  readonly above: Place | null;
  readonly step: string | number;
}

/** A difference between a call and an expectation. */
export interface Misfit {
  readonly at: At;
  readonly expected: unknown;
  /** Undefined if the value is missing. */
  readonly actual: unknown;
  /** The number of expected values that are missing. */
  readonly weight: number;
}

/** Returns what differs, in words of a verdict, and the number of steps that its place has. */
export function inVerdict(at: At): { readonly at: string; readonly steps: number } {
  if (typeof at === 'string') return { at, steps: 1 };
  const steps: (string | number)[] = [];
  for (let place: Place | null = at; place !== null; place = place.above) steps.push(place.step);
  return { at: pointerOf(steps.toReversed()), steps: steps.length };
}

/** An expected call, prepared for comparison with many calls. */
export interface Expectation {
  readonly expected: ExpectedCall;
  readonly parameters: ExpectedValue | null;
  readonly body: ExpectedValue | null;
}

export function expectation(expected: ExpectedCall): Expectation {
  const { parameters, body } = expected;
  return {
    expected,
    parameters: parameters === undefined ? null : expectedValue(parameters),
    body: body === undefined ? null : expectedValue(body),
  };
}

export function fits(call: SentCall, { expected, parameters, body }: Expectation): boolean {
  if (named.some((at) => expected[at] !== undefined && expected[at] !== call.entry[at])) return false;
  if (parameters === null && body === null) return true;
  const sent = call.body();
  if (!('json' in sent)) return false;
  if (parameters !== null && !parametersIn(sent.json).some((one) => isAlike(parameters, one))) return false;
  return body === null || isAlike(body, sent.json);
}

const named = ['operation', 'school', 'outcome'] as const;

/**
 * Returns the differences between a call and an expectation, cheapest first. Yields undefined in between,
 * because the work may be long. Stops when the weight of the differences reaches `least`.
 */
export function* misfits(
  call: SentCall,
  { expected, parameters, body }: Expectation,
  least: number,
): Generator<Misfit | undefined, void> {
  for (const at of named) {
    const actual = call.entry[at];
    if (expected[at] !== undefined && expected[at] !== actual)
      yield { at, expected: expected[at], actual, weight: 1 };
  }
  if (parameters !== null) yield* parameterMisfits(call, parameters, least);
  if (body === null) return;
  const sent = call.body();
  const at = { above: null, step: 'body' };
  if ('json' in sent) yield* differences({ expected: body, actual: sent.json, at });
  else yield misfit(body, at, sent.lack);
}

/** Returns the differences between the expected parameters and the closest element. */
function* parameterMisfits(
  call: SentCall,
  expected: ExpectedValue,
  least: number,
): Generator<Misfit | undefined, void> {
  const at = { above: null, step: 'parameters' };
  const body = call.body();
  if (!('json' in body)) return yield misfit(expected, at, body.lack);
  let nearest: readonly Misfit[] = [misfit(expected, at, 'The body has no elements.')];
  let nearestWeight = Infinity;
  for (const parameters of parametersIn(body.json)) {
    const found: Misfit[] = [];
    let weight = 0;
    for (const one of differences({ expected, actual: parameters, at })) {
      found.push(one);
      weight += one.weight;
      if (found.length % 256 === 0) yield undefined;
      if (weight >= nearestWeight || weight >= least) break;
    }
    if (weight < nearestWeight) [nearest, nearestWeight] = [found, weight];
    yield undefined;
  }
  yield* nearest;
}

/** Two values to compare, at their place. */
interface Pair {
  readonly expected: ExpectedValue;
  readonly actual: unknown;
  readonly at: Place;
}

/**
 * Compares values: objects may have additional members, but lists must match exactly and in order. Does not call
 * itself, so that a difference in a deep body costs no more than another.
 */
function* differences(whole: Pair): Generator<Misfit, void> {
  const open: Iterator<Pair>[] = [[whole].values()];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const next = inner.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const { expected, actual, at } = next.value;
    const pairs = pairsIn(next.value);
    if (pairs !== null) open.push(pairs);
    else if (expected.value !== actual) yield misfit(expected, at, actual);
  }
}

/** Returns the pairs in a pair; null if its values are compared as a whole. */
function pairsIn({ expected: { items, members }, actual, at }: Pair): Iterator<Pair> | null {
  if (items !== null && Array.isArray(actual) && items.length === actual.length)
    return pairsOfItems(items, actual, at);
  return members !== null && isObject(actual) ? pairsOfMembers(members, actual, at) : null;
}

function* pairsOfItems(
  items: readonly ExpectedValue[],
  actual: readonly unknown[],
  above: Place,
): Generator<Pair, void> {
  for (const [step, expected] of items.entries())
    yield { expected, actual: actual[step], at: { above, step } };
}

function* pairsOfMembers(
  members: readonly (readonly [string, ExpectedValue])[],
  actual: Readonly<Record<string, unknown>>,
  above: Place,
): Generator<Pair, void> {
  for (const [step, expected] of members)
    yield {
      expected,
      actual: Object.hasOwn(actual, step) ? actual[step] : undefined,
      at: { above, step },
    };
}

function isAlike(expected: ExpectedValue, actual: unknown): boolean {
  const { items, members } = expected;
  if (items !== null && Array.isArray(actual) && items.length === actual.length) {
    return items.every((member, index) => isAlike(member, actual[index]));
  }
  if (members === null || !isObject(actual)) return expected.value === actual;
  return members.every(([name, member]) =>
    isAlike(member, Object.hasOwn(actual, name) ? actual[name] : undefined),
  );
}

function misfit({ value, weight }: ExpectedValue, at: Place, actual: unknown): Misfit {
  return { at, expected: value, actual, weight };
}

/** An expected value, prepared for comparison with many calls. */
interface ExpectedValue {
  readonly value: unknown;
  /** The members of an object; null for other values. */
  readonly members: readonly (readonly [string, ExpectedValue])[] | null;
  /** The items of a list; null for other values. */
  readonly items: readonly ExpectedValue[] | null;
  /** The number of single values in it, at least one. */
  readonly weight: number;
}

function expectedValue(value: unknown): ExpectedValue {
  if (Array.isArray(value)) {
    const items = value.map(expectedValue);
    return { value, members: null, items, weight: weightOf(items) };
  }
  if (!isObject(value)) return { value, members: null, items: null, weight: 1 };
  // JSON omits undefined members, so they expect nothing, both in process and over HTTP.
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, expectedValue(member)] as const],
  );
  return { value, members, items: null, weight: weightOf(members.map(([, member]) => member)) };
}

function weightOf(parts: readonly ExpectedValue[]): number {
  return Math.max(
    1,
    parts.reduce((sum, { weight }) => sum + weight, 0),
  );
}
