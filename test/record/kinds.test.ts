import { describe, expect, it } from 'vitest';
import { parameterSchemas } from '../../src/contract/generated/parameter-schemas.js';
import { resultSchemas } from '../../src/contract/generated/result-schemas.js';
import type { Schema } from '../../src/contract/openapi.ts';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { fieldKinds, kinds, type Kinds } from '../../src/upstream/seed-recorder/kinds.ts';
import { recordingWith } from './passing.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

interface Leaf {
  readonly operation: OperationName;
  readonly side: 'parameters' | 'result';
  readonly path: string;
  readonly schema: Schema;
  readonly kind: Kinds | undefined;
  /** A value of the whole, with this leaf in it. */
  readonly around: (value: unknown) => unknown;
}

/** Every field of the contract that holds no other fields, with its kind. */
function leavesOf(
  schema: Schema,
  kind: Kinds | undefined,
  leaf: Omit<Leaf, 'schema' | 'kind'>,
): readonly Leaf[] {
  const { items, properties } = schema;
  if (items !== undefined) {
    const inner = Array.isArray(kind) ? (kind[0] as Kinds) : undefined;
    return leavesOf(items, inner, {
      ...leaf,
      path: `${leaf.path}[]`,
      around: (value) => leaf.around([value]),
    });
  }
  if (properties === undefined) return [{ ...leaf, schema, kind }];
  return Object.entries(properties).flatMap(([name, part]) => {
    const inner =
      typeof kind === 'object' && Object.hasOwn(kind, name)
        ? (kind as Readonly<Record<string, Kinds>>)[name]
        : undefined;
    return leavesOf(part, inner, {
      ...leaf,
      path: `${leaf.path}.${name}`,
      around: (value) => leaf.around({ [name]: value }),
    });
  });
}

const leaves = operationNames.flatMap((operation) => [
  ...leavesOf(parameterSchemas[operation], fieldKinds[operation].parameters, {
    operation,
    side: 'parameters',
    path: `${operation} parameters`,
    around: (value) => value,
  }),
  ...leavesOf(resultSchemas[operation], fieldKinds[operation].result, {
    operation,
    side: 'result',
    path: `${operation} result`,
    around: (value) => value,
  }),
]);

function isText({ schema: { type } }: Leaf): boolean {
  return type === undefined || [type].flat().includes('string');
}

describe('the kinds of fields', () => {
  it('are known for every field of the contract', () => {
    expect(leaves.length).toBeGreaterThan(70);
    expect(
      leaves
        .filter(({ kind }) => typeof kind !== 'string' || !kinds.some((one) => one === kind))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('are those of texts for every field that can hold text', () => {
    const numeric = new Set<unknown>(['number', 'integer', 'boolean']);
    expect(leaves.filter((leaf) => isText(leaf) && numeric.has(leaf.kind)).map(({ path }) => path)).toEqual(
      [],
    );
    expect(leaves.filter((leaf) => !isText(leaf) && !numeric.has(leaf.kind)).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it.each(leaves.filter(isText))('let nothing of a text through: $path', ({ operation, side, around }) => {
    for (const text of [
      'Zephyrine Quackenbush',
      'zephyrine.quackenbush@school.org',
      'https://zephyrine.org/quackenbush?of=zephyrine',
      'zephyrine7-quackenbush',
      '<p title="zephyrine">Quackenbush</p>',
      '{"zephyrine":"Quackenbush"}',
      '/Zephyrine/Quackenbush',
    ]) {
      const masked = JSON.stringify(withoutPause(recordingWith().mask(operation, side, around(text))));
      expect([text, masked.toLowerCase()]).not.toEqual([
        text,
        expect.stringMatching(/zephyrine|quackenbush/),
      ]);
    }
  });

  it(
    'let no object through where a text belongs, nor a text where a number belongs',
    { tags: ['slow'] },
    () => {
      for (const { operation, side, around, kind } of leaves) {
        const recording = recordingWith();
        const wrong =
          kind === 'number' || kind === 'integer' || kind === 'boolean'
            ? 'Zephyrine'
            : { zephyrine: ['Quackenbush'] };
        expect(
          JSON.stringify(withoutPause(recording.mask(operation, side, around(wrong)))).toLowerCase(),
        ).not.toMatch(/zephyrine|quackenbush/);
      }
    },
  );
});
