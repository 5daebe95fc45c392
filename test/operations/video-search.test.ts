import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { libraryOf } from '../../src/operations/shared/video-library.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

/** Few letters, so that many titles match. */
const unit = fc.constantFrom('a', 'A', 'b', 'é', 'É', ' ');
const text = fc.string({ unit, maxLength: 6 });
const wanted = fc.string({ unit, maxLength: 3 });

function video(videoTitle: string, folderPath: string) {
  return { id: videoTitle, schoolId: 's', folderPath, createdAt: '', status: 'Ready', videoTitle };
}

describe('titles', () => {
  it.each([
    ['substring', (title: string, term: string) => title.includes(term)],
    [
      'substring-ignoring-case',
      (title: string, term: string) => title.toLowerCase().includes(term.toLowerCase()),
    ],
    ['prefix', (title: string, term: string) => title.toLowerCase().startsWith(term.toLowerCase())],
  ] as const)('match by %s', (matching, matches) => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), wanted, (titles, term) => {
        const library = withoutPause(libraryOf(titles.map((title) => video(title, '/'))));
        const found = withoutPause(library.search(null, { term, matching }));
        expect(found.map(({ videoTitle }) => videoTitle)).toEqual(
          titles.filter((title) => matches(title, term)),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('a video library', () => {
  const library = withoutPause(
    libraryOf([video('One', '/'), video('Two', '/a'), video('one more', '/a/b'), video('none', '/ab')]),
  );
  const matching = 'substring-ignoring-case';
  const search = (term: string, folder: string | null, recursive = false): readonly string[] =>
    withoutPause(library.search(folder === null ? null : { folder, recursive }, { term, matching })).map(
      ({ id }) => id,
    );

  it('answers each search by itself, however many came before', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(search('one', null)).toEqual(['One', 'one more', 'none']);
      expect(search('one', '/')).toEqual(['One']);
      expect(search('one', '/', true)).toEqual(['One', 'one more', 'none']);
      expect(search('one', '/a', true)).toEqual(['one more']);
      expect(search('one', '/a')).toEqual([]);
      expect(search('one', '/nowhere', true)).toEqual([]);
      for (let number = 0; number < 40; number += 1) expect(search(`no ${number}`, null)).toEqual([]);
    }
  });

  it('gives the same list again while somebody goes through its pages', () => {
    const find = (by: typeof matching | 'substring') =>
      withoutPause(library.search(null, { term: 'one', matching: by }));
    const first = find(matching);
    expect(find(matching)).toBe(first);
    expect(find('substring')).not.toBe(first);
  });
});
