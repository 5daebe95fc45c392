import { shapeFault } from '../shape-fault.ts';

export const nullFields = shapeFault({
  name: 'null-fields',
  summary: 'Every field of the result that may be null is null.',
  parameters: {},
  reshape:
    () =>
    (part, { type }) =>
      Array.isArray(type) && type.includes('null') ? null : part,
});
