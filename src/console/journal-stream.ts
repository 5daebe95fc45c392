import { parseKnown } from './parse-known.ts';
import { ask, asProblem, contentOf, send, tokenKept, type ControlProblem, type Schemas } from './api.ts';
import { isObject } from './parts/is-object.ts';

/** A line of the journal. Bodies and headers are fetched when the entry is opened. */
export type Entry = Schemas['JournalSummary'];

/** A journal entry with bodies and headers. */
export type WholeEntry = Schemas['JournalEntry'];

export type EntryPage = Schemas['JournalSummaryPage'];

/** Callbacks for a followed journal. */
export interface Follower {
  /** New entries, oldest first. */
  readonly more: (entries: readonly Entry[]) => void;
  /** The newest entries were read: replace all earlier ones with them. */
  readonly listed?: (page: EntryPage) => void;
  /**
   * The journal no longer has the earlier entries: discard them. It may be filled again at once. `unseen` if that
   * happened while the page was disconnected.
   */
  readonly emptied: (when: 'seen' | 'unseen') => void;
  /** Entries were evicted or skipped before they were received. */
  readonly missed: () => void;
  /** The connection is live (null), or failed with this problem. */
  readonly connected: (problem: ControlProblem | null) => void;
}

/** The number of present entries to report. More would make the first load of the page slow. */
const maxFirst = 100;

/** The number of entries that a page asks for at most. */
const maxListed = 10_000;

/** Returns lines of a journal, oldest first; of all entries, or of those that fit the conditions. */
export async function listEntries(
  sandbox: string,
  conditions: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<EntryPage> {
  const query = new URLSearchParams({ limit: String(maxListed), ...conditions, form: 'summary' });
  const target = `${pathOf(sandbox)}?${query.toString()}`;
  return contentOf(await send('get', target, undefined, signal === undefined ? {} : { signal }));
}

function pathOf(sandbox: string): string {
  return `/control/sandboxes/${encodeURIComponent(sandbox)}/journal`;
}

interface Following {
  /** The number of present entries to report. */
  readonly first?: number;
}

/** Reports the newest of a journal's entries and all future ones until it is aborted. */
export async function followJournal(
  sandbox: string,
  follower: Follower,
  signal: AbortSignal,
  { first = maxFirst }: Following = {},
): Promise<void> {
  const { connected } = follower;
  let last = '';
  let loaded = '';
  while (!signal.aborted) {
    try {
      // A server that has started again uses the same request ids for other calls.
      const { loadedAt } = await ask('get', '/control/sandboxes/{sandboxId}/revision', {
        sandboxId: sandbox,
      });
      if (loaded !== '' && loaded !== loadedAt) {
        follower.emptied('unseen');
        last = '';
      }
      loaded = loadedAt;
      const headers: Readonly<Record<string, string>> = last === '' ? {} : { 'Last-Event-ID': last };
      const stream = `${pathOf(sandbox)}/stream?form=summary`;
      const reply = await send('get', stream, undefined, { signal, headers });
      // The stream opens before the list is read, so no entry is lost between the two; an entry may be
      // reported twice.
      if (last === '' && first > 0) {
        const page = await listEntries(sandbox, { limit: String(first) }, signal);
        follower.listed?.(page);
        last = page.entries.at(-1)?.requestId ?? '';
      }
      connected(null);
      for await (const event of eventsOf(reply)) last = tell(event, follower) ?? last;
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      connected(problem);
      if (problem.status === 401) {
        await nextToken(signal);
        continue;
      }
      if (problem.status >= 400 && problem.status < 500) return;
    }
    await pause(1500, signal);
  }
}

/**
 * Reports one event. Returns the request id after which to continue: that of an entry, '' if the journal was
 * emptied, null if it stays the same.
 */
function tell({ name, data }: ServerEvent, { more, emptied, missed }: Follower): string | null {
  if (name === 'emptied') {
    emptied('seen');
    return '';
  }
  if (name === 'gap') {
    if (isMissed(data)) missed();
    else {
      // The journal was emptied, or the server started again. All entries that it has follow.
      emptied('unseen');
      return '';
    }
  }
  if (name !== 'exchange') return null;
  const entry = parseKnown<Entry>(data);
  more([entry]);
  return entry.requestId;
}

/** Whether a gap hides entries that were evicted, or skipped because this page read too slowly. */
function isMissed(data: string): boolean {
  const gap: unknown = JSON.parse(data);
  return isObject(gap) && [gap['evicted'], gap['skipped']].some((count) => Number(count) > 0);
}

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Parses server-sent events in this server's format: one line of data per event. */
async function* eventsOf(reply: Response): AsyncGenerator<ServerEvent> {
  if (reply.body === null) return;
  let rest = '';
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n');
      const [name, data] = ['event: ', 'data: '].map((label) =>
        lines.find((line) => line.startsWith(label))?.slice(label.length),
      );
      if (name !== undefined && data !== undefined) yield { name, data };
    }
  }
}

function nextToken(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    addEventListener(tokenKept, () => done(), { once: true, signal });
    signal.addEventListener('abort', () => done());
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
