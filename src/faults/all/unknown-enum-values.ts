import { text } from '../parameter.ts';
import { shapeFault } from '../shape-fault.ts';

export const unknownEnumValues = shapeFault({
  name: 'unknown-enum-values',
  summary: 'Status and type fields have an unknown value, even if the contract lists all values.',
  parameters: { value: text('the value', 'AddedLater') },
  reshape:
    ({ value }) =>
    (part, schema) =>
      typeof part === 'string' && (schema['enum'] !== undefined || schema['x-known-values'] !== undefined)
        ? value
        : part,
});
