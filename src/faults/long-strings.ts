import { wholeNumber } from './parameter.ts';
import { prose, shapeFault } from './shape-fault.ts';

export const longStrings = shapeFault({
  name: 'long-strings',
  summary: 'Every text that people read is very long, most of it in one word.',
  parameters: { length: wholeNumber('characters of each text', { from: 1, to: 1_000_000, standard: 10_000 }) },
  reshape: ({ length }) =>
    prose((value, longest) => `${value} ${'Donaudampfschifffahrt'.repeat(Math.ceil(length / 21))}`.slice(0, Math.min(length, longest))),
});
