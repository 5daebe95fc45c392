import { prose, shapeFault } from '../shape-fault.ts';

/** Scripts beyond Latin, right to left, letters in two pieces, characters beyond 16 bits, one that takes no room, and what must be escaped. */
const scripts = 'Ωμέγα Жук עברית اَلْعَرَبِيَّةُ हिन्दी 漢字かな 한글 ไทย e\u0301 👩‍🏫🇰🇪 𝔘𝔫𝔦 \u200b"\\ <b>&amp;</b> \u2028 ';

export const unicodeStrings = shapeFault({
  name: 'unicode-strings',
  summary: 'Every text that people read is in scripts other than Latin, with all that goes wrong on the way to a screen.',
  parameters: {},
  reshape: () => prose((value, longest) => `${scripts}${value}`.slice(0, longest)),
});
