/** The keywords of a JSON Schema that this project's code reads; ajv reads the others. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

type Content = Readonly<Record<string, MediaType>>;

export interface DocumentedOperation {
  readonly 'x-rate-limit'?: RateLimit;
  readonly summary: string;
  readonly 'x-writes': boolean;
  readonly 'x-safe-to-repeat'?: boolean;
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The parts of an OpenAPI document that this project's code reads. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Follows `$ref`s in the document to a schema. Throws if one does not resolve. */
export function resolve(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref)?.[1];
  const target = name === undefined ? undefined : document.components.schemas[name];
  if (target === undefined) throw new Error(`The contract refers to ${schema.$ref}, which does not exist.`);
  return resolve(document, target);
}

/** Returns the operation at a path: the last segment. */
export function operationOf(path: string): string {
  return path.slice('/public/'.length);
}

/** Returns the collections of the state document with their schemas. */
export function collectionSchemas(
  state: OpenApiDocument,
): readonly { collection: string; name: string; schema: Schema }[] {
  return Object.entries(state.components.schemas).flatMap(([name, schema]) => {
    const collection = schema['x-collection'];
    return typeof collection === 'string' ? [{ collection, name, schema }] : [];
  });
}

/**
 * Returns the schema of an operation's parameters: the inner `data` of an element (specification, Common
 * conventions 3).
 */
export function parametersSchema(document: OpenApiDocument, operation: DocumentedOperation): Schema {
  const body = resolve(document, operation.requestBody.content['application/json']?.schema ?? {});
  const element = resolve(document, resolve(document, body.properties?.['data'] ?? {}).items ?? {});
  return resolve(document, element.properties?.['data'] ?? {});
}

/**
 * Returns the schema of an operation's result: the `data` of a successful output (specification, Common
 * conventions 4).
 */
export function resultSchema(document: OpenApiDocument, operation: DocumentedOperation): Schema {
  const body = resolve(document, operation.responses['200']?.content?.['application/json']?.schema ?? {});
  const output = resolve(document, resolve(document, body.items ?? {}).properties?.['output'] ?? {});
  const ok = output.oneOf?.find(({ properties }) => properties?.['data'] !== undefined);
  return resolve(document, ok?.properties?.['data'] ?? {});
}

/** Returns the first request example of each operation, which succeeds. Throws if an operation has none. */
export function firstRequests(document: OpenApiDocument): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(document.paths).map(([path, { post }]) => {
      const [first] = Object.values(post.requestBody.content['application/json']?.examples ?? {});
      if (first === undefined) throw new Error(`The contract has no request example for ${path}.`);
      return [operationOf(path), first.value];
    }),
  );
}
