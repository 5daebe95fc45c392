import { isObject } from '../base/is-object.ts';
import { pointerTo, quoted, stepsOf, type Violation } from '../base/violation.ts';
import { operationFacts } from './generated/facts.ts';
import { firstUnknown, innerPairs, hintBudget, missingHint, notIn } from './level-hints.ts';
import { nearName, pairedNames } from './near-names.ts';
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
  const unknown = firstUnknown(value, names);
  const pairs = pairsOf(value, shape, lacking, unknown);
  for (const field of unknown) {
    search.compared += 1;
    const message = hintFor(field, { value, shape, above }, lacking, pairs);
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

/**
 * Returns, for each unknown field, the known one that was probably meant. A nested value is matched only with a nested
 * field.
 */
function pairsOf(
  value: Readonly<Record<string, unknown>>,
  shape: Shape,
  lacking: readonly string[],
  unknown: readonly string[],
): ReadonlyMap<string, string> {
  if (unknown.length === 0) return new Map();
  const isNested = (field: string): boolean => typeof value[field] === 'object' && value[field] !== null;
  const pairs = [true, false].flatMap((nested) => [
    ...pairedNames(
      lacking.filter((name) => innerNames(shape, name).length > 0 === nested),
      unknown.filter((field) => isNested(field) === nested),
    ),
  ]);
  return new Map(pairs.map(([name, field]) => [field, name]));
}

/**
 * Returns what is probably meant by an unknown field, or null. `lacking` are the known fields that are missing,
 * `pairs` those that are likely meant.
 */
function hintFor(
  field: string,
  { value, shape, above }: Part,
  lacking: readonly string[],
  pairs: ReadonlyMap<string, string>,
): string | null {
  if (above.includes(field)) return 'move it one level up';
  const holder = Object.keys(shape).find((name) => Object.hasOwn(shape[name] ?? {}, field));
  if (holder !== undefined) return `move it into ${quoted(holder)}`;
  const inner = isObject(value) ? value[field] : undefined;
  const held = isObject(inner) ? lacking.find((name) => Object.hasOwn(inner, name)) : undefined;
  if (held !== undefined) return `move its ${quoted(held)} one level up`;
  const near = pairs.get(field);
  return near === undefined ? otherLevel(field, inner, shape, lacking) : `did you mean ${quoted(near)}?`;
}

/** Returns a hint for a field that is likely another one on another level, or null. */
function otherLevel(field: string, value: unknown, shape: Shape, lacking: readonly string[]): string | null {
  const plain = lacking.filter((name) => innerNames(shape, name).length === 0);
  for (const [name, inner] of innerPairs(field, plain, firstUnknown(value, [])))
    return `send its ${quoted(inner)} one level up, as ${quoted(name)}`;
  if (typeof value === 'object' && value !== null) return null;
  for (const name of lacking) {
    const near = nearName(field, innerNames(shape, name));
    if (near !== undefined) return `move it into ${quoted(name)}, as ${quoted(near)}`;
  }
  return null;
}

function innerNames(shape: Shape, name: string): readonly string[] {
  return Object.keys(shape[name] ?? {});
}

/**
 * Returns a hint if a parameter that an operation requires, although validation does not, was sent under another name
 * or on another level. `pointer` is its place in the parameters.
 */
export function missingParameterHint(operation: OperationName, parameters: unknown, pointer: string): string {
  let data = parameters;
  let shape: Shape = operationFacts[operation].parameters;
  for (const name of stepsOf(pointer)) {
    if (!isObject(data)) return '';
    if (!Object.hasOwn(data, name)) {
      const strange = firstUnknown(data, Object.keys(shape));
      return missingHint(name, { data, schema: schemaOf(shape), strange, sent: 'You sent' }, hintBudget());
    }
    data = data[name];
    shape = shape[name] ?? {};
  }
  return '';
}

function schemaOf(shape: Shape): object {
  const fields = Object.entries(shape);
  const properties = Object.fromEntries(fields.map(([name, inner]) => [name, schemaOf(inner)]));
  return { properties, required: Object.keys(shape) };
}

/** Returns whether an operation has a parameter of this name. */
export function isParameter(operation: OperationName, name: string): boolean {
  return Object.hasOwn(operationFacts[operation].parameters, name);
}
