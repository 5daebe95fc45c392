import { isObject } from '../../base/is-object.ts';
import { shapeFault } from '../shape-fault.ts';

/** Unknown fields with values of every kind. `constructor` is a trap for careless merging. */
const additions = {
  addedLater: 'a field of a later version',
  addedLaterCount: 7,
  addedLaterList: [{ id: 'one', nested: { deep: true } }],
  addedLaterNothing: null,
  constructor: 'not a function',
};

export const extraFields = shapeFault({
  name: 'extra-fields',
  summary:
    'Every object in the result has fields that are not in the contract, as if the service had been upgraded.',
  parameters: {},
  reshape: () => (part, schema) =>
    isObject(part) && schema['additionalProperties'] !== false ? { ...part, ...additions } : part,
});
