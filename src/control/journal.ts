import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { describe, type Violation } from '../base/violation.ts';
import { toEntry, type JournalEntry, type KeptExchange } from '../sandbox/journal-entry.ts';
import { momentOf, type JournalFilter, type JournalPage } from '../sandbox/journal.ts';
import { NotFoundError, ValidationError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { packageVersion } from '../base/package-files.ts';
import { toCurl } from './curl.ts';
import { harEntry, toHar } from './har.ts';

type Schemas = components['schemas'];

/** A page of the exchanges that fit a query. Throws ValidationError for a query that asks for what there is not. */
export function makingPage({ journal, caps }: Sandbox, query: Readonly<Record<string, unknown>>): SlicedWork<JournalPage> {
  const { kept, evicted, more } = journal.keptPage({ limit: caps.journalPage, ...readFilter(query) });
  return (function* () {
    return { entries: yield* puttingIntoWords(kept, (entry) => entry), evicted, more };
  })();
}

/** What is kept may be evicted while it is put into words; it is told all the same. */
function* puttingIntoWords<T>(kept: readonly KeptExchange[], word: (entry: JournalEntry) => T): SlicedWork<readonly T[]> {
  const worded: T[] = [];
  for (const one of kept) {
    worded.push(word(toEntry(one)));
    yield;
  }
  return worded;
}

const filters = ['operation', 'outcome', 'school', 'since', 'limit'];

function readFilter(query: Readonly<Record<string, unknown>>): JournalFilter {
  const violations: Violation[] = Object.keys(query)
    .filter((name) => !filters.includes(name))
    .map((name) => ({ pointer: `/${name}`, message: `is no filter. The filters are ${filters.join(', ')}.` }));
  const { limit, ...texts } = query;
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== 'string') violations.push({ pointer: `/${name}`, message: 'must be given once.' });
  }
  if (typeof limit !== 'undefined' && !(typeof limit === 'string' && /^[1-9]\d{0,8}$/.test(limit))) {
    violations.push({ pointer: '/limit', message: `must be a whole number above 0, but is ${describe(limit)}.` });
  }
  const { operation, since } = texts;
  if (typeof operation === 'string' && !isOperationName(operation)) {
    const message = `is no operation: ${describe(operation)}.${didYouMean(operation, operationNames)} The operations are ${operationNames.join(', ')}.`;
    violations.push({ pointer: '/operation', message });
  }
  if (typeof since === 'string' && !/^[a-z0-9-]+-\d+$/.test(since) && Number.isNaN(momentOf(since))) {
    violations.push({ pointer: '/since', message: `must be a request id, or an ISO 8601 date-time, but is ${describe(since)}.` });
  }
  if (violations.length > 0) throw new ValidationError('The query does not fit.', violations);
  // Each is a text, as was checked above.
  return { ...(texts as Omit<JournalFilter, 'limit'>), ...(limit === undefined ? {} : { limit: Number(limit) }) };
}

/** One exchange, with the command that repeats it. Throws NotFoundError. */
export function getExchange({ journal }: Sandbox, requestId: string, baseUrl: string): Schemas['Exchange'] {
  const entry = journal.get(requestId);
  if (entry !== undefined) return { ...entry, curl: toCurl(entry, baseUrl) };
  const evicted = journal.evicted === 0 ? '' : ` ${journal.evicted} older ones had to make room.`;
  throw new NotFoundError(`There is no exchange ${JSON.stringify(requestId)} in the journal.${evicted}`);
}

/** Makes an HTTP Archive of the journal. */
export function* exportingHar({ journal }: Sandbox, baseUrl: string): SlicedWork<object> {
  return toHar(yield* puttingIntoWords(journal.keptFrom(0), (entry) => harEntry(entry, baseUrl)), packageVersion());
}
