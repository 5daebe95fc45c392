import { TextFinder } from '../../base/text-finder.ts';
import { isInPublicWord } from '../key-mask/public-words.ts';
import { shownKey } from './shown-key.ts';

const afterName = /^\s{0,9}:/;

/**
 * Returns a function that masks a key only if it is a whole text, also within JSON: the key is so short that other texts
 * contain it by chance.
 */
export function shortKeyMask(key: string): (text: string) => string {
  const finder = new TextFinder(JSON.stringify(key));
  const shown = shownKey(key);
  return (text) => (text === key ? shown : finder.replaceIn(text, JSON.stringify(shown), isName));
}

function isName(text: string, start: number, end: number): boolean {
  return afterName.test(text.slice(end, end + 10)) || isInPublicWord(text, start + 1, end - 1);
}
