import { elementFault } from '../element-fault.ts';

export const missingOutput = elementFault({
  name: 'missing-output',
  summary: 'Members of the reply are there, but hollow: `{}` without an `output`.',
  parameters: {},
  failure: () => ({ kind: 'missing-output', message: 'The output is missing.' }),
  edit: (members, hit) => members.map((member, number) => (hit.has(number) ? {} : member)),
});
