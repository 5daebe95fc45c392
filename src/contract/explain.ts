import type { ErrorObject } from 'ajv';
import { didYouMean } from '../base/did-you-mean.ts';
import { isObject } from '../base/is-object.ts';
import { dateTimeHint, dateTimeWords } from './date-time-format.ts';
import {
  firstUnknown,
  hintBudget,
  levelOfValue,
  missingHint,
  nearWithin,
  propertyNames,
  type HintBudget,
} from './level-hints.ts';
import { describe, pointerTo, type Violation } from '../base/violation.ts';

/** Descriptions of the formats that the documents use. */
const formatExamples: Readonly<Record<string, string>> = {
  'date-time': `${dateTimeWords}, such as "2026-02-11T09:30:00.000Z"`,
  email: 'an e-mail address, such as "mira@school.example"',
  'idn-email': 'an e-mail address, such as "mira@school.example"',
  'email-limited':
    'an e-mail address with at most 64 characters before the @ and 254 in total, such as "mira@school.example"',
  'email-international': 'an e-mail address of at most 254 bytes, such as "mira@school.example"',
};

/** Describes a value from JSON, in which a number such as 1e400 becomes infinite. */
function shown(value: unknown): string {
  return value === Infinity || value === -Infinity
    ? 'a number outside the supported range, about ±1.8e308'
    : describe(value);
}

/** How a hint about a misspelled field starts. */
type Sent = 'You sent' | 'It has';

/**
 * Rewords the ajv errors of one body. `base` is the pointer to the validated value. The hints share a budget,
 * because finding a misspelled field takes long if there are many names.
 */
export function explain(
  errors: readonly ErrorObject[],
  base: string,
  sent: Sent = 'You sent',
  budget: HintBudget = hintBudget(),
): Violation[] {
  return errors.map((error) => explainOne(error, base, sent, budget));
}

/** Rewords one of several errors of a body, whose hints share this budget. */
export function explainOne(error: ErrorObject, base: string, sent: Sent, budget: HintBudget): Violation {
  const pointer = `${base}${error.instancePath}`;
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      return missing(error, pointer, { sent, budget });
    case 'additionalProperties':
      return unknown(error, pointer, String(params['additionalProperty']), budget);
    case 'type':
      return {
        pointer,
        message: `must be ${typeName(params['type'])}, but is ${shown(error.data)}.${levelOfValue(error, pointer)}`,
      };
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
        message: `must be ${formatExamples[format] ?? format}, but is ${shown(error.data)}.${formatHint(format, error.data)}`,
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
      if (example !== undefined) {
        const hint = formatHint(String(format), error.data);
        return { pointer, message: `must be ${example}, but is ${shown(error.data)}.${hint}` };
      }
      return { pointer, message: `must match ${String(params['pattern'])}, but is ${shown(error.data)}.` };
    }
    default:
      return { pointer, message: `${error.message ?? `violates "${error.keyword}"`}.` };
  }
}

function missing(
  { data, parentSchema, params }: ErrorObject,
  pointer: string,
  { sent, budget }: { readonly sent: Sent; readonly budget: HintBudget },
): Violation {
  const name = String(params['missingProperty']);
  const strange = firstUnknown(data, propertyNames(parentSchema));
  const hint = missingHint(name, { data, schema: parentSchema, strange, sent }, budget);
  return { pointer: pointerTo(pointer, name), message: `is required, but missing.${hint}` };
}
function unknown(
  { parentSchema }: ErrorObject,
  pointer: string,
  name: string,
  budget: HintBudget,
): Violation {
  const known = propertyNames(parentSchema);
  const near = nearWithin(budget, name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const list = known.length === 0 ? 'There are none.' : `Known here: ${known.join(', ')}.`;
  return { pointer: pointerTo(pointer, name), message: `is not a known field.${hint} ${list}` };
}

function notAmong(data: unknown, allowed: unknown): string {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  const hint = typeof data === 'string' ? didYouMean(data, values) : '';
  return `must be one of ${values.map((value) => `"${value}"`).join(', ')}, but is ${shown(data)}.${hint}`;
}

/** Returns what is wrong with a text that nearly matches the format. Empty if nothing is known. */
function formatHint(format: string, data: unknown): string {
  if (typeof data !== 'string') return '';
  if (data.trim() !== data && data.trim() !== '') return ' Remove the whitespace around it.';
  return format === 'date-time' ? dateTimeHint(data) : '';
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
