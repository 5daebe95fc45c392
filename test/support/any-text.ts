import * as fc from 'fast-check';

/** Surrogates are no characters; they lie in the middle of the code points. */
const [firstSurrogate, surrogates] = [0xd800, 0x800];

const character = fc.nat(0x10ffff - surrogates).map(
  (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('It is no character.');
    return code < firstSurrogate ? code : code - surrogates;
  },
);

/**
 * A text of any characters: `fc.string({ unit: 'binary' })` without the table of all characters, which takes
 * each thread a second.
 */
export function anyText(
  length: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: character });
}
