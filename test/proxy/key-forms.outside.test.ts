import { describe, expect, it } from 'vitest';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';

const key = 'wq7XbT2mZp94KdRvLs8Y';
const characters = Array.from(key);
const codes = Array.from(Buffer.from(key));
const fullWidth = codes.map((code) => String.fromCharCode(code + 0xfee0)).join('');
const spread = JSON.stringify(Object.assign({}, characters));
const hexadecimal = (code: number): string => code.toString(16).padStart(4, '0');

/** What a service may send instead of the key. */
const forms = {
  'a spread string': spread,
  'a spread string in a string': JSON.stringify({ error: `not ${spread}` }),
  entries: JSON.stringify(Object.entries(characters)),
  'entries with numbers': JSON.stringify(characters.map((one, index) => [index, one])),
  'percent-encoded full-width letters': encodeURIComponent(fullWidth),
  'full-width letters encoded twice': encodeURIComponent(encodeURIComponent(fullWidth)),
  'full-width letters as Latin-1': Buffer.from(fullWidth).toString('latin1'),
  'a list of UTF-16 bytes': JSON.stringify([...Buffer.from(key, 'utf16le')]),
  'UTF-16 in hexadecimal': Buffer.from(key, 'utf16le').toString('hex'),
  'groups between tags': key.replaceAll(/(.{4})/g, '$1<br>'),
  'letters in tags': characters.map((one) => `<span class="c">${one}</span>`).join(''),
  'letters in escaped tags': characters.map((one) => `&lt;b&gt;${one}&lt;/b&gt;`).join(''),
  'a spread string in HTML': spread.replaceAll('"', '&quot;'),
  'numbers in tags': codes.map((code) => `<i>${code}</i>`).join(''),
  'numbers with fractions': `[${codes.map((code) => `${code}.0`).join(', ')}]`,
  'numbers of four digits': codes.map((code) => String(code).padStart(4, '0')).join(' '),
  'code points': codes.map((code) => `U+${hexadecimal(code)}`).join(' '),
  'numbers of UTF-16': codes.map((code) => `0x${hexadecimal(code)}`).join(','),
};

describe('a part of a key', () => {
  it.each(Object.entries(forms))('is masked as %s', (_, form) => {
    const masked = maskFor([key])(form).replaceAll('[key]', '');
    const lettersOrNumbers = /[\da-z\u0080-\u00ff\uff10-\uff5a]+/gi;
    const left = [...masked.replaceAll(/<[^<>]*>|&\w+;(?:\/?b&gt;)?/g, ' ').matchAll(lettersOrNumbers)];
    // What is left are indexes and words around the key.
    expect(left.map(([part]) => part).join(' ')).toMatch(/^(?:(?:error|not|1?\d)(?: |$))*$/);
  });

  it('leaves tags and JSON around it as they are', () => {
    const mask = maskFor([key]);
    expect(mask(key.slice(0, 8).replaceAll(/(.{4})/g, '<b>$1</b>'))).toBe('<b>[key]</b><b>[key]</b>');
    expect(mask('wq7X<br>bT2m<br>')).toBe('[key]<br>[key]<br>');
    expect(JSON.parse(mask(spread))).toEqual(
      Object.assign(
        {},
        characters.map(() => '[key]'),
      ),
    );
  });

  it.each([
    ['{"totalPresetCount":112345}', '{"totalPresetCount":0}'],
    ['{"size":16.12345,"power":-1e+12345,"name":"n12345"}', '{"size":0,"power":0,"name":"n[key]"}'],
    ['[1,2,3,4,5]', '[0,0,0,0,0]'],
    ['[{"text":"a \\" 12345"},12345678]', '[{"text":"a \\" [key]"},0]'],
    ['[error] 12345 is unknown', '[error] 0 is unknown'],
    ['12345 is unknown', '[key] is unknown'],
  ])('becomes a number in JSON outside strings: %s', (text, masked) => {
    expect(maskFor(['school-0123456789-test'])(text)).toBe(masked);
  });

  it('is searched in linear time between unfinished tags, indexes and fractions', () => {
    const mask = maskFor([key]);
    for (const part of ['<b', '"1', '["1"  ', '1.0', '0', 'ï½', '"0":"w",'])
      expect(cpuOf(() => mask(part.repeat(400_000 / part.length)))).toBeLessThan(5000);
  });
});

/** Returns how many milliseconds of CPU something takes. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
