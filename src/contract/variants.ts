import type { Options } from '../assumptions.ts';
import { emailFormats } from './email-format.ts';
import { resolve, type OpenApiDocument, type Schema } from './openapi.ts';

/** The assumptions that change which parameters are valid. */
export type Variant = Pick<Options, 'requiredFields' | 'unknownFields' | 'emailFormat' | 'couponTypes'>;

/** The contract as written, which the package ships compiled. */
export const writtenVariant: Variant = {
  requiredFields: 'identifiers',
  unknownFields: 'ignore',
  emailFormat: 'ascii',
  couponTypes: 'percent-off-only',
};

export function isWritten(variant: Variant): boolean {
  return variantName(variant) === variantName(writtenVariant);
}

export function variantName(variant: Variant): string {
  const { requiredFields, unknownFields, emailFormat } = variant;
  const isStrict = unknownFields === 'refuse' || requiredFields === 'all';
  const types = isStrict && isTypeOpen(variant) ? '/any-type' : '';
  return `${requiredFields}/${unknownFields}/${emailFormat}${types}`;
}

/** Whether stored data can be of any type, so that other data without a type can have any fields. */
export function isTypeOpen(variant: Pick<Variant, 'couponTypes'>): boolean {
  return variant.couponTypes === 'any';
}

/**
 * Returns a schema for a variant of the contract, with every `$ref` resolved and without descriptions and
 * examples.
 */
export function schemaUnder(variant: Variant, document: OpenApiDocument, schema: Schema): Schema {
  const found = resolve(document, schema);
  const inner = (part: Schema): Schema => schemaUnder(variant, document, part);
  const { description: _description, examples: _examples, properties = {}, items, ...rest } = found;
  const parts = Object.entries(properties).map(([name, part]) => [name, inner(part)]);
  const shown = {
    ...rest,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(rest['format'] === 'email' ? { format: emailFormats[variant.emailFormat] } : {}),
  };
  if (found.type !== 'object') return shown;
  const fields = {
    properties: Object.fromEntries(parts),
    required: requiredUnder(variant, found),
    ...(variant.unknownFields === 'refuse' ? { additionalProperties: false } : {}),
  };
  const type = found['x-fields-of'];
  if (type === undefined) return { ...shown, ...fields };
  // An object of another type may have other fields.
  const isOther = { required: ['type'], properties: { type: { type: 'string', not: { const: type } } } };
  const names = Object.fromEntries(Object.keys(properties).map((name) => [name, true]));
  // Otherwise, each wrong value would be reported twice.
  const own = { ...fields, properties: names };
  return {
    ...shown,
    properties: fields.properties,
    if: isOther,
    else: isTypeOpen(variant) ? ifTyped(own) : own,
  };
}

/** Returns the schema of an object that may have any fields if it has no type, which can be required. */
function ifTyped(fields: Pick<Schema, 'required'>): object {
  const required = fields.required?.filter((name) => name === 'type');
  return { required, if: { not: { required: ['type'] } }, else: fields };
}

function requiredUnder({ requiredFields }: Variant, schema: Schema): readonly string[] {
  if (requiredFields === 'all') return Object.keys(schema.properties ?? {});
  const written = requiredFields === 'stated-only' ? schema['x-stated-required'] : schema.required;
  return Array.isArray(written) ? written : [];
}
