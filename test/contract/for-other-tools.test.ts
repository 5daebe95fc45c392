import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { readDocument, type DocumentName } from '../../src/contract/document.ts';

const documents: readonly DocumentName[] = ['learning-platform', 'control'];

type Json = Readonly<Record<string, unknown>>;

/** Every object in a document with its pointer, references not followed. */
function* objectsIn(value: unknown, pointer = ''): Generator<readonly [pointer: string, object: Json]> {
  if (isObject(value)) yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    yield* objectsIn(part, `${pointer}/${name.replaceAll('/', '~1')}`);
}

/** The value, or what it refers to. */
function followed(document: unknown, value: unknown): Json {
  if (!isObject(value)) return {};
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((found, step) => (isObject(found) ? found[step] : undefined), document);
  return followed(document, target);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names of the fields of a schema, also in the schemas that it combines. */
function fieldsOf(document: unknown, schema: unknown): readonly string[] {
  const { properties, allOf, anyOf, oneOf } = followed(document, schema);
  const parts = [...listOf(allOf), ...listOf(anyOf), ...listOf(oneOf)];
  return [
    ...Object.keys(isObject(properties) ? properties : {}),
    ...parts.flatMap((part) => fieldsOf(document, part)),
  ];
}

/** The operations of a document by their ids, with the parameters of their paths. */
function operationsOf(
  document: unknown,
): readonly (readonly [id: string, operation: Json, parameters: readonly unknown[]])[] {
  const { paths } = followed(document, document);
  return Object.values(isObject(paths) ? paths : {}).flatMap((path) =>
    Object.values(isObject(path) ? path : {}).flatMap((operation) =>
      isObject(operation) && typeof operation['operationId'] === 'string'
        ? [
            [
              operation['operationId'],
              operation,
              [...listOf(followed(document, path)['parameters']), ...listOf(operation['parameters'])],
            ] as const,
          ]
        : [],
    ),
  );
}

describe.each(documents)('%s.yaml', (name) => {
  const document: unknown = readDocument(name);
  const operations = operationsOf(document);

  it('has a description of every operation', () => {
    expect(operations.length).toBeGreaterThan(10);
    const silent = operations.filter(([, { description }]) => typeof description !== 'string');
    expect(silent.map(([id]) => id)).toEqual([]);
  });

  it('has no name that is both a parameter of an operation and a field of its body', () => {
    const twice = operations.flatMap(([id, { requestBody }, parameters]) => {
      const { content } = followed(document, requestBody);
      const fields = Object.values(isObject(content) ? content : {}).flatMap((one) =>
        fieldsOf(document, isObject(one) ? one['schema'] : undefined),
      );
      const names = parameters.map((parameter) => followed(document, parameter)['name']);
      return names
        .filter((one) => fields.some((field) => field === one))
        .map((one) => `${id}: ${String(one)}`);
    });
    expect(twice).toEqual([]);
  });

  it('has nothing beside $ref, because many tools drop it', () => {
    const beside = [...objectsIn(document)].filter(
      ([, object]) => typeof object['$ref'] === 'string' && Object.keys(object).length > 1,
    );
    expect(beside.map(([pointer]) => pointer)).toEqual([]);
  });

  it('has an object with the name of its element wherever the body is XML', () => {
    const bodies = [...objectsIn(document)].filter(([pointer]) => pointer.endsWith('/application~1xml'));
    expect(bodies.length).toBe(name === 'control' ? 2 : 0);
    for (const [, { schema }] of bodies)
      expect(followed(document, schema)).toMatchObject({ type: 'object', xml: { name: 'testsuites' } });
  });

  it('has no example that needs calls before it, because a tool calls once', () => {
    expect(JSON.stringify(document)).not.toContain('x-after-calls');
  });
});
