import { elementFault } from '../element-fault.ts';

export const notFound = elementFault({
  name: 'not-found',
  summary: 'Elements fail as if their records did not exist (see the assumption `unknownId`).',
  parameters: {},
  failure: () => ({ kind: 'not-found', message: 'The school has no record with this identifier.' }),
});
