import { isObject } from '../../base/is-object.ts';
import { memo } from '../../base/memo.ts';
import { pointerTo } from '../../base/violation.ts';
import { resultSchemas } from '../../contract/generated/result-schemas.js';
import type { Schema } from '../../contract/openapi.ts';
import { operationNames, type OperationName } from '../../contract/operation-types.ts';
import { textForm } from '../calibrate/text-form.ts';

/**
 * The forms of the values at each place of some JSON values, by JSON Pointer with `*` for every element of a
 * list. `absent` is a form too: some of the objects lack the field.
 */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** A place where two shapes differ. */
export interface ShapeDifference {
  readonly pointer: string;
  readonly left: string;
  readonly right: string;
}

/** Deeper values have no shape: a service may nest without end. */
const maxDepth = 40;

/** The maximum number of places: a service may name its fields after its records. */
const maxPlaces = 2000;

export function shapeOf(values: readonly unknown[]): Shape {
  const shape = new Map<string, Set<string>>();
  collect(shape, '', values, 0);
  return shape;
}

function collect(
  shape: Map<string, Set<string>>,
  pointer: string,
  values: readonly unknown[],
  depth: number,
): void {
  if (values.length === 0 || depth > maxDepth || shape.size >= maxPlaces) return;
  const forms = shape.get(pointer) ?? new Set();
  for (const value of values) forms.add(formOf(value));
  shape.set(pointer, forms);
  const members = values.flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : []));
  collect(shape, `${pointer}/*`, members, depth + 1);
  const objects = values.filter(isObject);
  for (const name of new Set(objects.flatMap((one) => Object.keys(one)))) {
    const held = objects.filter((one) => Object.hasOwn(one, name));
    const place = pointerTo(pointer, name);
    collect(
      shape,
      place,
      held.map((one) => one[name]),
      depth + 1,
    );
    if (held.length < objects.length) shape.get(place)?.add('absent');
  }
}

function formOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list';
  if (typeof value === 'string') return textForm(value);
  return typeof value;
}

/** The forms of a field without a value. */
const lacks: ReadonlySet<string> = new Set(['absent', 'null', 'empty text', 'empty list']);
/** The types of values that are not text, by form. */
const otherTypes: Readonly<Partial<Record<string, string>>> = {
  object: 'object',
  list: 'list',
  'empty list': 'list',
  number: 'number',
  boolean: 'boolean',
};

/** Fields whose text has one form: times, addresses, paths, queries and keys. Any other text may be anything. */
const formalName = /(At|Iso|Url|Link|link|Pathname|String|email|Email|origin|InHex)$/;

const timeName = /(At|Iso)$/;

/** The types of forms, by those of the contract. */
const contractTypes: Readonly<Partial<Record<string, string>>> = {
  array: 'list',
  integer: 'number',
  string: 'text',
};

/** What the contract says of a place. */
interface Documented {
  /** Empty if the contract leaves the type open. */
  readonly types: ReadonlySet<string>;
  /** Whether it may be null or missing, so that one without a value is data. */
  readonly mayLack: boolean;
  /** Whether its text may have a form. */
  readonly allows: (form: string) => boolean;
}

/** What the contract documents, by JSON Pointer with `*` for every element of a list. */
export type DocumentedPlaces = ReadonlyMap<string, Documented>;

/** Returns what the contract documents in the data of the successful elements of an operation. */
export const documentedPlaces = memo(operationNames.length, (operation: OperationName): DocumentedPlaces => {
  const found = new Map<string, Documented>();
  const add = (place: string, schema: Schema): void => {
    const { type = [], items, properties = {} } = schema;
    const types = new Set([type].flat().map((one) => contractTypes[one] ?? one));
    found.set(place, { types, mayLack: types.has('null'), allows: formCheck(schema) });
    if (items !== undefined) add(`${place}/*`, items);
    for (const [name, member] of Object.entries(properties)) add(pointerTo(place, name), member);
  };
  add('/output/data', resultSchemas[operation]);
  return found;
});

/** What the contract documents in elements that failed. */
export const documentedFailure: DocumentedPlaces = new Map([
  ['/output/errorMessage', { types: new Set(['text']), mayLack: false, allows: () => true }],
]);

/** The forms of text, by formats of the contract. */
const formatForms: ReadonlyMap<unknown, string> = new Map([
  ['date-time', 'date-time'],
  ['idn-email', 'e-mail address'],
]);

function formCheck({ format, minLength }: Schema): (form: string) => boolean {
  const only = formatForms.get(format);
  if (only !== undefined) return (form) => form === only;
  return minLength === undefined ? () => true : (form) => form !== 'empty text';
}

/** Returns the places where two shapes differ, not counting differences that other data can cause. */
export function shapeDifferences(
  left: Shape,
  right: Shape,
  documented?: DocumentedPlaces,
): readonly ShapeDifference[] {
  const found: ShapeDifference[] = [];
  for (const pointer of new Set([...left.keys(), ...right.keys()])) {
    if (found.some((one) => pointer.startsWith(`${one.pointer}/`))) continue;
    const pair = [formsAt(left, pointer), formsAt(right, pointer)] as const;
    const [one, other] = pair;
    if (one !== null && other !== null && isDifferent(pointer, one, other, documented?.get(pointer)))
      found.push({ pointer, left: [...one].join(' or '), right: [...other].join(' or ') });
  }
  return found;
}

const absent: ReadonlySet<string> = new Set(['absent']);

/** Returns the forms at a place; null if nothing shows them because no object is above it. */
function formsAt(shape: Shape, pointer: string): ReadonlySet<string> | null {
  const forms = shape.get(pointer);
  if (forms !== undefined) return forms;
  const above = pointer.slice(0, pointer.lastIndexOf('/'));
  const isField = pointer !== '' && !pointer.endsWith('/*');
  return isField && shape.get(above)?.has('object') === true ? absent : null;
}

function isDifferent(
  pointer: string,
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
  documented: Documented | undefined,
): boolean {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const mayLack = documented?.mayLack === true;
  // That some records lack a documented field is data. One that only the service knows is a difference.
  if (documented === undefined && isInNone(left) !== isInNone(right)) return true;
  const [leftTypes, rightTypes] = [typesOf(left), typesOf(right)];
  // An empty list in place of an object is one, too.
  if (leftTypes.size > 0 && rightTypes.size > 0 && ![...leftTypes].some((type) => rightTypes.has(type)))
    return true;
  // What the contract forbids is a difference even if other records are right.
  if (
    documented !== undefined &&
    (hasForeign(documented, left, right) || hasForeign(documented, right, left))
  )
    return true;
  const [leftLacks, rightLacks] = [left, right].map((forms) => [...forms].filter((form) => lacks.has(form)));
  const [leftHas, rightHas] = [left, right].map((forms) => [...forms].filter((form) => !lacks.has(form)));
  if (leftLacks === undefined || rightLacks === undefined || leftHas === undefined || rightHas === undefined)
    return false;
  // Each lacks a value in its own way, such as null and absent.
  if (leftLacks.length > 0 && rightLacks.length > 0) {
    if (!leftLacks.some((form) => right.has(form))) return true;
  } else if (isMissing(left, leftHas) || isMissing(right, rightHas)) return !mayLack;
  else if ((left.has('null') || right.has('null')) && !mayLack) return true;
  // Every time is a value.
  if (leftHas.length === 0 || rightHas.length === 0) return timeName.test(name) && !mayLack;
  return (
    formalName.test(name) &&
    [...leftHas, ...rightHas].every((form) => typeOf(form) === 'text') &&
    !leftHas.some((form) => rightHas.includes(form))
  );
}

function isInNone(forms: ReadonlySet<string>): boolean {
  return forms.size === 1 && forms.has('absent');
}

/** Whether a field is in no object, or always null. An empty text or list is data. */
function isMissing(forms: ReadonlySet<string>, has: readonly string[]): boolean {
  return has.length === 0 && (forms.has('absent') || forms.has('null'));
}

/**
 * Whether one side has a type, or a form of text, that the contract forbids and the other side does not have. If the contract leaves
 * the type open, those of the other side are allowed.
 */
function hasForeign(
  { types, allows }: Documented,
  forms: ReadonlySet<string>,
  others: ReadonlySet<string>,
): boolean {
  const shared = typesOf(others);
  const isOpen = types.size === 0 && shared.size === 0;
  if (!isOpen && [...typesOf(forms)].some((type) => !types.has(type) && !shared.has(type))) return true;
  return [...forms].some(
    (form) => isValue(form) && typeOf(form) === 'text' && !allows(form) && !others.has(form),
  );
}

function isValue(form: string): boolean {
  return form !== 'absent' && form !== 'null';
}

/** Returns the types of the values of some forms. */
function typesOf(forms: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...forms].filter(isValue).map(typeOf));
}

function typeOf(form: string): string {
  return otherTypes[form] ?? 'text';
}
