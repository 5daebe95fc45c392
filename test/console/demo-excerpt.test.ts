import { describe, expect, it } from 'vitest';
import { excerptOf, wholeOf } from '../../src/console/demo/excerpt.ts';
import { listOf, readOutput } from '../../src/console/demo/output.ts';
import { jsonTextLines } from '../../src/console/parts/json-text.ts';

const people = Array.from({ length: 6 }, (_, at) => ({ id: `p${at}`, name: `Name ${at}`, 'a/b': at }));
const lines = jsonTextLines(JSON.stringify({ people, total: 6 }));

function shown(markers: readonly string[]): readonly string[] {
  return excerptOf(lines, markers).map((line) => {
    if (line.kind === 'gap') return `${line.lines} more`;
    return line.isMarked ? `>${line.text.trim()}` : line.text.trim();
  });
}

function marked(markers: readonly string[]): readonly string[] {
  return shown(markers).filter((line) => line.startsWith('>'));
}

describe('the excerpt of a body in the guided demo', () => {
  it('has the marked lines, and what opens the objects and lists around them', () => {
    expect(shown(['/people/2/name', '/total'])).toEqual([
      '{',
      '"people": [',
      '10 more',
      '{',
      '"id": "p2",',
      '>"name": "Name 2",',
      '18 more',
      '>"total": 6',
      '}',
    ]);
  });

  it('marks by pointer for any member, by escaped name, or by text', () => {
    expect(marked(['/people/*/name'])).toHaveLength(6);
    expect(marked(['/people/3/a~1b'])).toEqual(['>"a/b": 3']);
    expect(marked(['Name 4'])).toEqual(['>"name": "Name 4",']);
    expect(marked(['/people/3'])).toEqual(['>{']);
    expect(marked(['/peopl.'])).toEqual([]);
  });

  it('is the beginning if nothing is marked, and everything if there is little', () => {
    expect(shown([])).toEqual([...lines.slice(0, 10).map(({ text }) => text.trim()), '25 more']);
    const few = jsonTextLines('{"a":[1,2]}');
    expect(excerptOf(few, ['/a/0'])).toEqual(wholeOf(few, ['/a/0']));
  });
});

describe('the output that the guided demo reads', () => {
  it.each([
    'nothing',
    '{}',
    '[]',
    '[{"output":{"status":"ok"}}]',
    '[{"output":{"status":"error"}}]',
    '[{"output":{"status":"new","data":{}}}]',
  ])('is none in %s', (body) => {
    expect(readOutput(body)).toBeNull();
    expect(listOf(readOutput(body), 'liveEvents')).toEqual([]);
  });

  it('is that of the first element', () => {
    const output = readOutput('[{"output":{"status":"ok","data":{"list":[{"a":1},2]}}},{"output":{}}]');
    expect(listOf(output, 'list')).toEqual([{ a: 1 }]);
  });
});
