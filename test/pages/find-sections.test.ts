import { describe, expect, it } from 'vitest';
import { excerptOf, findSections, type Section } from '../../src/pages/browser/find-sections.ts';

function section(title: string, text = '', page = 'A guide'): Section {
  return { page, title, text, href: `/docs/${title}` };
}

function found(sections: readonly Section[], query: string): readonly string[] {
  return findSections(sections, query).map(({ title }) => title);
}

describe('the search in the guides', () => {
  it('finds the sections that contain every word, in any case', () => {
    const sections = [
      section('Delay', 'waits for a Reply'),
      section('Reset', 'sends no reply'),
      section('Waits', 'nothing else'),
    ];
    expect(found(sections, 'REPLY waits')).toEqual(['Delay']);
    expect(found(sections, 'reply  nobody')).toEqual([]);
  });

  it('ranks a title before the start of a word in it, the page, the text, and the middle of a word', () => {
    const sections = [
      section('5', 'presets'),
      section('Presets'),
      section('4', 'to reset it'),
      section('3', '', 'Reset it'),
      section('How to reset'),
      section('reset'),
    ];
    expect(found(sections, 'reset')).toEqual(['reset', 'How to reset', '3', 'Presets', '4', '5']);
  });

  it('finds nothing for an empty query', () => {
    expect(found([section('Delay')], '  ')).toEqual([]);
  });

  it('shows no more than twelve', () => {
    expect(
      found(
        Array.from({ length: 20 }, (_, index) => section(`delay ${index}`)),
        'delay',
      ),
    ).toHaveLength(12);
  });

  it('treats signs as text', () => {
    expect(found([section('a', 'use (x) or [y]'), section('b', 'x y')], '(x)')).toEqual(['a']);
  });
});

describe('the excerpt of a result', () => {
  const long = `${'before '.repeat(30)}needle ${'after '.repeat(60)}`.trim();

  it('is the text around the first word, in whole words', () => {
    const excerpt = excerptOf(long, ['needle']);
    expect(excerpt).toMatch(/^… (before )+needle (after )+…$/);
    expect(excerpt.length).toBeLessThan(170);
  });

  it('is the beginning of the text if only the title matches, and all of a short text', () => {
    expect(excerptOf(long, ['elsewhere'])).toMatch(/^before before .* …$/);
    expect(excerptOf('a short text', ['short'])).toBe('a short text');
  });

  it('cuts a text without spaces', () => {
    expect(excerptOf('x'.repeat(1000), ['x'])).toHaveLength(112);
  });
});
