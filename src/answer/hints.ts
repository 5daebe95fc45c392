import { shortViolation, type Violation } from '../base/violation.ts';
import { andMore } from '../base/lists.ts';
import { isObject } from '../base/is-object.ts';
import { isParameter, nearMisses } from '../contract/near-misses.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { CallContext } from './call-context.ts';
import { secretless } from './masking.ts';

/** The maximum number of hints of a call: a batch can have thousands of elements with the same mistake. */
const maxHints = 20;

/** Adds hints about near misses that did not fail a call, unless it already has many. */
export function addHints(context: CallContext, more: () => readonly Violation[]): void {
  if (context.hints.length >= maxHints) return;
  context.hints = [...context.hints, ...more().map(shortViolation)].slice(0, maxHints);
}

/** Returns the hints of a call without keys. */
export function shownHints(context: CallContext): readonly Violation[] {
  return context.hints.map(({ pointer, message }) => ({
    pointer: secretless(pointer, context),
    message: secretless(message, context),
  }));
}

/** The maximum length of the header, so that no client refuses it. */
const maxHeaderChars = 1000;

/**
 * Returns the header `Sandbox-Hint`: the first hints, in ASCII, and the number of the others. The call looks for no
 * more hints when it has the maximum, so then the number is the least that there are.
 */
export function hintHeader(context: CallContext): string {
  const lines = shownHints(context).map(({ pointer, message }) => asciiOf(`${pointer}: ${message}`));
  let text = '';
  for (const [index, line] of lines.entries()) {
    const before = text.replace(/\.$/, '');
    const longer = text === '' ? line.slice(0, maxHeaderChars) : `${before}; ${line}`;
    if (longer.length > maxHeaderChars)
      return `${before};${andMore(lines.length - index, lines.length >= maxHints)}`;
    text = longer;
  }
  return text;
}

/** Escapes all characters that do not belong in a header, as JSON does. */
function asciiOf(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Adds to the violation of a missing parameter that it was sent beside "data", as one of the `extra` fields. */
export function withPlace(violation: Violation, extra: readonly Violation[], base: string): Violation {
  const { pointer, message } = violation;
  const name = pointer.slice(base.length);
  const isBeside =
    message === 'is required, but missing.' &&
    placesBeside(base).some((place) => extra.some((one) => one.pointer === `${place}${name}`));
  return isBeside
    ? { pointer, message: `${message} You sent it beside "data": move it into "data".` }
    : violation;
}

/** Returns hints about ignored fields: near misses, and parameters among the `extra` fields beside "data". */
export function ignoredFields(
  { call: { operation } }: CallContext,
  parameters: unknown,
  extra: readonly Violation[],
  base: string,
): readonly Violation[] {
  return [
    // The operation knows the stored type of data that is sent without one.
    ...nearMisses(operation, parameters, base, true),
    ...besideData(operation, parameters, extra, base),
  ];
}

function besideData(
  operation: OperationName,
  parameters: unknown,
  extra: readonly Violation[],
  base: string,
): readonly Violation[] {
  const places = placesBeside(base);
  return extra.flatMap(({ pointer }) => {
    const end = pointer.lastIndexOf('/');
    const name = pointer.slice(end + 1);
    const isLost =
      places.includes(pointer.slice(0, end)) &&
      isParameter(operation, name) &&
      !(isObject(parameters) && Object.hasOwn(parameters, name));
    return isLost ? [{ pointer, message: 'move it into "data"' }] : [];
  });
}

/**
 * Returns the pointers to what contains some parameters: their element and, for the first ones, the batch.
 */
function placesBeside(base: string): readonly string[] {
  const element = base.slice(0, -'/data'.length);
  return element === '/data/0' ? ['', element] : [element];
}
