import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { describe, type Violation } from '../contract/violation.ts';
import { after } from '../sandbox/clock.ts';
import { momentOf, type JournalFilter, type JournalPage } from '../sandbox/journal.ts';
import { NotThere, Unfit } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { packageVersion } from '../store/package-files.ts';
import { toCurl } from './curl.ts';
import { toHar } from './har.ts';
import { judge } from './verify.ts';

type Schemas = components['schemas'];

/** The exchanges that fit a query. Throws Unfit for a query that asks for what there is not. */
export function pageOfJournal({ journal }: Sandbox, query: Readonly<Record<string, unknown>>): JournalPage {
  return journal.page(readFilter(query));
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
  if (violations.length > 0) throw new Unfit('The query does not fit.', violations);
  // Each is a text, as was checked above.
  return { ...(texts as Omit<JournalFilter, 'limit'>), ...(limit === undefined ? {} : { limit: Number(limit) }) };
}

/** One exchange, with the command that repeats it. Throws NotThere. */
export function getExchange({ journal }: Sandbox, requestId: string, baseUrl: string): Schemas['Exchange'] {
  const entry = journal.get(requestId);
  if (entry !== undefined) return { ...entry, curl: toCurl(entry, baseUrl) };
  const evicted = journal.evicted === 0 ? '' : ` ${journal.evicted} older ones had to make room.`;
  throw new NotThere(`There is no exchange ${JSON.stringify(requestId)} in the journal.${evicted}`);
}

/** The journal as an HTTP Archive. */
export function exportHar({ journal }: Sandbox, baseUrl: string): object {
  return toHar(journal.list(), baseUrl, packageVersion());
}

/** How long after an exchange it is looked at, in milliseconds: several that come together are looked at once, and no call waits for it. */
const gatheringMs = 20;

/** Holds expectations against the journal, waiting up to `waitMs` until they hold. Throws Unfit for an operation that is not there. */
export async function verifyJournal({ journal }: Sandbox, expectations: Schemas['Expectations']): Promise<Schemas['Verdict']> {
  checkOperations(expectations);
  const judged = (): Schemas['Verdict'] => ({ ...judge(journal.list(), expectations), evicted: journal.evicted });
  const verdict = judged();
  const { waitMs = 0 } = expectations;
  if (verdict.holds || waitMs === 0) return verdict;
  return new Promise((done) => {
    let look: { cancel(): void } | null = null;
    const finish = (last: Schemas['Verdict']): void => {
      deadline.cancel();
      look?.cancel();
      stopListening();
      done(last);
    };
    const stopListening = journal.listen({
      exchange: () => {
        look ??= after(gatheringMs, () => {
          look = null;
          const now = judged();
          if (now.holds) finish(now);
        });
      },
      // The sandbox is removed, and its journal with it.
      ended: () => finish(judged()),
    });
    const deadline = after(waitMs, () => finish(judged()));
  });
}

function checkOperations({ counts = [], sequence = [] }: Schemas['Expectations']): void {
  const violations = [...unknownOperations('/counts', counts), ...unknownOperations('/sequence', sequence)];
  if (violations.length > 0) throw new Unfit('The expectations do not fit.', violations);
}

function unknownOperations(base: string, calls: readonly { readonly operation?: string }[]): readonly Violation[] {
  return calls.flatMap(({ operation }, index) => {
    if (operation === undefined || isOperationName(operation)) return [];
    const hint = didYouMean(operation, operationNames);
    const message = `is no operation: ${JSON.stringify(operation)}.${hint} The operations are ${operationNames.join(', ')}.`;
    return [{ pointer: `${base}/${index}/operation`, message }];
  });
}
