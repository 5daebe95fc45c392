/** A section of a page, as the search knows it. */
export interface Section {
  /** The title of the page. */
  readonly page: string;
  readonly title: string;
  readonly href: string;
  readonly text: string;
}

interface Found {
  readonly section: Section;
  readonly score: number;
}

/** A longer list is no easier to scan than another word in the query. */
export const maxFound = 12;

/**
 * Returns the sections that contain every word of the query, the best first. A word in a title counts more
 * than one in the text.
 */
export function findSections(sections: readonly Section[], query: string): readonly Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = sections.flatMap((section): readonly Found[] => {
    const scores = words.map((word) => scoreOf(section, word));
    return scores.includes(0) ? [] : [{ section, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxFound)
    .map(({ section }) => section);
}

/** Returns the words of a query, in lower case. */
export function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function scoreOf({ page, title, text }: Section, word: string): number {
  const inTitle = title.toLowerCase();
  if (inTitle === word) return 16;
  if (startsWord(inTitle, word)) return 8;
  if (startsWord(page.toLowerCase(), word)) return 4;
  if (inTitle.includes(word) || startsWord(text.toLowerCase(), word)) return 2;
  return text.toLowerCase().includes(word) ? 1 : 0;
}

/** Whether a word of the text begins with this one. */
function startsWord(text: string, word: string): boolean {
  let place = text.indexOf(word);
  while (place !== -1) {
    if (place === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(place - 1))) return true;
    place = text.indexOf(word, place + 1);
  }
  return false;
}

/** How much text a result shows on each side of the first match. */
const shownBefore = 40;
const shownAfter = 110;

/** Returns the text around the first word that it contains, in whole words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= shownBefore ? 0 : text.indexOf(' ', first - shownBefore) + 1;
  const end = first + shownAfter >= text.length ? text.length : text.lastIndexOf(' ', first + shownAfter);
  // A text without spaces has no such places.
  const whole = end > start ? text.slice(start, end) : text.slice(first, first + shownAfter);
  return `${start > 0 ? '… ' : ''}${whole}${end < text.length ? ' …' : ''}`;
}
