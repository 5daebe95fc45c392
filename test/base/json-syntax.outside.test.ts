import { describe, expect, it } from 'vitest';
import { jsonErrorIn } from '../../src/base/json-syntax.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { isJson } from '../support/is-json.ts';

function errorIn(text: string): string | null {
  return withoutPause(jsonErrorIn(text));
}

/** Numbers from 0 to 1, always the same. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('a text that is not JSON', () => {
  it.each([
    ['', 'is not JSON: it has no value.'],
    [
      '{"data":[{"data":{"quizId":"x"}}',
      'is not JSON: it ends inside the array that starts at line 1, column 9.',
    ],
    ['{"quizId":"x', 'is not JSON: it ends inside the string that starts at line 1, column 11.'],
    [
      '{\n  "quizId": "x",\n}',
      'is not JSON at line 3, column 1: a comma comes before this "}". Remove the comma.',
    ],
    ['[1,]', 'is not JSON at line 1, column 4: a comma comes before this "]". Remove the comma.'],
    [
      "{'quizId':1}",
      'is not JSON at line 1, column 2: strings and field names need double quotes, not single quotes.',
    ],
    [
      "['x']",
      'is not JSON at line 1, column 2: strings and field names need double quotes, not single quotes.',
    ],
    [
      '{quizId:1}',
      'is not JSON at line 1, column 2: expected the name of a field in double quotes, but found "quizId".',
    ],
    [
      '{"a":undefined}',
      'is not JSON at line 1, column 6: "undefined" is not a JSON value. Strings need double quotes; other values are numbers, true, false and null.',
    ],
    ['{"a":01}', 'is not JSON at line 1, column 6: "01" is not a JSON number. Examples: 7, -0.5, 1e3.'],
    [
      '{"a" 1}',
      'is not JSON at line 1, column 6: expected a colon after the name of a field, but found "1".',
    ],
    ['[1 2]', 'is not JSON at line 1, column 4: expected a comma or "]", but found "2".'],
    [
      '{"a":1,\n // b\n "b":2}',
      'is not JSON at line 2, column 2: expected the name of a field in double quotes, but found "/". JSON has no comments.',
    ],
    [
      '{"a":"x\ny"}',
      String.raw`is not JSON at line 1, column 8: a string contains a line break or another control character. Write it as an escape, such as \n.`,
    ],
    [
      String.raw`{"a":"\x"}`,
      String.raw`is not JSON at line 1, column 7: "\x" is not a JSON escape. Write a backslash as \\.`,
    ],
    [
      String.raw`{"a":"C:\users\me"}`,
      String.raw`is not JSON at line 1, column 9: "\users" is not a JSON escape: \u needs four hexadecimal digits. Write a backslash as \\.`,
    ],
    [
      String.raw`{"a":"\u12"}`,
      String.raw`is not JSON at line 1, column 7: "\u12" is not a JSON escape: \u needs four hexadecimal digits. Write a backslash as \\.`,
    ],
    [
      String.raw`{"a":"\u"}`,
      String.raw`is not JSON at line 1, column 7: "\u" is not a JSON escape: \u needs four hexadecimal digits. Write a backslash as \\.`,
    ],
    [
      String.raw`{"a":"\u00\u0041"}`,
      String.raw`is not JSON at line 1, column 7: "\u00" is not a JSON escape: \u needs four hexadecimal digits. Write a backslash as \\.`,
    ],
    [
      String.raw`{"a":"\😀"}`,
      String.raw`is not JSON at line 1, column 7: "\😀" is not a JSON escape. Write a backslash as \\.`,
    ],
    [
      '{"a":"x\\\ny"}',
      String.raw`is not JSON at line 1, column 8: a backslash before a line break or another control character is not a JSON escape. Write a backslash as \\.`,
    ],
    ['{"a":"\\', 'is not JSON: it ends inside the string that starts at line 1, column 6.'],
    [String.raw`{"a":"\u00`, 'is not JSON: it ends inside the string that starts at line 1, column 6.'],
    ['{"a":1} x', 'is not JSON at line 1, column 9: "x" follows the end of the JSON. Remove it.'],
    ['<html>', 'is not JSON at line 1, column 1: expected a value, but found "<".'],
  ])('is refused with the place and the reason: %j', (text, message) => {
    expect(errorIn(text)).toBe(message);
  });

  it('is the same that JSON.parse refuses', () => {
    const random = numbers(7);
    const below = (end: number): number => Math.floor(random.next().value * end);
    const whole = String.raw`{"data":[{"data":{"q":"x\nÿ\u00e9",  "n":[1,-2.5e3,true,null,[],{}]}}]}`;
    const pieces = '{}[]",:\\x1-.e+ \n\'tfn0u'.split('');
    for (let count = 0; count < 10_000; count += 1) {
      const text = whole.split('');
      for (let change = 0; change <= count % 3; change += 1)
        text.splice(
          below(text.length),
          below(2),
          ...(below(2) === 0 ? [] : [pieces[below(pieces.length)] ?? '']),
        );
      const changed = text.join('');
      expect([changed, errorIn(changed) === null]).toEqual([changed, isJson(changed)]);
    }
  });

  it('may be nested to any depth', () => {
    expect(errorIn('['.repeat(1_000_000))).toBe(
      'is not JSON: it ends inside the array that starts at line 1, column 1000000.',
    );
  });

  it.each([
    ['digits', `${'1'.repeat(1_000_000)}x`, /^is not JSON at line 1, column 1: "1{20}" is not a JSON number/],
    ['decimals', `[-0.${'1'.repeat(1_000_000)}.]`, /column 2: "-0.1{17}" is not a JSON number/],
    ['an exponent', `1.5e-${'1'.repeat(1_000_000)}e`, /column 1: "1.5e-1{15}" is not a JSON number/],
    ['letters', `"${'a'.repeat(1_000_000)}`, /ends inside the string that starts at line 1, column 1\.$/],
    ['blanks', ' '.repeat(1_000_000), /it has no value\.$/],
    [
      'numbers of many parts',
      `[${'-1.5e+3,'.repeat(100_000)}]`,
      /column 800002: a comma comes before this "]"/,
    ],
  ])('is read with a pause after some ten thousand characters, also within %s', (_, text, message) => {
    const work = jsonErrorIn(text);
    let step = work.next();
    for (let pauses = 0; ; pauses += 1, step = work.next())
      if (step.done === true) {
        expect(step.value).toMatch(message);
        expect(pauses).toBeGreaterThanOrEqual(text.length / 120_000);
        return;
      }
  });
});
