import type { ErrorObject } from 'ajv';
import { isObject } from '../base/is-object.ts';
import { quoted } from '../base/violation.ts';
import { nearName, pairedNames } from './near-names.ts';

/** An object that lacks a field, with its schema and its unknown fields. */
interface Lacking {
  readonly data: unknown;
  readonly schema: unknown;
  readonly strange: readonly string[];
  /** Starts a sentence about a field of the object. */
  readonly sent: string;
}

/** The names that the hints about one body may still compare, so that a body with many names takes little time. */
export interface HintBudget {
  compared: number;
}

export function hintBudget(): HintBudget {
  return { compared: 2000 };
}

/** Returns a result that compares this number of names; undefined when the budget is used up. */
function spending<T>(budget: HintBudget, names: number, result: () => T): T | undefined {
  if (budget.compared <= 0) return undefined;
  budget.compared -= names;
  return result();
}

/** Returns the field that is likely meant by a name, unless the budget is used up. */
export function nearWithin(budget: HintBudget, name: string, fields: readonly string[]): string | undefined {
  return spending(budget, fields.length, () => nearName(name, fields));
}

function pairsWithin(
  budget: HintBudget,
  missing: readonly string[],
  strange: readonly string[],
): ReadonlyMap<string, string> {
  return spending(budget, missing.length * strange.length, () => pairedNames(missing, strange)) ?? new Map();
}

/** Returns a hint if a missing field was sent under another name, or on another level. */
export function missingHint(name: string, lacking: Lacking, budget: HintBudget): string {
  const { data, schema, strange, sent } = lacking;
  const missing = notIn(data, requiredOf(schema));
  const pairs = pairsWithin(budget, missing, strange);
  const slip = pairs.get(name);
  const isNested = slip !== undefined && isObject(data) && isObject(data[slip]);
  const isObjectWanted = propertyNames(propertyOf(schema, name)).length > 0;
  const level =
    slip === undefined || isNested !== isObjectWanted
      ? levelHint(name, lacking, { missing, pairs, budget })
      : '';
  if (level !== '' || slip === undefined) return level;
  return ` ${sent} ${quoted(slip)}: did you mean "${name}"?`;
}

/** The required fields that an object lacks, and the sent ones that are likely meant for them. */
interface Meant {
  readonly missing: readonly string[];
  readonly pairs: ReadonlyMap<string, string>;
  readonly budget: HintBudget;
}

/** Returns a hint if another field has the missing one, or an unknown field belongs into it. */
function levelHint(
  name: string,
  { data, schema, strange, sent }: Lacking,
  { missing, pairs, budget }: Meant,
): string {
  for (const [field, value] of firstEntries(data)) {
    if (budget.compared <= 0) return '';
    const fields = firstUnknown(value, propertyNames(propertyOf(schema, field)));
    if (fields.includes(name)) return ` ${sent} it in ${quoted(field)}: move it one level up.`;
    const near = strange.includes(field)
      ? spending(budget, missing.length * fields.length, () => innerPairs(field, missing, fields))?.get(name)
      : undefined;
    if (near !== undefined)
      return ` ${sent} ${quoted(near)} in ${quoted(field)}: send it one level up, as "${name}".`;
  }
  const used = new Set([...pairs].flatMap(([meant, field]) => (meant === name ? [] : [field])));
  const free = strange.filter((field) => !used.has(field));
  const inner = propertyNames(propertyOf(schema, name));
  const member = free.find((field) => inner.includes(field));
  if (member !== undefined) return ` ${sent} ${quoted(member)}: move it into "${name}".`;
  for (const field of inner) {
    const near = nearWithin(budget, field, free);
    if (near !== undefined) return ` ${sent} ${quoted(near)}: move it into "${name}", as "${field}".`;
  }
  return '';
}

/**
 * Returns the field of an unknown object that is likely meant for each missing name: for `userId`, `id` in `user`.
 */
export function innerPairs(
  holder: string,
  missing: readonly string[],
  fields: readonly string[],
): ReadonlyMap<string, string> {
  const full = new Map(fields.map((field) => [`${holder}_${field}`, field]));
  const pairs = [...pairedNames(missing, [...full.keys()])].map(
    ([name, field]) => [name, full.get(field) ?? field] as const,
  );
  return pairs.length > 0 ? new Map(pairs) : pairedNames(missing, fields);
}

/** Returns a hint if a value is not on the level that its schema says: in an object, or without its object. */
export function levelOfValue({ data, parentSchema }: ErrorObject, pointer: string): string {
  const inner = propertyNames(parentSchema);
  if (inner.length > 0 && typeof data === 'string') return ` Send an object with ${inner.join(', ')}.`;
  if (inner.length > 0 || !isObject(data)) return '';
  const near = nearName(pointer.split('/').at(-1) ?? '', firstUnknown(data, []));
  return near === undefined ? '' : ` It has ${quoted(near)}: send only its value.`;
}

/** The maximum number of candidates for a typo: a hostile request can have any number of unknown fields. */
const maxCandidates = 100;

/** Returns the first fields of an object that are not among the known ones. */
export function firstUnknown(data: unknown, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  if (!isObject(data)) return found;
  for (const key in data) {
    if (known.includes(key)) continue;
    found.push(key);
    if (found.length >= maxCandidates) break;
  }
  return found;
}

/** Returns the first fields of an object that have objects or lists of objects, with the object or the first one. */
function firstEntries(data: unknown): readonly (readonly [field: string, value: object])[] {
  return firstUnknown(data, []).flatMap((field) => {
    const value = isObject(data) ? data[field] : undefined;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isObject(first) ? [[field, first] as const] : [];
  });
}

/** Returns the names of fields that an object does not have. */
export function notIn(data: unknown, names: readonly string[]): readonly string[] {
  return isObject(data) ? names.filter((name) => !Object.hasOwn(data, name)) : names;
}

export function propertyNames(schema: unknown): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

function requiredOf(schema: unknown): readonly string[] {
  const required = isObject(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
}

function propertyOf(schema: unknown, name: string): unknown {
  return propertiesOf(schema)[name];
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}
