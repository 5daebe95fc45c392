import type { OpenApiDocument, Schema } from '../src/contract/openapi.ts';

const components = '#/components/schemas/';

/**
 * The JSON Schema of reports, with everything that it refers to, so that it works without the document of the
 * control plane.
 */
export function reportSchema({ components: { schemas } }: OpenApiDocument): object {
  const names = [...referredTo('Report', schemas, new Set())].filter((name) => name !== 'Report').toSorted();
  const standalone = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Report of a Learning Platform Sandbox',
    ...schemas['Report'],
    $defs: Object.fromEntries(names.map((name) => [name, schemas[name]])),
  };
  return JSON.parse(JSON.stringify(standalone).replaceAll(`"${components}`, '"#/$defs/')) as object;
}

/**
 * Returns the name, and the names of all schemas that it refers to. Throws if a reference does not resolve.
 */
function referredTo(
  name: string,
  schemas: Readonly<Record<string, Schema>>,
  seen: Set<string>,
): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`A report refers to the schema ${name}, which is not there.`);
  seen.add(name);
  for (const [, next = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    referredTo(next, schemas, seen);
  return seen;
}
