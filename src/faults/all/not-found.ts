import { elementFault } from '../element-fault.ts';

export const notFound = elementFault({
  name: 'not-found',
  summary: 'Elements are answered as if what they name did not exist (the assumption `unknownId`).',
  parameters: {},
  failure: () => ({ kind: 'not-found', message: 'The school has no record with this identifier.' }),
});
