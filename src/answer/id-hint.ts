import { fieldOf } from '../base/is-object.ts';
import { firstNames, firstOf } from '../base/lists.ts';
import { quoted } from '../base/violation.ts';
import { collectionReferences, type Records } from '../contract/generated/facts.ts';
import type { OwnedCollection } from '../operations/shared/operation.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { State } from '../sandbox/state.ts';

/** What the records are, in words. */
const nouns: { readonly [N in OwnedCollection]: readonly [one: string, several: string] } = {
  products: ['product', 'products'],
  courseItems: ['course item', 'course items'],
  quizzes: ['quiz', 'quizzes'],
  assignments: ['assignment', 'assignments'],
  coupons: ['coupon', 'coupons'],
  labs: ['interactive coding lab', 'interactive coding labs'],
  users: ['user', 'users'],
  submissions: ['submission', 'submissions'],
  instructors: ['instructor', 'instructors'],
  permissionPresets: ['permission preset', 'permission presets'],
  videos: ['video', 'videos'],
  liveEvents: ['live event', 'live events'],
  liveEventSessions: ['live event session', 'live event sessions'],
};

// The keys of the object are exactly these.
const collections = Object.keys(nouns) as readonly OwnedCollection[];

/** How many records are searched for those that refer to another one; a sandbox may have very many. */
const maxSearched = 300;

const maxNamed = 3;

/** Longer texts are no mistaken identifiers. */
const maxChars = 200;

const placeholder = /^(?:\{\{?.*\}\}?|\$\{?\w+\}?|<.*>|:\w+|%\w+%)$/;
const emptyVariable = /^(?:undefined|null|none|nil|nan|\[object object\])$/i;

interface Place {
  readonly state: State;
  readonly school: School;
}

/**
 * Returns what may help with an identifier that no record of the collection has: most often it is that of another
 * record of the school. Empty if nothing is known.
 */
export function idHint(id: string, wanted: OwnedCollection, place: Place): string {
  if (id.length > maxChars) return '';
  if (id.trim() === '') return ' It is blank.';
  if (placeholder.test(id)) return ' It looks like a placeholder that was not replaced.';
  if (emptyVariable.test(id)) return ' It looks like the text of an empty variable.';
  const bare = id.trim().replaceAll(/^["']+|["']+$/g, '');
  const meant = [bare, bare.toLowerCase()].find(
    (other) => other !== id && ownRecord(wanted, other, place) !== undefined,
  );
  if (meant !== undefined) return ` Did you mean ${quoted(meant)}?`;
  for (const collection of collections) {
    const record = collection === wanted ? undefined : ownRecord(collection, id, place);
    if (record !== undefined) return otherType({ collection, record }, wanted, place);
  }
  return '';
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

/** Says what an identifier belongs to, and which wanted records belong to that. */
function otherType(found: Found, wanted: OwnedCollection, place: Place): string {
  const [one, several] = nouns[wanted];
  const related = relatedIds(found, wanted, place).map(quoted);
  const belongs =
    related.length === 1
      ? `; the ${one} that belongs to it is ${related[0]}`
      : `; the ${several} that belong to it are ${firstNames(related, maxNamed)}`;
  const noun = nouns[found.collection][0];
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  return ` It is the identifier of ${article} ${noun}${related.length === 0 ? '' : belongs}.`;
}

/** Returns the identifiers of wanted records that refer to the record, or to which it refers. */
function relatedIds({ collection, record }: Found, wanted: OwnedCollection, place: Place): readonly string[] {
  const named = fieldsTo(collection, wanted).flatMap((field) => fieldOf(record, field) ?? []);
  const ids = named.filter((id): id is string => typeof id === 'string');
  if (ids.length > 0) return ids;
  const fields = fieldsTo(wanted, collection);
  if (fields.length === 0) return [];
  return firstOf(place.state.collection(wanted).all(), maxSearched)
    .filter((other) => ownersOf(other).includes(place.school.id))
    .filter((other) => fields.some((field) => fieldOf(other, field) === record.id))
    .map((other) => other.id);
}

/** Returns the fields of a collection that refer to another one. */
function fieldsTo(from: OwnedCollection, to: OwnedCollection): readonly string[] {
  return Object.entries<string>(collectionReferences[from]).flatMap(([field, target]) =>
    target === to ? [field] : [],
  );
}
