import type { components } from '../contract/generated/control.ts';
import { pointerTo } from '../base/violation.ts';
import { isObject } from '../base/is-object.ts';
import { parametersIn } from '../contract/envelope.ts';
import type { SentCall } from './sent-call.ts';

export type ExpectedCall = components['schemas']['ExpectedCall'];

/** A difference between a call and an expectation; `actual` is undefined if the value is missing. */
export type Difference = components['schemas']['NearestMiss']['differences'][number];

/** A difference with the number of expected values that are missing. */
export interface Misfit {
  readonly difference: Difference;
  readonly weight: number;
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
      yield { difference: { at, expected: expected[at], actual }, weight: 1 };
  }
  if (parameters !== null) yield* parameterMisfits(call, parameters, least);
  if (body === null) return;
  const sent = call.body();
  if ('json' in sent) yield* differences(body, sent.json, '/body');
  else yield misfit(body, '/body', sent.lack);
}

/** Returns the differences between the expected parameters and the closest element. */
function* parameterMisfits(
  call: SentCall,
  expected: ExpectedValue,
  least: number,
): Generator<Misfit | undefined, void> {
  const at = '/parameters';
  const body = call.body();
  if (!('json' in body)) return yield misfit(expected, at, body.lack);
  let nearest: readonly Misfit[] = [misfit(expected, at, 'The body has no elements.')];
  let nearestWeight = Infinity;
  for (const parameters of parametersIn(body.json)) {
    const found: Misfit[] = [];
    let weight = 0;
    for (const one of differences(expected, parameters, at)) {
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

/** Compares values: objects may have additional members, but lists must match exactly and in order. */
function* differences(expected: ExpectedValue, actual: unknown, at: string): Generator<Misfit, void> {
  const { items, members } = expected;
  if (items !== null && Array.isArray(actual) && items.length === actual.length) {
    for (const [index, member] of items.entries())
      yield* differences(member, actual[index], pointerTo(at, index));
  } else if (members !== null && isObject(actual)) {
    for (const [name, member] of members) {
      yield* differences(member, Object.hasOwn(actual, name) ? actual[name] : undefined, pointerTo(at, name));
    }
  } else if (expected.value !== actual) yield misfit(expected, at, actual);
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

function misfit({ value, weight }: ExpectedValue, at: string, actual: unknown): Misfit {
  return { difference: { at, expected: value, actual }, weight };
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
  // JSON omits undefined members, so they expect nothing, in process and over HTTP alike.
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
