import { isBlank } from '../../src/base/blank.ts';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../src/base/escape.ts';
import { BoundedMap } from '../../src/base/bounded-map.ts';
import { andMore, listed } from '../../src/base/lists.ts';
import { textTable } from '../../src/base/text-table.ts';

describe('a list in a message', () => {
  it('ends with the number of what is left out, if anything is', () => {
    expect([listed(['a', 'b'], 2), listed(['a', 'b'], 5)]).toEqual(['a, b', 'a, b and 3 more']);
    expect([andMore(0), andMore(3)]).toEqual(['', ' And 3 more.']);
  });
});

describe('JSON for people', () => {
  it('escapes what can change the direction of text or a terminal, and nothing else', () => {
    const value = { 'a\u202e': ['\u009b2J', '\ud800', 'é 🧿\n'] };
    expect(jsonText(value)).toBe(
      '{\n  "a\\u202e": [\n    "\\u009b2J",\n    "\\ud800",\n    "é 🧿\\n"\n  ]\n}\n',
    );
    expect(JSON.parse(jsonText(value))).toEqual(value);
  });
});

describe('a table on a terminal', () => {
  it('aligns each column, numbers to the right, and leaves no spaces at the ends of lines', () => {
    const rows = [
      ['defaults', '5', ''],
      ['a', '10', 'slow'],
    ];
    expect(textTable(['run', 'calls', 'why'], rows, [1])).toBe(
      'run       calls  why\ndefaults      5\na            10  slow\n',
    );
  });
});

describe('a bounded map', () => {
  it('evicts the values that were set longest ago if all together weigh too much', () => {
    const map = new BoundedMap<string, string>(5, ({ length }) => length);
    map.set('one', 'aa');
    map.set('two', 'bb');
    map.set('one', 'a');
    map.set('three', 'cc');
    expect([...map.entries()]).toEqual(Object.entries({ two: 'bb', one: 'a', three: 'cc' }));
    map.set('four', 'd');
    expect([...map.entries()]).toEqual(Object.entries({ one: 'a', three: 'cc', four: 'd' }));
    map.delete('three');
    map.set('five', 'eee');
    expect([...map.entries()]).toEqual(Object.entries({ one: 'a', four: 'd', five: 'eee' }));
  });
});

describe('a text', () => {
  it.each(['', ' \t\n', '\u200b\ufeff\u2060', '\u{e0100}'])('is blank if it shows nothing: %j', (unit) => {
    expect(isBlank(unit)).toBe(true);
    expect(isBlank(`${unit}.`)).toBe(false);
    const long = unit.repeat(200_000);
    expect([isBlank(long), isBlank(`${long}.`)]).toEqual([true, false]);
  });
});
