import { isObject } from '../base/is-object.ts';
import { pointerTo, quoted, type Violation } from '../base/violation.ts';
import { operationFacts } from './generated/facts.ts';
import { firstUnknown, notIn } from './level-hints.ts';
import { nearName } from './near-names.ts';
import { hasOtherFields } from './other-type.ts';
import type { OperationName } from './operation-types.ts';

/** The names of an object's fields, nested. */
interface Shape {
  readonly [field: string]: Shape;
}

/** The maximum number of near misses in the parameters of an element, which may have long lists. */
const maxListed = 20;

/** The maximum number of unknown fields of an element that are compared with known ones. */
const maxCompared = 500;

/**
 * Returns a hint for each unknown field in the parameters of an element that is likely a known one, misspelled or
 * on another level. With `isTypeOpen`, an object without a type can be of any.
 */
export function nearMisses(
  operation: OperationName,
  parameters: unknown,
  base: string,
  isTypeOpen: boolean,
): readonly Violation[] {
  const search: Search = { found: [], compared: 0, isTypeOpen };
  collect({ value: parameters, shape: operationFacts[operation].parameters, above: [] }, base, search);
  return search.found;
}

/** The near misses that were found, and the number of fields that were compared for it. */
interface Search {
  readonly found: Violation[];
  compared: number;
  readonly isTypeOpen: boolean;
}

/** A part of the parameters: its value, its documented fields, and those that the object around it lacks. */
interface Part {
  readonly value: unknown;
  readonly shape: Shape;
  readonly above: readonly string[];
}

function collect({ value, shape, above }: Part, base: string, search: Search): void {
  const { found } = search;
  if (found.length >= maxListed || search.compared >= maxCompared) return;
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries())
      collect({ value: member, shape, above: [] }, pointerTo(base, index), search);
    return;
  }
  if (!isObject(value)) return;
  const names = Object.keys(shape);
  const lacking = notIn(value, names);
  for (const field of firstUnknown(value, names)) {
    search.compared += 1;
    const message = hintFor(field, { value, shape, above }, lacking);
    if (message !== null && found.length < maxListed)
      found.push({ pointer: pointerTo(base, field), message });
  }
  for (const name of names) {
    const inner = shape[name];
    if (inner === undefined || hasOtherFields(name, value[name], search.isTypeOpen)) continue;
    if (Object.keys(inner).length > 0)
      collect({ value: value[name], shape: inner, above: lacking }, pointerTo(base, name), search);
  }
}

/** Returns what is probably meant by an unknown field, or null. `lacking` are the known fields that are missing. */
function hintFor(field: string, { value, shape, above }: Part, lacking: readonly string[]): string | null {
  if (above.includes(field)) return 'move it one level up';
  const holder = Object.keys(shape).find((name) => Object.hasOwn(shape[name] ?? {}, field));
  if (holder !== undefined) return `move it into ${quoted(holder)}`;
  const inner = isObject(value) ? value[field] : undefined;
  const held = isObject(inner) ? lacking.find((name) => Object.hasOwn(inner, name)) : undefined;
  if (held !== undefined) return `move its ${quoted(held)} one level up`;
  const isNested = typeof inner === 'object' && inner !== null;
  const alike = lacking.filter((name) => Object.keys(shape[name] ?? {}).length > 0 === isNested);
  const near = nearName(field, alike);
  return near === undefined ? null : `did you mean ${quoted(near)}?`;
}

/** Returns whether an operation has a parameter of this name. */
export function isParameter(operation: OperationName, name: string): boolean {
  return Object.hasOwn(operationFacts[operation].parameters, name);
}
