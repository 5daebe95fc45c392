import { parametersSchema, resolve, type OpenApiDocument, type Schema } from '../src/contract/openapi.ts';

/** The names of an object's fields, nested; `{}` where a field has none. */
interface Shape {
  [field: string]: Shape;
}

function shapeOf(document: OpenApiDocument, schema: Schema): Shape {
  const found = resolve(document, schema);
  if (found.items !== undefined) return shapeOf(document, found.items);
  return Object.fromEntries(Object.entries(found.properties ?? {}).map(([name, part]) => [name, shapeOf(document, part)]));
}

function collectionsOf(state: OpenApiDocument): { name: string; schema: string; references: Record<string, string> }[] {
  return Object.entries(state.components.schemas).flatMap(([schema, content]) => {
    const name = content['x-collection'];
    if (typeof name !== 'string') return [];
    const references = Object.entries(content.properties ?? {}).flatMap(([field, { 'x-references': to }]) =>
      typeof to === 'string' ? [[field, to]] : [],
    );
    return [{ name, schema, references: Object.fromEntries(references) }];
  });
}

/** Data as TypeScript writes it. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A module with what the server must know of the documents at run time, so that it starts without reading YAML. */
export function factsSource(contract: OpenApiDocument, state: OpenApiDocument): string {
  const operations = Object.entries(contract.paths).map(([path, { post }]) => [
    path.slice('/public/'.length),
    {
      writes: post['x-writes'],
      limit: post['x-rate-limit'] ?? null,
      parameters: shapeOf(contract, parametersSchema(contract, post)),
    },
  ]);
  const collections = collectionsOf(state);
  const references = collections.map(({ name, references: to }) => [name, to]);
  return `// Generated from openapi/ by \`npm run generate\`.
import type { components } from './state.ts';

/** What the contract says of each operation: whether it writes, its rate limit, and the names of its parameters. */
export const operationFacts = ${json(Object.fromEntries(operations))} as const;

/** The collections of a sandbox: which field holds the id, or ids, of records of which other collection. */
export const collectionReferences = ${json(Object.fromEntries(references))} as const;

/** The record of each collection. */
export interface Records {
${collections.map(({ name, schema }) => `  readonly ${name}: components['schemas']['${schema}'];`).join('\n')}
}
`;
}
