import type { ErrorObject } from 'ajv';
import { closest, didYouMean } from '../base/did-you-mean.ts';
import { isObject } from '../base/is-object.ts';
import { describe, pointerTo, type Violation } from '../base/violation.ts';

/** Descriptions of the formats that the documents use. */
const formatExamples: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 date-time with a time zone, such as "2026-02-11T09:30:00.000Z"',
  email: 'an e-mail address, such as "mira@school.example"',
  'idn-email': 'an e-mail address, such as "mira@school.example"',
  'email-limited':
    'an e-mail address with at most 64 characters before the @ and 254 in all, such as "mira@school.example"',
  'email-international': 'an e-mail address of at most 254 bytes, such as "mira@school.example"',
};

/** Describes a value from JSON, in which a number such as 1e400 becomes infinite. */
function shown(value: unknown): string {
  return value === Infinity || value === -Infinity
    ? 'a number beyond the range of numbers, about ±1.8e308'
    : describe(value);
}

/**
 * Rewords an ajv error. `base` is the pointer to the validated value; `sent` starts the hint about a
 * misspelled field.
 */
export function explain(
  error: ErrorObject,
  base: string,
  sent: 'You sent' | 'It has' = 'You sent',
): Violation {
  const pointer = `${base}${error.instancePath}`;
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      return missing(error, pointer, String(params['missingProperty']), sent);
    case 'additionalProperties':
      return unknown(error, pointer, String(params['additionalProperty']));
    case 'type':
      return { pointer, message: `must be ${typeName(params['type'])}, but is ${shown(error.data)}.` };
    case 'minLength':
      return {
        pointer,
        message: `must have at least ${count(params['limit'], 'character')}, but is ${shown(error.data)}.`,
      };
    case 'maxLength':
      return { pointer, message: `must have at most ${count(params['limit'], 'character')}.` };
    case 'format': {
      const format = String(params['format']);
      return {
        pointer,
        message: `must be ${formatExamples[format] ?? format}, but is ${shown(error.data)}.`,
      };
    }
    case 'enum':
      return { pointer, message: notAmong(error.data, params['allowedValues']) };
    case 'minimum':
      return {
        pointer,
        message: `must be at least ${String(params['limit'])}, but is ${shown(error.data)}.`,
      };
    case 'maximum':
      return {
        pointer,
        message: `must be at most ${String(params['limit'])}, but is ${shown(error.data)}.`,
      };
    case 'exclusiveMinimum':
      return {
        pointer,
        message: `must be more than ${String(params['limit'])}, but is ${shown(error.data)}.`,
      };
    case 'minItems':
      return {
        pointer,
        message: `must have at least ${count(params['limit'], 'member')}, but is ${shown(error.data)}.`,
      };
    case 'maxItems':
      return { pointer, message: `must have at most ${count(params['limit'], 'member')}.` };
    case 'maxProperties':
      return { pointer, message: `must have at most ${count(params['limit'], 'field')}.` };
    case 'minProperties':
      return { pointer, message: `must have at least ${count(params['limit'], 'field')}, but is empty.` };
    case 'pattern': {
      // The pattern of a format only makes it stricter.
      const format = isObject(error.parentSchema) ? error.parentSchema['format'] : undefined;
      const example = typeof format === 'string' ? formatExamples[format] : undefined;
      if (example !== undefined)
        return { pointer, message: `must be ${example}, but is ${shown(error.data)}.` };
      return { pointer, message: `must match ${String(params['pattern'])}, but is ${shown(error.data)}.` };
    }
    default:
      return { pointer, message: `${error.message ?? `violates "${error.keyword}"`}.` };
  }
}

function missing(
  { data, parentSchema }: ErrorObject,
  pointer: string,
  name: string,
  sent: string,
): Violation {
  const known = propertyNames(parentSchema);
  const strange = firstUnknown(data, known);
  const slip = closest(name, strange) ?? alike(name, strange);
  const hint =
    slip === undefined
      ? levelHint(name, data, strange, { schema: parentSchema, sent })
      : ` ${sent} ${JSON.stringify(slip)}: did you mean "${name}"?`;
  return { pointer: pointerTo(pointer, name), message: `is required, but missing.${hint}` };
}

/** Returns a hint if an unknown field has the missing one, or belongs into it. */
function levelHint(
  name: string,
  data: unknown,
  strange: readonly string[],
  { schema, sent }: { readonly schema: unknown; readonly sent: string },
): string {
  const holder = strange.find((field) => {
    const value = isObject(data) ? data[field] : undefined;
    return isObject(value) && Object.hasOwn(value, name);
  });
  if (holder !== undefined) return ` ${sent} it in ${JSON.stringify(holder)}: move it one level up.`;
  const inner = propertyNames(propertyOf(schema, name));
  const member = strange.find((field) => inner.includes(field));
  return member === undefined ? '' : ` ${sent} ${JSON.stringify(member)}: move it into "${name}".`;
}

/**
 * Returns the only field that ends in the same word, and of which one name has all words of the other, such as
 * `sessionId` for `liveEventSessionId`: responses have other names for the same.
 */
function alike(name: string, fields: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const found = fields.filter((field) => {
    if (field.length > maxAlikeChars) return false;
    const others = wordsOf(field);
    const [few, many] = others.length < words.length ? [others, words] : [words, others];
    return few.at(-1) === many.at(-1) && few.every((word) => many.includes(word));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Longer names are none that anybody writes, and take long to divide into words. */
const maxAlikeChars = 80;

/** Returns the words of a name in camelCase, snake_case or kebab-case. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/);
}

/** The maximum number of candidates for a typo: a hostile request can have any number of unknown fields. */
const maxCandidates = 100;

function firstUnknown(data: unknown, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  if (typeof data !== 'object' || data === null) return found;
  for (const key in data) {
    if (known.includes(key)) continue;
    found.push(key);
    if (found.length >= maxCandidates) break;
  }
  return found;
}

function unknown({ parentSchema }: ErrorObject, pointer: string, name: string): Violation {
  const known = propertyNames(parentSchema);
  const list = known.length === 0 ? 'There are none.' : `Known here: ${known.join(', ')}.`;
  return {
    pointer: pointerTo(pointer, name),
    message: `is not a known field.${didYouMean(name, known)} ${list}`,
  };
}

function notAmong(data: unknown, allowed: unknown): string {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  const hint = typeof data === 'string' ? didYouMean(data, values) : '';
  return `must be one of ${values.map((value) => `"${value}"`).join(', ')}, but is ${shown(data)}.${hint}`;
}

function propertyNames(schema: unknown): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

function propertyOf(schema: unknown, name: string): unknown {
  return propertiesOf(schema)[name];
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

function typeName(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map((name) =>
    name === 'null' ? 'null' : withArticle(String(name)),
  );
  return names.join(' or ');
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}
