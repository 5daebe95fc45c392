import { elementFault } from '../element-fault.ts';

export const missingOutput = elementFault({
  name: 'missing-output',
  summary: 'Elements of the response are empty objects (`{}`) without an `output`.',
  parameters: {},
  failure: () => ({ kind: 'missing-output', message: 'The output is missing.' }),
  edit: (members, hit) => members.map((member, number) => (hit.has(number) ? {} : member)),
});
