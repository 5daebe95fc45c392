import { _, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { formats } from './formats.ts';
import {
  collectionSchemas,
  operationOf,
  parametersSchema,
  resultSchema,
  type OpenApiDocument,
  type Schema,
} from './openapi.ts';
import { schemaUnder, writtenVariant, type Variant } from './variants.ts';

/** The project's extensions in the documents. ajv's strict mode rejects unknown keywords. */
const extensions = [
  'x-known-values',
  'x-prose',
  'x-stated-type',
  'x-stated-required',
  'x-fields-of',
  'x-references',
  'x-collection',
  'x-generated',
];

/** Whether a check finds every violation or stops at the first. */
export type Thoroughness = 'every' | 'first';

/**
 * Creates an ajv that is strict about schemas, coerces nothing, and reports each violation with its schema.
 */
export function createAjv(
  code: 'functions' | 'source' = 'functions',
  violations: Thoroughness = 'every',
): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: violations === 'every',
    coerceTypes: false,
    verbose: true,
    formats,
    // Takes 60 ms of the first call. The schemas are those of the build, which validates them.
    validateSchema: code === 'source',
    meta: code === 'source',
    ...(code === 'source' ? { code: { source: true, esm: true, lines: true, formats: formatsModule } } : {}),
  });
  for (const keyword of extensions) ajv.addKeyword(keyword);
  return ajv;
}

/** Where the compiled modules find the formats. */
const formatsModule = _`require("../formats.ts").formats`;

/** Returns the schema of each operation's parameters, for one variant of the contract. */
export function parameterSchemas(
  document: OpenApiDocument,
  variant: Variant,
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(document.paths).map(([path, { post }]) => [
      operationOf(path),
      schemaUnder(variant, document, parametersSchema(document, post)),
    ]),
  );
}

/** Returns the schema of the records of each collection. */
export function recordSchemas(state: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    collectionSchemas(state).map(({ collection, schema }) => [
      collection,
      schemaUnder(writtenVariant, state, schema),
    ]),
  );
}

/** Returns the schemas of a document's request bodies, and those that `others` names, by name. */
export function bodySchemas(
  document: OpenApiDocument,
  others: readonly string[],
): Readonly<Record<string, Schema>> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const refs = operations.map(({ requestBody }) =>
    requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1),
  );
  const names = new Set([...others, ...refs.flatMap((name) => name ?? [])]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      schemaUnder(writtenVariant, document, { $ref: `#/components/schemas/${name}` }),
    ]),
  );
}

/** Returns the schema of each operation's result, the `data` of a successful output. */
export function resultSchemas(document: OpenApiDocument): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(document.paths).map(([path, { post }]) => [
      operationOf(path),
      schemaUnder(writtenVariant, document, resultSchema(document, post)),
    ]),
  );
}

/**
 * Returns the validator of a schema by name, compiled on first use: to compile all takes a tenth of a second.
 */
export function compileOnUse(
  schemas: Readonly<Record<string, Schema>>,
  violations: Thoroughness,
): (name: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  return (name) => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`There is no schema for ${name}.`);
    const validate = (ajv ??= createAjv('functions', violations)).compile(schema);
    compiled.set(name, validate);
    return validate;
  };
}

/** Returns the name under which a compiled module exports the validator of a schema. */
export function exportedName(schema: string): string {
  return schema.replaceAll('-', '_');
}

/** Returns the source of an ES module that exports one validator per schema, for the build. */
export function compileToModule(schemas: Readonly<Record<string, Schema>>, violations: Thoroughness): string {
  const ajv = createAjv('source', violations);
  const exported: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema(schema, name);
    exported[exportedName(name)] = name;
  }
  return importInsteadOfRequire(standaloneCode.default(ajv, exported));
}

/** Replaces the calls of `require` in ajv's source, which an ES module does not have. */
function importInsteadOfRequire(source: string): string {
  const imports: string[] = [];
  const body = source.replace(
    /const (\w+) = require\("([^"]+)"\)(.*?);/g,
    (_, name: string, from: string, rest: string) => {
      const path = /^ajv(-formats)?\/.*(?<!\.js)$/.test(from) ? `${from}.js` : from;
      imports.push(`import ${path.startsWith('.') ? '* as ' : ''}${name}Module from "${path}";`);
      return `const ${name} = ${name}Module${rest};`;
    },
  );
  return `${imports.join('\n')}\n${body}`;
}
