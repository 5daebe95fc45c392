import { expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { inBodies } from '../compare/changes.ts';
import { secondSandbox, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** Adds a field to every result. */
const beyond: Change = inBodies((body) =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      name === 'output' && isObject(value) && isObject(value['data'])
        ? { ...value, data: { ...value['data'], extra: null } }
        : value,
    ),
  ),
);

it.each([
  ['all probes', () => null],
  ['--quick', ({ waits }: { readonly waits?: number }) => (waits === undefined ? null : 'left out')],
])('calibrate shows what each operation sends beyond the contract, with %s', async (_, leftOut) => {
  const done = await second.calibrated({}, { change: beyond, leftOut });
  const shown = done.beyond.filter(({ place }) => /\bextra$/.test(place)).map(({ operation }) => operation);
  expect(shown.toSorted()).toEqual(operationNames.toSorted());
});
