import { text } from '../parameter.ts';
import { shapeFault } from '../shape-fault.ts';

export const unknownEnumValues = shapeFault({
  name: 'unknown-enum-values',
  summary: 'States and types have a value that nobody has heard of, also where the contract lists all there are.',
  parameters: { value: text('the value', 'AddedLater') },
  reshape:
    ({ value }) =>
    (part, schema) =>
      typeof part === 'string' && (schema['enum'] !== undefined || schema['x-known-values'] !== undefined) ? value : part,
});
