import { closest } from '../base/did-you-mean.ts';

/**
 * Returns the field that is likely meant by a name, or undefined: a misspelled one; the only one of which one name
 * has all words of the other, such as `sessionId` for `liveEventSessionId`, because responses have other names for
 * the same; or else the only one that ends in the same word, such as `searchTerm` for `filterTerm`.
 */
export function nearName(name: string, fields: readonly string[]): string | undefined {
  const slip = closest(name, fields);
  if (slip !== undefined || name.length > maxChars) return slip;
  const words = wordsOf(name);
  if (words.length === 0) return undefined;
  const candidates = fields
    .filter((field) => field.length <= maxChars)
    .map((field) => ({ field, words: wordsOf(field) }))
    .filter((one) => one.words.length > 0);
  if (words.length === 1 && words[0] === 'title') {
    // The title of the record, not that of a part of it.
    const titles = candidates.filter((one) => one.words.length <= 2 && one.words.at(-1) === 'title');
    if (titles.length === 1) return titles[0]?.field;
  }
  const same = candidates.filter((one) => isPartOf(one.words, words) || isPartOf(words, one.words));
  const found = same.length > 0 ? same : candidates.filter((one) => one.words.at(-1) === words.at(-1));
  return found.length === 1 ? found[0]?.field : undefined;
}

/** Nobody writes longer names, and dividing them into words takes long. */
const maxChars = 80;

function isPartOf(few: readonly string[], many: readonly string[]): boolean {
  return few.length <= many.length && few.every((word) => many.includes(word));
}

/** Synonyms. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['identifier', 'id'],
  ['name', 'title'],
]);

/** Returns the words of a name in camelCase, snake_case or kebab-case, in the singular. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => synonyms.get(word) ?? word.replace(/s$/, ''));
}
