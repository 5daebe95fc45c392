import { fieldOf } from '../../base/is-object.ts';
import { collectionReferences } from '../../contract/generated/facts.ts';
import { derivedId } from '../../sandbox/random.ts';
import { collectionNames, type CollectionName } from '../../sandbox/seed.ts';
import type { Draft, Notebook, Told } from './notebook.ts';

/**
 * Completes references: fills in required ones and adds missing records. `madeUp` is called for each one that
 * was filled in.
 */
export function connect(notebook: Notebook, madeUp: (field: string) => void): void {
  const users = new Map<string | undefined, string>();
  for (const { id, told } of notebook.of('users').values())
    if (!users.has(told.email)) users.set(told.email, id);
  for (const instructor of notebook.of('instructors').values())
    nameUser(notebook, instructor, users, () => madeUp('instructors.userId'));
  for (const session of notebook.of('liveEventSessions').values()) {
    if (session.told.liveEventId !== undefined) continue;
    madeUp('liveEventSessions.liveEventId');
    session.told.liveEventId = derivedId('recorded event', schoolOf(session));
  }
  for (const [collection, { told, schools }] of references(notebook)) {
    for (const [field, target] of Object.entries<CollectionName>(collectionReferences[collection])) {
      const id = fieldOf(told, field);
      if (typeof id === 'string') for (const school of schools) notebook.see(school, target, id, {});
    }
  }
  for (const collection of ['courseItems', 'assignments', 'coupons', 'liveEvents'] as const) {
    for (const draft of notebook.of(collection).values())
      nameProduct(notebook, draft, () => madeUp(`${collection}.productId`));
  }
  for (const [id, count] of notebook.sources) giveSources(notebook, id, count);
}

/** Yields every draft, including those added meanwhile, so that their references are completed too. */
function* references(notebook: Notebook): Iterable<readonly [CollectionName, Draft<CollectionName>]> {
  // From referring collections to those that they refer to.
  for (const name of collectionNames.toReversed())
    for (const draft of notebook.of(name).values()) yield [name, draft];
}

function schoolOf({ schools }: { readonly schools: ReadonlySet<number> }): string {
  return String(Math.min(...schools));
}

/**
 * Only `create-instructor-account` shows an instructor's user; others get the user with the same address, or
 * a new one. `users` has the users by address.
 */
function nameUser(
  notebook: Notebook,
  { id, told, schools }: Draft<'instructors'>,
  users: Map<string | undefined, string>,
  madeUp: () => void,
): void {
  const { email } = told;
  if (told.userId === undefined) {
    const same = email === undefined ? undefined : users.get(email);
    told.userId = same ?? derivedId('user of', id);
    madeUp();
  }
  for (const school of schools) notebook.suppose(school, 'users', told.userId, { email });
  const isTheirs = notebook.of('users').get(told.userId)?.told.email === email;
  if (isTheirs && !users.has(email)) users.set(email, told.userId);
}

function nameProduct(
  notebook: Notebook,
  { told, schools }: { told: { productId?: string }; schools: Set<number> },
  madeUp: () => void,
): void {
  if (told.productId !== undefined) return;
  madeUp();
  told.productId = derivedId('recorded product', schoolOf({ schools }));
  for (const school of schools) notebook.see(school, 'products', told.productId, {});
}

/** The sandbox can show at most two sources; no sources are accepted only for past sessions. */
function giveSources(notebook: Notebook, id: string, count: number): void {
  const told: Told<'liveEventSessions'> | undefined = notebook.of('liveEventSessions').get(id)?.told;
  if (told === undefined || (count === 0 && told.endsAtIso === undefined)) return;
  told.recordedSources = (['camera', 'screen'] as const).slice(0, count);
}
