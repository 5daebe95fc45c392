import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { describe } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { LazyList } from '../base/lazy-list.ts';
import { toEntry, type StoredEntry } from '../sandbox/journal-entry.ts';
import { toSummary, valuesIn } from '../sandbox/journal-summary.ts';
import type { Journal } from '../sandbox/journal.ts';
import { momentOf, numberIn, placesOf, type JournalFilter } from '../sandbox/journal-page.ts';
import { ConflictError, NotFoundError, ValidationError } from '../base/errors.ts';
import { isOutcome, notAnOutcome } from '../sandbox/outcomes.ts';
import { scopeIn } from '../sandbox/scope.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { packageVersion } from '../base/package-files.ts';
import { toCurl } from './curl.ts';
import { schoolHint } from './school-hint.ts';
import { refuse } from './fitting.ts';
import { harEntry, toHar } from './har.ts';

type Schemas = components['schemas'];

/** How a list is returned: with all its members, or with members that are created while they are sent. */
export type ListForm = 'whole' | 'lazy';

/** Returns a page of the journal entries that fit a query. Throws ValidationError for an invalid query. */
export function pageOf(
  sandbox: Sandbox,
  { form, ...query }: Readonly<Record<string, unknown>>,
  lists: ListForm,
): SlicedWork<object> {
  const isSummary = isSummaryForm(form);
  return makePage(sandbox.journal, readFilter(sandbox, query), isSummary, lists);
}

/** Returns whether entries are wanted without bodies and headers. Throws ValidationError for an unknown form. */
export function isSummaryForm(form: unknown): boolean {
  if (form === undefined || form === 'summary') return form === 'summary';
  throw new ValidationError('The query is invalid.', [
    { pointer: '/form', message: `must be summary, or absent for whole entries, but is ${describe(form)}.` },
  ]);
}

/** Restores what the last clearing deleted. Throws ConflictError if there is nothing to restore. */
export function restoreJournal(journal: Journal): void {
  if (journal.restore()) return;
  throw new ConflictError(
    'There are no deleted entries to restore. The journal was not cleared, or was already restored, or the server needed the memory for other entries.',
  );
}

function* makePage(
  journal: Journal,
  filter: JournalFilter,
  isSummary: boolean,
  lists: ListForm,
): SlicedWork<object> {
  const { places, more } = yield* placesOf(journal, filter);
  const entries = yield* listing<object>(journal, places, isSummary ? toSummary : toEntry, lists);
  return {
    entries,
    ...(isSummary ? { values: valuesIn(journal.stored) } : {}),
    // Read after the entries, so that it counts those that were evicted while the others were sent.
    get evicted() {
      return journal.evicted;
    },
    more,
  };
}

/** Skips entries that are evicted before their turn, so that a slow client does not keep them in memory. */
function* listing<T>(
  journal: Journal,
  places: readonly number[],
  word: (stored: StoredEntry) => T,
  form: ListForm,
): SlicedWork<LazyList<T> | readonly T[]> {
  const list = new LazyList(() => eachEntry(journal, places, word));
  if (form === 'lazy') return list;
  const whole: T[] = [];
  for (const one of list) {
    whole.push(one);
    yield;
  }
  return whole;
}

function* eachEntry<T>(
  journal: Journal,
  places: readonly number[],
  word: (stored: StoredEntry) => T,
): Generator<T> {
  for (const place of places) {
    const kept = journal.at(place);
    if (kept !== undefined) yield word(kept);
  }
}

const filters = ['operation', 'outcome', 'school', 'scope', 'text', 'since', 'limit'];

function readFilter(sandbox: Sandbox, query: Readonly<Record<string, unknown>>): JournalFilter {
  const { caps, id } = sandbox;
  const list = new ViolationList(caps.violations);
  const { limit, ...texts } = query;
  for (const [name, value] of Object.entries(texts)) {
    if (!filters.includes(name))
      list.add(`/${name}`, () => `is not a filter. The filters are ${filters.join(', ')}.`);
    else if (typeof value !== 'string') list.add(`/${name}`, () => 'must be given once.');
  }
  if (typeof limit !== 'undefined' && !(typeof limit === 'string' && /^[1-9]\d{0,8}$/.test(limit)))
    list.add('/limit', () => `must be a whole number above 0, but is ${describe(limit)}.`);
  const { operation, outcome, school, since } = texts;
  // An unmatched request can have any name.
  if (typeof operation === 'string' && !isOperationName(operation) && outcome !== 'unmatched') {
    list.add('/operation', () => {
      const hint = didYouMean(operation, operationNames);
      return `is not an operation: ${describe(operation)}.${hint} The operations are ${operationNames.join(', ')}.`;
    });
  }
  if (typeof outcome === 'string' && !isOutcome(outcome)) list.add('/outcome', () => notAnOutcome(outcome));
  if (typeof school === 'string') addUnknownSchools(list, sandbox, [['/school', school]]);
  const scope = typeof texts['scope'] === 'string' ? scopeIn(texts['scope']) : null;
  if (scope === null && texts['scope'] !== undefined) list.add('/scope', () => 'must not be blank.');
  if (typeof since === 'string' && numberIn(since, id) === null && Number.isNaN(momentOf(since)))
    list.add(
      '/since',
      () =>
        `must be a request id of this sandbox, such as ${id}-7, or an ISO 8601 date-time, but is ${describe(since)}.`,
    );
  refuse('The query is invalid.', list);
  return {
    limit: caps.journalPage,
    // Each value is a string, as checked above.
    ...(texts as Omit<JournalFilter, 'limit'>),
    ...(scope === null ? {} : { scope }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

/** Adds a violation for each school, by pointer, that no call of the sandbox can belong to. */
export function addUnknownSchools(
  list: ViolationList,
  sandbox: Sandbox,
  named: readonly (readonly [pointer: string, school: string])[],
): void {
  // A school that was deleted has calls.
  const called = new Set(sandbox.journal.stored.map(({ school }) => school));
  for (const [pointer, school] of named)
    if (sandbox.school(school) === undefined && !called.has(school))
      list.add(
        pointer,
        () => `is not a school of the sandbox: ${describe(school)}.${schoolHint(sandbox, school)}`,
      );
}

/** Returns one journal entry with a command that repeats it. Throws NotFoundError. */
export function getExchange({ journal }: Sandbox, requestId: string, baseUrl: string): Schemas['Exchange'] {
  const entry = journal.get(requestId);
  if (entry !== undefined) return { ...entry, curl: toCurl(entry, baseUrl) };
  const evicted = journal.evicted === 0 ? '' : ` ${journal.evicted} older entries were evicted.`;
  throw new NotFoundError(`The journal has no entry ${JSON.stringify(requestId)}.${evicted}`);
}

/** Starts a scope; null ends the current one. Throws ValidationError for a blank name. */
export function startScope({ journal }: Sandbox, name: string | null): Schemas['StartedScope'] {
  const scope = scopeIn(name ?? undefined);
  if (name !== null && scope === null)
    throw new ValidationError('The body is invalid.', [{ pointer: '/name', message: 'must not be blank.' }]);
  journal.scope = scope;
  return { name: journal.scope };
}

/** Returns the scopes in a journal, in the order of their first calls. */
export function scopesIn(journal: Journal): Schemas['ScopeList'] {
  const calls = new Map<string, number>();
  for (const { scope } of journal.stored) if (scope !== null) calls.set(scope, (calls.get(scope) ?? 0) + 1);
  return { current: journal.scope, scopes: [...calls].map(([name, count]) => ({ name, calls: count })) };
}

/** Returns the journal as an HTTP Archive. */
export function* exportHar({ journal }: Sandbox, baseUrl: string, form: ListForm): SlicedWork<object> {
  const { places } = yield* placesOf(journal, {});
  const entries = yield* listing(journal, places, (stored) => harEntry(toEntry(stored), baseUrl), form);
  return toHar(entries, packageVersion());
}
