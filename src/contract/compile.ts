import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { collectionSchemas, operationOf, parametersSchema, resultSchema, type OpenApiDocument, type Schema } from './openapi.ts';
import { schemaUnder, writtenVariant, type Variant } from './variants.ts';

/** Extensions of ours in the documents; ajv's strict mode wants every keyword known. */
const extensions = ['x-known-values', 'x-prose', 'x-stated-required', 'x-references', 'x-collection', 'x-generated'];

/** Whether a check finds every violation, or stops at the first. */
export type Thoroughness = 'every' | 'first';

/** ajv as this project uses it: strict about schemas, coercing nothing, each violation with the schema that it violates. */
export function createAjv(code: 'functions' | 'source' = 'functions', violations: Thoroughness = 'every'): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: violations === 'every',
    coerceTypes: false,
    verbose: true,
    ...(code === 'source' ? { code: { source: true, esm: true, lines: true } } : {}),
  });
  addFormats.default(ajv);
  for (const keyword of extensions) ajv.addKeyword(keyword);
  return ajv;
}

/** One schema per operation: that of its parameters under a reading. */
export function parameterSchemas(document: OpenApiDocument, variant: Variant): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(document.paths).map(([path, { post }]) => [
      operationOf(path),
      schemaUnder(variant, document, parametersSchema(document, post)),
    ]),
  );
}

/** One schema per collection: that of its records. */
export function recordSchemas(state: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    collectionSchemas(state).map(({ collection, schema }) => [collection, schemaUnder(writtenVariant, state, schema)]),
  );
}

/** The schemas that a document's requests have as bodies, and those of `others`, by their names. */
export function bodySchemas(document: OpenApiDocument, others: readonly string[]): Readonly<Record<string, Schema>> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const refs = operations.map(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1));
  const names = new Set([...others, ...refs.flatMap((name) => name ?? [])]);
  return Object.fromEntries(
    [...names].map((name) => [name, schemaUnder(writtenVariant, document, { $ref: `#/components/schemas/${name}` })]),
  );
}

/** One schema per operation: that of its result, the `data` of an output that is ok. */
export function resultSchemas(document: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(document.paths).map(([path, { post }]) => [
      operationOf(path),
      schemaUnder(writtenVariant, document, resultSchema(document, post)),
    ]),
  );
}

/** The functions of schemas, each compiled when it is first asked for: all of them take a tenth of a second. */
export function compileOnUse(schemas: Readonly<Record<string, Schema>>, violations: Thoroughness): (name: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (name) => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`There is no schema of ${name}.`);
    const validate = (ajv ??= createAjv('functions', violations)).compile(schema);
    compiled.set(name, validate);
    return validate;
  };
}

/** The name under which a compiled module exports a schema's function. */
export function exportedName(schema: string): string {
  return schema.replaceAll('-', '_');
}

/** The same as the text of an ES module that exports one function per schema, for the build. */
export function compileToModule(schemas: Readonly<Record<string, Schema>>, violations: Thoroughness): string {
  const ajv = createAjv('source', violations);
  const exported: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema(schema, name);
    exported[exportedName(name)] = name;
  }
  return importInsteadOfRequire(standaloneCode.default(ajv, exported));
}

/** ajv's module text still calls `require` for its few run-time helpers; an ES module has none. */
function importInsteadOfRequire(source: string): string {
  const imports: string[] = [];
  const body = source.replace(/const (\w+) = require\("([^"]+)"\)(.*?);/g, (_, name: string, from: string, rest: string) => {
    const path = /^ajv(-formats)?\/.*(?<!\.js)$/.test(from) ? `${from}.js` : from;
    imports.push(`import ${name}Module from "${path}";`);
    return `const ${name} = ${name}Module${rest};`;
  });
  return `${imports.join('\n')}\n${body}`;
}
