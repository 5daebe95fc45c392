import type { components } from '../contract/generated/control.ts';
import { pointerTo } from '../contract/violation.ts';
import { isObject } from '../contract/is-object.ts';
import { parametersIn } from '../contract/envelope.ts';
import type { SentCall } from './sent-call.ts';

export type ExpectedCall = components['schemas']['ExpectedCall'];

/** One place in which a call is not what was expected; `actual` is undefined where nothing is there. */
export type Difference = components['schemas']['NearestMiss']['differences'][number];

export function fits(call: SentCall, expected: ExpectedCall): boolean {
  return misfits(call, expected).next().done === true;
}

const named = ['operation', 'school', 'outcome'] as const;

/** Where a call is not what was expected, what is quickly looked at first. */
export function* misfits(call: SentCall, expected: ExpectedCall): Generator<Difference, void> {
  for (const at of named) {
    const actual = call.entry[at];
    if (expected[at] !== undefined && expected[at] !== actual) yield { at, expected: expected[at], actual };
  }
  if (expected.parameters !== undefined) yield* parameterMisfits(call, expected.parameters);
  if (expected.body === undefined) return;
  const body = call.body();
  if ('json' in body) yield* differences(expected.body, body.json, '/body');
  else yield { at: '/body', expected: expected.body, actual: body.lack };
}

/** What separates the element that comes closest from the parameters expected. */
function parameterMisfits(call: SentCall, expected: object): readonly Difference[] {
  const at = '/parameters';
  const body = call.body();
  if (!('json' in body)) return [{ at, expected, actual: body.lack }];
  let nearest: readonly Difference[] = [{ at, expected, actual: 'The body has no elements.' }];
  let least = Infinity;
  for (const parameters of parametersIn(body.json)) {
    const found = [...differences(expected, parameters, at)];
    const far = distance(found);
    if (far < least) [nearest, least] = [found, far];
  }
  return nearest;
}

/** Members that are not expected may be there all the same, but a list must have just the members expected, in their order. */
function* differences(expected: unknown, actual: unknown, at: string): Generator<Difference, void> {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, member] of expected.entries()) yield* differences(member, actual[index], pointerTo(at, index));
  } else if (isObject(expected) && isObject(actual)) {
    for (const [name, member] of Object.entries(expected)) {
      // A member that JSON would leave out expects nothing, so that it is the same for a server elsewhere.
      if (member !== undefined) yield* differences(member, Object.hasOwn(actual, name) ? actual[name] : undefined, pointerTo(at, name));
    }
  } else if (expected !== actual) yield { at, expected, actual };
}

/** How far a call is from what was expected: the values that it got wrong or has not at all. */
export function distance(found: readonly Difference[]): number {
  return found.reduce((sum, { expected }) => sum + values(expected), 0);
}

function values(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Math.max(
    1,
    Object.values(value).reduce<number>((sum, member) => sum + values(member), 0),
  );
}
