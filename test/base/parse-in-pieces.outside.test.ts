import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseInPieces } from '../../src/base/parse-in-pieces.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

/** The result of a parser, or that it refuses a text. */
function resultOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'not JSON';
  }
}

function expectSame(text: string, maxChars: number): void {
  const expected = resultOf(() => JSON.parse(text));
  const found = resultOf(() => withoutPause(parseInPieces(text, maxChars)));
  expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  // Prototypes, too: a field can have the name of one.
  expect(isDeepStrictEqual(found, expected)).toBe(true);
}

const name = fc.constantFrom('a', 'b', '__proto__', 'a\n\n\n\u0001b', '1', 'constructor', '"\\', '');
const value = fc.letrec<{ readonly value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom('"a\\"\\\\b\\u0022\\\\"', '"no escape, but long"'),
    fc.constantFrom('1', '-1.5e3', 'true', 'null', '""', '"\\\\"', '"\\"],[{"', '"日"'),
    fc.array(tie('value'), { maxLength: 5 }).map((all) => `[ ${all.join(',')}]`),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 5 })
      .map((all) => `{${all.map(([own, of]) => `${JSON.stringify(own)} :${of}`).join(' , ')}}`),
  ),
})).value;
const token = fc.constantFrom(
  '',
  '\\u',
  '"\\n"',
  ',',
  '[',
  ']',
  '{',
  '}',
  '"',
  ':',
  '\\',
  '1',
  ' ',
  ',,',
  '\u{a0}',
);
const maxChars = fc.integer({ min: 1, max: 12 });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('JSON that is parsed in pieces', () => {
  it('has the value that it has as a whole, wherever the pieces end', () => {
    fc.assert(fc.property(value, maxChars, expectSame), { numRuns: 200 });
  });

  it('is refused if it is invalid as a whole, wherever the pieces end', () => {
    const broken = fc.tuple(value, fc.nat(), token, fc.nat(1)).map(([text, at, put, left]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + left);
    });
    fc.assert(fc.property(broken, maxChars, expectSame), { numRuns: 500 });
  });

  it.each([
    '[1,]',
    '[,1]',
    '[[1],]',
    '[[1] 2]',
    '[[1]2,3]',
    '{"a":[]1}',
    '{"a":1[]}',
    '[{]}',
    '[][]',
    '1,2',
    ']',
    '',
    '[',
    '["',
  ])('is refused if it is %s', (text) => {
    for (const length of [1, 2, 3, 100]) expectSame(text, length);
  });

  it.each(['\\"', '\\\\', '\\u0022', '\\n and more'])(
    'is read in pieces also within a long string of %s, without a search for each character',
    (part) => {
      const searches = vi.spyOn(String.prototype, 'indexOf');
      const work = parseInPieces(`{"data":["${part.repeat(200_000)}",{}]}`, 1000);
      let pieces = 1;
      while (work.next().done !== true) pieces += 1;
      expect(pieces).toBeGreaterThanOrEqual(400);
      expect(searches.mock.calls.length).toBeLessThan(pieces * 3);
    },
  );

  it.each([
    ['name', (long: string) => `{"data":{${long}:1,"${'b'.repeat(10)}":[]}}`],
    ['name of an object', (long: string) => `{"data":{${long} : {"b":[1]}, "c":{}}}`],
    ['value', (long: string) => `{"data":{"a":${long},"b":2}}`],
    ['name with a value', (long: string) => `{"data":{${long}:${long}}}`],
    ['member of a list', (long: string) => `{"data":[${long},${long}]}`],
    ['text of its own', (long: string) => ` ${long} `],
  ])('is decoded a few ten thousand characters at once, within a long %s with escapes', (_, wrap) => {
    for (const part of ['\\"', '\\\\', '\\u0022', '\\ud800', '日\\n'])
      for (const shift of ['', 'a', 'aa', 'aaa']) {
        const text = wrap(`"${shift}${part.repeat(60_000)}"`);
        const expected: unknown = JSON.parse(text);
        const parse = vi.spyOn(JSON, 'parse');
        const found = withoutPause(parseInPieces(text));
        const longest = Math.max(...parse.mock.calls.map(([parsed]) => parsed.length));
        parse.mockRestore();
        expect(isDeepStrictEqual(found, expected)).toBe(true);
        expect(longest).toBeLessThan(70_000);
      }
  });

  it.each([
    '{"\\n":"\\n" "\\n"}',
    '{"\\n""\\n"}',
    '["\\n" "\\n"]',
    '"\\n" "\\n"',
    '{"\\n":}',
    '{"\\n",1}',
    '{"\\n"}',
    '{"\\n"\u{a0}:[]}',
    '{"\\n":\u{a0}[]}',
    '{"\\n"\u{feff}:"\\n"}',
    '{\u{a0}"\\n":[]}',
    '[\u{a0}"\\n"]',
  ])('is refused if it is %s, wherever the pieces end', (text) => {
    for (const length of [1, 2, 3, 100]) expectSame(text, length);
  });

  it('is parsed up to some thousand members at once, at any depth', () => {
    const fields = Array.from({ length: 9000 }, (_, number) => `"field ${number}":[{}]`).join(',');
    const text = `{"data":[{"data":{"a":[{${fields}},{"b":{${fields}}}]}}]}`;
    const parse = vi.spyOn(JSON, 'parse');
    withoutPause(parseInPieces(text));
    const longest = Math.max(...parse.mock.calls.map(([part]) => part.length));
    expect(text.length).toBeGreaterThan(300_000);
    expect(longest).toBeLessThan(70_000);
  });
});
