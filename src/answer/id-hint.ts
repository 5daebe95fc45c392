import { fieldOf } from '../base/is-object.ts';
import { keysOf } from '../base/keys.ts';
import { firstNames, firstOf } from '../base/lists.ts';
import { textHint, typoHint } from '../base/text-hint.ts';
import { quoted } from '../base/violation.ts';
import { collectionReferences, recordNouns, type Records } from '../contract/generated/facts.ts';
import type { OwnedCollection } from '../sandbox/owned-collection.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { State } from '../sandbox/state.ts';

/** What the records are, in words. Labs have a longer name in the specification. */
const nouns: { readonly [N in OwnedCollection]: readonly [one: string, several: string] } = {
  ...recordNouns,
  labs: ['interactive coding lab', 'interactive coding labs'],
};

const collections = keysOf(nouns);

/** How many records are searched for those that refer to another one; a sandbox may have very many. */
const maxSearched = 300;

const maxNamed = 3;

/** Longer texts are not mistaken identifiers. */
const maxChars = 200;

interface Place {
  readonly state: State;
  readonly school: School;
  /** Whether records may be searched again. */
  readonly maySearch: () => boolean;
}

/**
 * Returns a hint for an identifier that no record of the collection has; most often, it belongs to another
 * record of the school. Empty if nothing is known.
 */
export function idHint(id: string, wanted: OwnedCollection, place: Place): string {
  const hint = quickIdHint(id, wanted, place);
  if (hint !== '' || id.length > maxChars || !place.maySearch()) return hint;
  return hintFromFields(id, wanted, place);
}

/** Returns a hint for the identifier of a record that a call is about to create. Does not search records. */
export function newIdHint(id: string, collection: OwnedCollection, place: Place): string {
  const hint = quickIdHint(id, collection, place);
  return hint === '' ? '' : `no ${nouns[collection][0]} had this identifier before.${hint}`;
}

/**
 * Returns a hint for the identifier of a question or an option that the quiz does not have, if it is that of a record of
 * the school or of a part of another quiz.
 */
export function partIdHint(id: string, place: Place): string {
  if (id.length > maxChars) return '';
  for (const collection of collections)
    if (ownRecord(collection, id, place) !== undefined)
      return ` It is the identifier of ${oneOf(collection)}.`;
  const found = quizWithPart(id, place);
  if (found === null) return '';
  const belongs = belonging({ collection: 'quizzes', record: found.quiz }, 'courseItems', place);
  return ` It is the identifier of ${found.part} of the quiz ${quoted(found.quiz.id)}${belongs}.`;
}

/** Returns a hint for an identifier for which the sandbox generated a record. Empty if nothing is known. */
export function generatedIdHint(id: string, collection: OwnedCollection, place: Place): string {
  const hint = idHint(id, collection, place);
  return hint === ''
    ? ''
    : `no ${nouns[collection][0]} has this identifier, so the sandbox generated one.${hint}`;
}

/** Like `idHint`, but without searching records. */
function quickIdHint(id: string, wanted: OwnedCollection, place: Place): string {
  if (id.length > maxChars) return '';
  const hint = textHint(id, (other) => ownRecord(wanted, other, place) !== undefined);
  if (hint !== '') return hint;
  for (const collection of collections) {
    const record = collection === wanted ? undefined : ownRecord(collection, id, place);
    if (record !== undefined) return otherType({ collection, record }, wanted, place);
  }
  return '';
}

/** Returns a hint if the text is in a record, such as its slug or the identifier of a question, or is a typo. */
function hintFromFields(id: string, wanted: OwnedCollection, place: Place): string {
  const records = ownRecords(wanted, place);
  for (const record of records) {
    const field = Object.keys(record).find(
      (name) => fieldOf(record, name) === id && !isReference(wanted, name),
    );
    if (field !== undefined)
      return ` It is the ${field} of the ${nouns[wanted][0]} with the identifier ${quoted(record.id)}.`;
  }
  const found = quizWithPart(id, place);
  if (found !== null) return ` It is the identifier of ${found.part} of the quiz ${quoted(found.quiz.id)}.`;
  return typoHint(
    id,
    records.map((record) => record.id),
  );
}

/** Returns the quiz with a question or an option of this identifier. */
function quizWithPart(
  id: string,
  place: Place,
): { readonly quiz: Records['quizzes']; readonly part: string } | null {
  for (const quiz of ownRecords('quizzes', place)) {
    const part = partOfQuiz(id, quiz);
    if (part !== null) return { quiz, part };
  }
  return null;
}

function partOfQuiz(id: string, { questions }: Records['quizzes']): string | null {
  if (questions.some(({ questionId }) => questionId === id)) return 'a question';
  const isOption = questions.some(({ options }) => options.some(({ optionId }) => optionId === id));
  return isOption ? 'an option' : null;
}

/** Returns the first records of the school. */
function ownRecords<N extends OwnedCollection>(
  collection: N,
  { state, school }: Place,
): readonly Records[N][] {
  return firstOf(state.collection(collection).all(), maxSearched).filter((record) =>
    ownersOf(record).includes(school.id),
  );
}

function ownRecord<N extends OwnedCollection>(
  collection: N,
  id: string,
  { state, school }: Place,
): Records[N] | undefined {
  const record = state.collection(collection).get(id);
  return record !== undefined && ownersOf(record).includes(school.id) ? record : undefined;
}

/** Returns the schools of a record. */
export function ownersOf(record: Records[OwnedCollection]): readonly string[] {
  return 'schoolIds' in record ? record.schoolIds : [record.schoolId];
}

interface Found {
  readonly collection: OwnedCollection;
  readonly record: Records[OwnedCollection];
}

/** Describes the record that has an identifier, and lists the wanted records that belong to it. */
function otherType(found: Found, wanted: OwnedCollection, place: Place): string {
  return ` It is the identifier of ${oneOf(found.collection)}${belonging(found, wanted, place)}.`;
}

function oneOf(collection: OwnedCollection): string {
  const [noun] = nouns[collection];
  return `${/^(?!user)[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Returns the end of a sentence about a record: the wanted records that belong to it. Empty if there are none. */
function belonging(found: Found, wanted: OwnedCollection, place: Place): string {
  const [one, several] = nouns[wanted];
  const related = relatedIds(found, wanted, place).map(quoted);
  if (related.length === 0) return '';
  return related.length === 1
    ? `; the ${one} that belongs to it is ${related[0]}`
    : `; the ${several} that belong to it are ${firstNames(related, maxNamed)}`;
}

/** Returns the identifiers of wanted records that refer to the record, or to which it refers. */
function relatedIds({ collection, record }: Found, wanted: OwnedCollection, place: Place): readonly string[] {
  const named = fieldsTo(collection, wanted).flatMap((field) => fieldOf(record, field) ?? []);
  const ids = named.filter((id): id is string => typeof id === 'string');
  if (ids.length > 0) return ids;
  const fields = fieldsTo(wanted, collection);
  if (fields.length === 0) return [];
  return ownRecords(wanted, place)
    .filter((other) => fields.some((field) => fieldOf(other, field) === record.id))
    .map((other) => other.id);
}

function isReference(collection: OwnedCollection, field: string): boolean {
  return Object.hasOwn(collectionReferences[collection], field);
}

/** Returns the fields of a collection that refer to another one. */
function fieldsTo(from: OwnedCollection, to: OwnedCollection): readonly string[] {
  return Object.entries<string>(collectionReferences[from]).flatMap(([field, target]) =>
    target === to ? [field] : [],
  );
}
