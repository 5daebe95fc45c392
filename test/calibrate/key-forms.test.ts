import { describe, expect, it } from 'vitest';
import { maskFor, slicedMaskFor } from '../../src/upstream/key-mask/key-mask.ts';

const keys = ['7KmzPq3RtYv8XwNc5BdHj2', 'reg_live_Jx7vQ2nBt9Lw4Ks'];
const letters = (key: string): readonly string[] => key.split('');
const reversed = (key: string): string => letters(key).toReversed().join('');
const escapes = (key: string, digits: number): string =>
  letters(key)
    .map((one) => `\\${one.charCodeAt(0).toString(16).padStart(digits, '0')}`)
    .join('');
const utf16 = (key: string): Buffer => Buffer.from(key, 'utf16le');

const octal = (prefix: string) => (one: string) => `${prefix}${one.charCodeAt(0).toString(8)}`;
const inForm = (first: number) => (one: string) =>
  /[a-z]/i.test(one) ? String.fromCodePoint(first + one.toLowerCase().charCodeAt(0) - 0x61) : one;

function superscript(one: string): string {
  const forms = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ\u{107a5}ʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹';
  const at = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(one.toLowerCase());
  return Array.from(forms)[at] ?? one;
}

/** Pads the text, and writes each two bytes as one number, the second one first. */
function hexdump(text: string): string {
  const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / 2) * 2)).swap16();
  return (bytes.toString('hex').match(/..../g) ?? []).join(' ');
}

/** RFC 4648, written without a look at the mask. */
function base32(key: string): string {
  let bits = '';
  for (const byte of Buffer.from(key)) bits += byte.toString(2).padStart(8, '0');
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  let text = '';
  for (let at = 0; at < bits.length; at += 5)
    text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.slice(at, at + 5), 2)] ?? '';
  return text;
}

/** Written without a look at the mask, like the next one. */
function base58(key: string): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = 0n;
  for (const byte of Buffer.from(key)) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = (alphabet[Number(number % 58n)] ?? '') + text;
  return text;
}

function ascii85(key: string): string {
  let text = '';
  for (let at = 0; at < key.length; at += 4) {
    const group = key.slice(at, at + 4);
    let number = 0;
    for (let place = 0; place < 4; place += 1) number = number * 256 + (group.charCodeAt(place) || 0);
    let digits = '';
    for (let place = 0; place < 5; place += 1, number = Math.floor(number / 85))
      digits = String.fromCharCode(33 + (number % 85)) + digits;
    text += digits.slice(0, group.length + 1);
  }
  return text;
}

/** Whether a part of a key is not secret. */
function isPrefix(part: string): boolean {
  return 'reg_live_'.includes(part);
}

describe('the mask finds a key', () => {
  it.each<[string, (key: string) => string]>([
    ['in Base32', base32],
    ['in base58', base58],
    ['in Ascii85', (key) => ascii85(key)],
    ['in Ascii85 between other bytes', (key) => ascii85(`to ${key}, no`).slice(7, -6)],
    [
      'as a list of bytes in Python',
      (key) =>
        `[${letters(key)
          .map((one) => `b'${one}'`)
          .join(', ')}]`,
    ],
    ['in Base32 after other bytes', (key) => base32(`key ${key}`).slice(7)],
    ['as base64 of UTF-16', (key) => utf16(key).toString('base64')],
    ['as base64 of UTF-16 in the other order', (key) => utf16(key).swap16().toString('base64')],
    ['in UTF-7', (key) => `+${utf16(key).swap16().toString('base64').replaceAll('=', '')}-`],
    ['as base64 backwards', (key) => Buffer.from(reversed(key)).toString('base64')],
    ['as hexadecimal backwards', (key) => Buffer.from(reversed(key)).toString('hex')],
    ['in CSS escapes of six digits', (key) => escapes(key, 6)],
    ['in CSS escapes of four digits', (key) => escapes(key, 4)],
    [
      'as a PHP array',
      (key) =>
        letters(key)
          .map((one, at) => `i:${at};s:1:"${one}";`)
          .join(''),
    ],
    [
      'as a list with indexes',
      (key) =>
        letters(key)
          .map((one, at) => `${at}=${one}`)
          .join(';'),
    ],
    [
      'as a dump of an array',
      (key) =>
        letters(key)
          .map((one, at) => `[${at}] => ${one}`)
          .join(' '),
    ],
    [
      'as a numbered list',
      (key) =>
        letters(key)
          .map((one, at) => `${at + 1}. ${one}`)
          .join('\n'),
    ],
    ['in the words of hexdump', hexdump],
    ['in such words that begin before it', (key) => hexdump(`:${key}`)],
    ['in parenthesized letters', (key) => letters(key).map(inForm(0x249c)).join('')],
    ['in negative circled letters', (key) => letters(key).map(inForm(0x1f150)).join('')],
    ['in superscripts', (key) => letters(key).map(superscript).join('')],
  ])('%s', (_, form) => {
    for (const key of keys) {
      const text = maskFor([key])(JSON.stringify({ error: form(key) }));
      // What remains are the ends of the key, its prefix, and the signs and indexes between its letters.
      const rest = text.replaceAll('[key]', '').replace('{"error":', '');
      expect(rest.replaceAll(/\bs:1|\bi:|\bb(?=')|[^A-Za-z]/g, '').length).toBeLessThan(10);
      expect(text).toContain('[key]');
    }
  });

  it.each<[string, (key: string) => string]>([
    ['spaces', (key) => letters(key).join(' ')],
    ['dashes', (key) => letters(key).join('-')],
    ['groups of four', (key) => (key.match(/.{1,4}/g) ?? []).join(' ')],
    ['spaces, backwards', (key) => letters(reversed(key)).join(' ')],
  ])('also its prefix, written with %s', (_, form) => {
    for (const key of [...keys, 'sbx_default_Kq83vTz'])
      expect(maskFor([key])(`Unknown: ${form(key)}!`)).toBe('Unknown: [key]!');
  });

  it('as calls that make characters of numbers, which become 0', () => {
    const calls = letters(keys[0] ?? '').map((one) => `chr(${one.charCodeAt(0)})`);
    expect(maskFor(keys)(calls.join('.'))).toBe(calls.map(() => 'chr(0)').join('.'));
  });

  it('in octal escapes and as octal numbers, which become 0', () => {
    for (const [prefix, separator] of [
      ['\\', ''],
      ['\\', ' '],
      ['0', ','],
      ['0o', ', '],
      ['', ' '],
    ] as const)
      for (const key of keys) {
        const masked = maskFor([key])(letters(key).map(octal(prefix)).join(separator));
        expect(masked.replaceAll(/(?:\\|0o?)?(?:\[key\]|[1-7]\d{0,2}(?=\D*$)|0)|[, ]/g, '')).toBe('');
      }
    const padded = letters(keys[0] ?? '').map((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
    expect(maskFor(keys)(padded.join(''))).not.toMatch(/[1-7]/);
  });

  it.each<[string, (one: string, at: number) => string]>([
    ['backslashes', (one) => `\\${one}`],
    ['two backslashes', (one) => `\\\\${one}`],
    ['backslashes in a URL', (one) => `%5C${one}`],
    ['octal numbers of four digits', (one) => `\\0${one.charCodeAt(0).toString(8).padStart(3, '0')}`],
    ['octal numbers in braces', (one) => `\\o{${one.charCodeAt(0).toString(8)}}`],
    ['colors written as \\e', (one) => `\\e[31m${one}\\e[0m`],
    ['colors written as \\033', (one) => `\\033[31m${one}\\033[0m`],
    ['colors written as \\x1b', (one) => `\\x1b[31m${one}\\x1b[0m`],
    ['colors written as \\u001b', (one) => `\\u001b[1;31m${one}\\u001b[0m`],
    ['colors written as ^[', (one) => `^[[31m${one}^[[0m`],
    ['colors without their escape', (one) => `[31m${one}[0m`],
    ['long colors', (one) => `\u001b[${'1;'.repeat(40)}31m${one}\u001b[0m`],
    ['other sequences of terminals', (one) => `\u001b[?25l${one}\u001b[0K`],
    ['indexes with a colon', (one, at) => `${at + 1}: ${one}\n`],
    ['indexes with a number sign', (one, at) => `#${at + 1} ${one}\n`],
    ['indexes with a dash', (one, at) => `${at + 1} - ${one}\n`],
    ['indexes and tabs', (one, at) => `${at}\t${one}\n`],
    ['indexes in parentheses', (one, at) => `(${at}) ${one}\n`],
    ['words and indexes', (one, at) => `char ${at}: '${one}', `],
  ])('between %s, also in JSON', (_, form) => {
    for (const key of [...keys, 'bfnrtv0-a123-bcd4-e5f6']) {
      const marked = (text: string) => letters(text).map(form).join('');
      for (const encode of [String, JSON.stringify, (text: string) => JSON.stringify(JSON.stringify(text))]) {
        const shown = maskFor([key])(encode(marked(key)));
        // Every letter is alone, so that a part is readable if all of its letters are.
        for (let at = 0; at + 5 <= key.length; at += 1) {
          const part = letters(key.slice(at, at + 5)).map((one, more) => encode(form(one, at + more)));
          const whole = part.map((one) => one.replaceAll(/^[\\"]*"|[\\"]*"$/g, '')).join('');
          if (!isPrefix(key.slice(at, at + 5))) expect(shown).not.toContain(whole);
        }
      }
    }
  });

  it('between ANSI colors', () => {
    for (const key of keys) {
      const colored = letters(key).map((one) => `\u001b[1;31m${one}\u001b[0m`);
      for (const text of [colored.join(''), JSON.stringify(colored.join(''))])
        expect(maskFor([key])(text).replaceAll(/(?:\p{Cc}|\\u001b)\[(?:1;31|0)m|"/gu, '')).toMatch(
          /^(?:[reg](?!\w)|_|live|\[key\])+$/,
        );
    }
  });

  it('but not a prefix without what is secret', () => {
    const text = 'The mode reg live is on: r e g l i v e.';
    expect(maskFor(keys)(text)).toBe(text);
  });

  it('but not five letters of it that a sentence has backwards', () => {
    const text = '"errorMessage": "quizId is required, but missing."';
    expect(maskFor(['riverside-7f3a91c2d4b8'])(text)).toBe(text);
    expect(maskFor(['riverside-7f3a91c2d4b8'])('8-b-4-d-2-c-1-9')).toBe('[key]');
  });

  it('but leaves lists, colors and backslashes that have none', () => {
    const text = String.raw`1: a, 2: b, 7 K; 3 m of C:\new\zPq; \e[31mRed\e[0m \0163 #7 Km, 10 - z`;
    expect(maskFor(keys)(text)).toBe(text);
  });

  it('in time that is proportional to the length of a text', { tags: ['slow'] }, () => {
    const mask = slicedMaskFor(keys);
    for (const part of [
      '\\',
      '1',
      '1: ',
      '#1 ',
      '[1',
      '\u001b[1;',
      '%5c',
      '\\0163',
      '"type":"',
      'a-',
      '/data',
      '\\k',
    ]) {
      const work = mask(part.repeat(500_000 / part.length));
      let slowest = 0;
      for (let isDone = false; !isDone;) {
        const before = process.cpuUsage();
        isDone = work.next().done === true;
        slowest = Math.max(slowest, process.cpuUsage(before).user / 1000);
      }
      // Quadratic time would be minutes.
      expect([part, slowest < 1500]).toEqual([part, true]);
    }
  });

  it('and leaves texts without one as they are', () => {
    const text = String.raw`{"error":"The page 0=a;1=b has \u00e9 and C:\\0041bc, i:0;s:1:\"x\"; [0] => y"}`;
    expect(maskFor(keys)(text)).toBe(text);
  });
});
