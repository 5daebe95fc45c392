import { wordsOfName } from '../../base/words-of-name.ts';
import { fieldKinds } from './kinds.ts';

/** Words of technical field names that cannot be names of people, besides those of the contract. */
const technicalWords = (
  'archived author category count deleted deprecated display external flag has hidden index internal is key locale max meta metadata min note notes ' +
  'number order parent position private public rank score size sort state tags timezone total uuid version visible'
).split(' ');

/** Words of the contract that can also be names of people. */
const names: ReadonlySet<string> = new Set(['mark']);

const contractFields: ReadonlySet<string> = new Set(fieldsIn(Object.values(fieldKinds)));

const knownWords: ReadonlySet<string> = new Set(
  [...technicalWords, ...[...contractFields].flatMap(wordsOfName)].filter((word) => !names.has(word)),
);

/**
 * Returns the name of an unknown field if it cannot be data, such as the name of a person: if the contract uses it
 * elsewhere, or if it consists of technical words. Other names are only counted.
 */
export function shownName(name: string): string {
  const isTechnical =
    /^[A-Za-z_]{1,60}$/.test(name) && wordsOfName(name).every((word) => knownWords.has(word));
  return contractFields.has(name) || isTechnical ? name : '(other names)';
}

/** Returns the names of all fields, at every level. */
function fieldsIn(kinds: readonly unknown[]): readonly string[] {
  return kinds.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    const own = Array.isArray(one) ? [] : Object.keys(one);
    return [...own, ...fieldsIn(Object.values(one))];
  });
}
