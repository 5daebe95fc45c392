import { wholeNumber } from '../parameter.ts';
import { prose, shapeFault } from '../shape-fault.ts';

const word = 'Donaudampfschifffahrt';

export const longStrings = shapeFault({
  name: 'long-strings',
  summary: 'Every text that people read is very long, most of it in one word; up to some 8 million characters in a reply.',
  parameters: { length: wholeNumber('characters of each text', { from: 1, to: 1_000_000, standard: 10_000 }) },
  reshape: ({ length }, room) =>
    prose((value, longest) => {
      const wanted = Math.min(length, longest);
      if (wanted > room.left) return value;
      return `${value} ${word.repeat(Math.ceil(wanted / word.length))}`.slice(0, wanted);
    }),
});
