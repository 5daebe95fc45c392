import { prose, shapeFault } from '../shape-fault.ts';

/**
 * Non-Latin and right-to-left scripts, combining characters, characters beyond 16 bits, a zero-width space,
 * and characters to escape.
 */
const scripts =
  'Ωμέγα Жук עברית اَلْعَرَبِيَّةُ हिन्दी 漢字かな 한글 ไทย e\u0301 👩‍🏫🇰🇪 𝔘𝔫𝔦 \u200b"\\ <b>&amp;</b> \u2028 ';

export const unicodeStrings = shapeFault({
  name: 'unicode-strings',
  summary:
    'Every human-readable text (`x-prose`) starts with non-Latin and right-to-left scripts, combining characters, emoji and markup.',
  parameters: {},
  reshape: () => prose((value, maxLength) => `${scripts}${value}`.slice(0, maxLength)),
});
