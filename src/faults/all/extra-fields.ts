import { isObject } from '../../base/is-object.ts';
import { shapeFault } from '../shape-fault.ts';

/** Names that no version of the contract knows, with values of every kind; one looks like a trap for careless merging. */
const additions = {
  addedLater: 'a field of a later version',
  addedLaterCount: 7,
  addedLaterList: [{ id: 'one', nested: { deep: true } }],
  addedLaterNothing: null,
  constructor: 'not a function',
};

export const extraFields = shapeFault({
  name: 'extra-fields',
  summary: 'Every object in the result has fields that the contract does not know, as after an upgrade of the service.',
  parameters: {},
  reshape: () => (part, schema) => (isObject(part) && schema['additionalProperties'] !== false ? { ...part, ...additions } : part),
});
