import { elementFault } from '../element-fault.ts';

export const errorWithoutMessage = elementFault({
  name: 'error-without-message',
  summary:
    'Elements fail with `status: "error"` but without the `errorMessage` that the specification requires.',
  parameters: {},
  failure: () => ({ kind: 'injected', message: 'The message is missing.' }),
  edit: (members, hit) =>
    members.map((member, number) => (hit.has(number) ? { output: { status: 'error' } } : member)),
});
