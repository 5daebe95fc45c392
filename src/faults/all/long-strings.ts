import { wholeNumber } from '../parameter.ts';
import { prose, shapeFault } from '../shape-fault.ts';

const word = 'Donaudampfschifffahrt';

export const longStrings = shapeFault({
  name: 'long-strings',
  summary:
    'Every human-readable text (`x-prose`) is very long and mostly one word. All texts of a response together have at most about 8 million characters.',
  parameters: {
    length: wholeNumber('the length of each text in characters', {
      from: 1,
      to: 1_000_000,
      standard: 10_000,
    }),
  },
  reshape: ({ length }, room) =>
    prose((value, maxLength) => {
      const newLength = Math.min(length, maxLength);
      if (newLength > room.left) return value;
      return `${value} ${word.repeat(Math.ceil(newLength / word.length))}`.slice(0, newLength);
    }),
});
