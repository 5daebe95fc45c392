import { wordsOfName } from '../base/words-of-name.ts';
import { likelyTypos } from '../base/did-you-mean.ts';

/**
 * Returns the field that is likely meant by a name, or undefined: a misspelled one; the only one of which one name
 * has all words of the other, such as `sessionId` for `liveEventSessionId`, because responses have other names for
 * the same; or else the only one that ends in the same word, such as `searchTerm` for `filterTerm`.
 */
export function nearName(name: string, fields: readonly string[]): string | undefined {
  return pairedNames([name], fields).get(name);
}

/**
 * Returns the sent field that is likely meant for each missing name, the best matches first. No field is meant for
 * two names. Of matches that are equally good, none counts, except that `id` is meant for the first name.
 */
export function pairedNames(
  names: readonly string[],
  fields: readonly string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const openFields = new Set(fields);
  for (const { name, field } of misspelled(names, fields))
    if (!pairs.has(name) && openFields.delete(field)) pairs.set(name, field);
  const openNames = new Set(names.filter((name) => !pairs.has(name)));
  const alike = matches([...openNames], [...openFields]);
  for (const score of new Set(alike.map((match) => match.score).toSorted((one, other) => other - one))) {
    const best = alike.filter(
      (match) => match.score === score && openNames.has(match.name) && openFields.has(match.field),
    );
    for (const match of best) if (isClear(match, best)) pairs.set(match.name, match.field);
    // A name with several good matches has no worse one.
    for (const { name, field } of best) {
      openNames.delete(name);
      openFields.delete(field);
    }
  }
  return pairs;
}

/** A name and a field that may be meant for it. A higher score is better. */
interface Match {
  readonly name: string;
  readonly field: string;
  readonly score: number;
}

/** Whether no other match has the same name or field. The first of several names may have `id`. */
function isClear(match: Match, all: readonly Match[]): boolean {
  const isOnlyOfName = all.every((other) => other === match || other.name !== match.name);
  const first = all.find(({ field }) => field === match.field);
  const isOnlyOfField = all.every((other) => other === match || other.field !== match.field);
  return isOnlyOfName && (isOnlyOfField || (first === match && match.field === 'id'));
}

/** Returns the fields that may be typos of names, the closest first. */
function misspelled(names: readonly string[], fields: readonly string[]): readonly Match[] {
  return names
    .flatMap((name) =>
      likelyTypos(name, fields).map(({ candidate, steps }) => ({ name, field: candidate, score: -steps })),
    )
    .toSorted((one, other) => other.score - one.score);
}

/** Returns the names and fields that have words in common. */
function matches(names: readonly string[], fields: readonly string[]): readonly Match[] {
  const words = wordsOfEach(fields);
  return [...wordsOfEach(names)].flatMap(([name, ofName]) =>
    [...words].flatMap(([field, ofField]) => {
      const score = scoreOf(ofName, ofField);
      return score === null ? [] : [{ name, field, score }];
    }),
  );
}

function wordsOfEach(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const short = names.filter((name) => name.length <= maxChars);
  return new Map(short.map((name) => [name, wordsOf(name)] as const).filter(([, words]) => words.length > 0));
}

const bestScore = 100;

/** Returns how well two names match, null if they do not: the words in common, or 0 for the same last noun. */
function scoreOf(one: readonly string[], other: readonly string[]): number | null {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  if (few.every((word) => many.includes(word))) {
    // The title of the record, not that of a part of it.
    const isTitle = few.length === 1 && many.length <= 2 && few[0] === 'title' && many.at(-1) === 'title';
    return isTitle ? bestScore : few.length;
  }
  const last = one.at(-1);
  return last === other.at(-1) && last !== 'off' ? 0 : null;
}

/** Nobody writes longer names, and dividing them into words takes long. */
const maxChars = 80;

/** Synonyms. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['identifier', 'id'],
  ['name', 'title'],
]);

/** Returns the words of a name in the singular. */
function wordsOf(name: string): readonly string[] {
  return wordsOfName(name).map((word) => synonyms.get(word) ?? word.replace(/s$/, ''));
}
