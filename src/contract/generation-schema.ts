import { collectionSchemas, resolve, type OpenApiDocument, type Schema } from './openapi.ts';

/**
 * One schema per collection, for a generator: that of its records with what `x-generated` says. Their ids, and those of the records that
 * they name, are left out: only who makes them all knows which there are.
 */
export function generationSchemas(state: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(collectionSchemas(state).map(({ collection, schema }) => [collection, forGenerator(state, schema)]));
}

function forGenerator(document: OpenApiDocument, found: Schema): Schema {
  const schema = resolve(document, found);
  const { type, required, properties, items } = schema;
  const more = schema['x-generated'];
  const own = isSchema(more) ? more : {};
  // What gives a value whole leaves nothing for the other keywords to say.
  if (['faker', 'enum', 'const', 'pattern'].some((keyword) => keyword in own)) return { ...(type === undefined ? {} : { type }), ...own };
  const fields = Object.entries(properties ?? {}).filter(([name, field]) => isFilled(name, field));
  const names = new Set(fields.map(([name]) => name));
  const filled = Object.fromEntries(fields.map(([name, field]) => [name, forGenerator(document, field)]));
  return {
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: forGenerator(document, items) }),
    ...(properties === undefined ? {} : { required: (required ?? []).filter((name) => names.has(name)), properties: filled }),
    ...own,
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function isFilled(name: string, field: Schema): boolean {
  return name !== 'id' && field['x-references'] === undefined && field['x-generated'] !== false;
}
