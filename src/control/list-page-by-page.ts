import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { JournalFilter, JournalPage } from '../sandbox/journal-page.ts';

/** Earlier than any time of a sandbox's clock. */
const beginning = '0001-01-01T00:00:00Z';

/** Lists a journal from its oldest entry, page by page. With a `limit`, requests a single page. */
export async function listPageByPage(
  read: (query: string) => Promise<JournalPage>,
  filter: JournalFilter,
): Promise<readonly JournalEntry[]> {
  if (filter.limit !== undefined) return (await read(queryFrom(filter))).entries;
  const listed: JournalEntry[] = [];
  let since = filter.since ?? beginning;
  for (;;) {
    const { entries, more } = await read(queryFrom({ ...filter, since }));
    for (const entry of entries) listed.push(entry);
    const last = entries.at(-1);
    if (!more || last === undefined) return listed;
    since = last.requestId;
  }
}

function queryFrom(filter: JournalFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
