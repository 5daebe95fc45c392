import { collectionSchemas, resolve, type OpenApiDocument, type Schema } from './openapi.ts';

/**
 * Returns a schema of each collection for the generator: that of its records with the keywords in
 * `x-generated`. Omits ids and references, because the caller assigns them.
 */
export function generationSchemas(state: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    collectionSchemas(state).map(({ collection, schema }) => [collection, forGenerator(state, schema)]),
  );
}

function forGenerator(document: OpenApiDocument, found: Schema): Schema {
  const schema = resolve(document, found);
  const { type, required, properties, items } = schema;
  const more = schema['x-generated'];
  const own = isSchema(more) ? more : {};
  // These keywords determine the whole value, so the others must not contradict them.
  if (['faker', 'enum', 'const', 'pattern'].some((keyword) => keyword in own))
    return { ...(type === undefined ? {} : { type }), ...own };
  const fields = Object.entries(properties ?? {}).filter(([name, field]) => isFilled(name, field));
  const names = new Set(fields.map(([name]) => name));
  const filled = Object.fromEntries(fields.map(([name, field]) => [name, forGenerator(document, field)]));
  return {
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: forGenerator(document, items) }),
    ...(properties === undefined
      ? {}
      : { required: (required ?? []).filter((name) => names.has(name)), properties: filled }),
    ...own,
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function isFilled(name: string, field: Schema): boolean {
  return name !== 'id' && field['x-references'] === undefined && field['x-generated'] !== false;
}
