import { isObject } from '../../base/is-object.ts';
import { resultSchemas } from '../../contract/generated/result-schemas.js';
import type { Schema } from '../../contract/openapi.ts';
import type { Reply } from './reply.ts';
import { memberList, typeOf } from './sights.ts';
import { textForm, timestampForm } from './text-form.ts';
import type { Request, Sight } from './upstream.ts';

/** The form of the text of some fields in the sandbox. Times have assumptions or a form in the contract. */
const fieldForms: Readonly<Record<string, string>> = {
  profilePhotoUrl: 'URL',
  thumbnailUrl: 'URL',
  link: 'URL',
  downloadUrl: 'URL',
  origin: 'URL',
  email: 'e-mail address',
  clearkeyDecryptionKeyInHex: 'hexadecimal',
};

/** Begins the description of a field of results. */
export const fieldMark = 'the field ';

/** Fields that the contract allows to be null or missing, where `responseFields` alone decides which. */
const nullable: ReadonlySet<string> = new Set(['explanation', 'description']);

/** Fields that a record may lack. */
const mayLack: ReadonlySet<string> = new Set([...nullable, 'endedAtIso']);

/** Returns which documented fields results have, and the form of some of them. */
export function fieldsIn({ operation }: Request, { outputs }: Reply): readonly Sight[] {
  const sights: Sight[] = [];
  const schema = resultSchemas[operation];
  for (const output of outputs ?? [])
    if (output.status === 'ok') {
      walk(schema, output.data, `of ${operation}`, sights);
      if (isObject(output.data)) sights.push(...ownFields(operation, schema, output.data));
    }
  return sights;
}

/** A result always has its own fields, while a record in it may lack those without a value. */
function ownFields(
  operation: string,
  { properties = {} }: Schema,
  data: Readonly<Record<string, unknown>>,
): readonly Sight[] {
  return Object.keys(properties).map((name) => ({
    what: `a result of ${operation}: its field ${name}`,
    seen: Object.hasOwn(data, name) && data[name] !== null ? 'sent' : 'missing or null',
    expected: () => 'sent',
  }));
}

/** What options decide about some fields. */
function especially(name: string, member: unknown): readonly Sight[] {
  if (nullable.has(name) && (member === null || member === undefined))
    return [
      {
        what: `${name} without a value`,
        seen: member === null ? 'null' : 'missing',
        expected: (ask) => (ask('responseFields') === 'all' ? 'null' : 'missing'),
      },
    ];
  if (name === 'permissions' && Array.isArray(member))
    return member.map((permission: unknown) => ({
      what: 'the members of a permission',
      seen: isObject(permission) ? memberList(permission) : typeOf(permission),
      expected: (ask) => (ask('permissionShape') === 'objects' ? 'action, resource' : 'text'),
    }));
  if (typeof member !== 'string' || member === '') return [];
  if (name === 'lastUpdatedAt')
    return [
      {
        what: 'the form of lastUpdatedAt',
        seen: timestampForm(member),
        expected: (ask) => ask('instructorTimestampFormat'),
      },
    ];
  if (name !== 'masterM3u8Pathname') return [];
  const form = textForm(member) === 'URL' ? 'URL' : 'path';
  return [{ what: 'the form of masterM3u8Pathname', seen: form, expected: () => 'path' }];
}

function walk(schema: Schema, value: unknown, place: string, sights: Sight[]): void {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    if (items !== undefined) for (const member of value) walk(items, member, place, sights);
    return;
  }
  if (!isObject(value) || properties === undefined) return;
  for (const [name, part] of Object.entries(properties)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!mayLack.has(name)) sights.push(presenceOf(name, member, place));
    sights.push(...especially(name, member));
    const form = fieldForms[name];
    if (form !== undefined && typeof member === 'string' && member !== '')
      sights.push({
        what: `${fieldMark}${name} ${place}, its form`,
        seen: textForm(member),
        expected: () => form,
      });
    walk(part, member, place, sights);
  }
}

function presenceOf(name: string, member: unknown, place: string): Sight {
  const seen = member === undefined || member === null ? 'missing or null' : 'sent';
  return { what: `${fieldMark}${name} ${place}`, seen, expected: () => 'sent' };
}
