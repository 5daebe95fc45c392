import { shapeFault } from '../shape-fault.ts';

export const emptyLists = shapeFault({
  name: 'empty-lists',
  summary: 'Every list in the result that may be empty is empty.',
  parameters: {},
  reshape: () => (part, schema) => (Array.isArray(part) && Number(schema['minItems'] ?? 0) === 0 ? [] : part),
});
