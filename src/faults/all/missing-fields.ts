import { isObject } from '../../base/is-object.ts';
import { shapeFault } from '../shape-fault.ts';

export const missingFields = shapeFault({
  name: 'missing-fields',
  summary: 'Every field of the result that the contract does not require is missing.',
  parameters: {},
  reshape:
    () =>
    (part, { properties, required = [] }) =>
      isObject(part) && properties !== undefined
        ? Object.fromEntries(
            Object.entries(part).filter(
              ([name]) => required.includes(name) || !Object.hasOwn(properties, name),
            ),
          )
        : part,
});
