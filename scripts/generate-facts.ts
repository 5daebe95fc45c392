import {
  collectionSchemas,
  operationOf,
  parametersSchema,
  resolve,
  type OpenApiDocument,
  type Schema,
} from '../src/contract/openapi.ts';

/** The names of an object's fields, nested; `{}` if a field has none. */
interface Shape {
  [field: string]: Shape;
}

function shapeOf(document: OpenApiDocument, schema: Schema): Shape {
  const found = resolve(document, schema);
  if (found.items !== undefined) return shapeOf(document, found.items);
  return Object.fromEntries(
    Object.entries(found.properties ?? {}).map(([name, part]) => [name, shapeOf(document, part)]),
  );
}

/** The fields whose objects have documented fields for only one type, with the type. */
function typedFieldsOf(document: OpenApiDocument, schema: Schema): readonly (readonly [string, string])[] {
  const found = resolve(document, schema);
  if (found.items !== undefined) return typedFieldsOf(document, found.items);
  return Object.entries(found.properties ?? {}).flatMap(([name, part]) => {
    const type = resolve(document, part)['x-fields-of'];
    const inner = typedFieldsOf(document, part);
    return typeof type === 'string' ? [[name, type] as const, ...inner] : inner;
  });
}

/** Which field of a record holds the id, or ids, of records of which other collection. */
function referencesOf({ properties = {} }: Schema): Record<string, string> {
  // The filter above leaves only pairs of texts.
  const fields = Object.entries(properties).flatMap(([field, { 'x-references': to }]) =>
    typeof to === 'string' ? [[field, to]] : [],
  );
  return Object.fromEntries(fields) as Record<string, string>;
}

/** The fields of records that are times. */
function timeFieldsOf(document: OpenApiDocument, { properties = {} }: Schema): readonly string[] {
  return Object.entries(properties)
    .filter(([, part]) => resolve(document, part)['format'] === 'date-time')
    .map(([field]) => field);
}

/** Returns a name such as `courseItems` or `CourseItem` in words. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}

/** Returns data as TypeScript source. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/**
 * Returns a module with the facts that the server needs from the documents at run time, so that it starts
 * without reading YAML.
 */
export function factsSource(contract: OpenApiDocument, state: OpenApiDocument): string {
  const operations = Object.entries(contract.paths).map(([path, { post }]) => [
    operationOf(path),
    {
      writes: post['x-writes'],
      safeToRepeat: post['x-safe-to-repeat'] ?? true,
      limit: post['x-rate-limit'] ?? null,
      parameters: shapeOf(contract, parametersSchema(contract, post)),
    },
  ]);
  const typed = Object.values(contract.paths).flatMap(({ post }) =>
    typedFieldsOf(contract, parametersSchema(contract, post)),
  );
  const collections = collectionSchemas(state);
  const references = collections.map(({ collection, schema }) => [collection, referencesOf(schema)]);
  const times = new Set(collections.flatMap(({ schema }) => timeFieldsOf(state, schema)));
  const nouns = collections
    .filter(({ schema }) => Object.values(referencesOf(schema)).includes('schools'))
    .map(({ collection, name }) => [collection, [inWords(name), inWords(collection)]]);
  return `// Generated from openapi/ by \`npm run generate\`.
import type { components } from './state.ts';

/** What the contract says of each operation: whether it writes, and may be sent again after a lost reply, its rate limit, and the names of its parameters. */
export const operationFacts = ${json(Object.fromEntries(operations))} as const;

/** The parameters that are objects with documented fields for only one type, with the type. */
export const typedFields = ${json(Object.fromEntries(typed))} as const;

/** The collections of a sandbox: which field holds the id, or ids, of records of which other collection. */
export const collectionReferences = ${json(Object.fromEntries(references))} as const;

/** The fields of all collections that are times. */
export const timeFields: ReadonlySet<string> = new Set(${json([...times])});

/** What the records of schools are, in words: one, and several. */
export const recordNouns = ${json(Object.fromEntries(nouns))} as const;

/** The record of each collection. */
export interface Records {
${collections.map(({ collection, name }) => `  readonly ${collection}: components['schemas']['${name}'];`).join('\n')}
}
`;
}
