import { asProblem, contentOf, send, tokenKept, type ControlProblem, type Schemas } from './api.ts';
import { isObject } from './parts/is-object.ts';

export type Entry = Schemas['JournalEntry'];

/** Callbacks for a followed journal. */
export interface Follower {
  /** New entries, oldest first. */
  readonly more: (entries: readonly Entry[]) => void;
  /** The first entries were read. Whether there are older ones, for `olderEntries`. */
  readonly listed?: (hasOlder: boolean) => void;
  /** The journal was emptied: discard all earlier entries. It may be filled again at once. */
  readonly emptied: () => void;
  /** Entries were evicted or skipped before they were received. */
  readonly missed: () => void;
  /** The connection is live (null), or failed with this problem. */
  readonly connected: (problem: ControlProblem | null) => void;
}

/** The number of present entries to report. More would make the first load of the page slow. */
const maxFirst = 100;

/** The number of entries that a page asks for at most. */
const maxListed = 10_000;

/** Returns the entries of a journal, oldest first. */
export function listEntries(
  sandbox: string,
  limit = maxListed,
  signal?: AbortSignal,
): Promise<Schemas['JournalPage']> {
  const target = `${pathOf(sandbox)}?limit=${limit}`;
  return send('get', target, undefined, signal === undefined ? {} : { signal }).then(
    contentOf<Schemas['JournalPage']>,
  );
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
  const { more, connected } = follower;
  let last = '';
  while (!signal.aborted) {
    try {
      const since: Readonly<Record<string, string>> = last === '' ? {} : { 'Last-Event-ID': last };
      const reply = await send('get', `${pathOf(sandbox)}/stream`, undefined, { signal, headers: since });
      // The stream opens before the list is read, so no entry is lost between the two; an entry may be
      // reported twice.
      if (last === '' && first > 0) {
        const { entries, more: hasOlder } = await listEntries(sandbox, first, signal);
        more(entries);
        follower.listed?.(hasOlder);
        last = entries.at(-1)?.requestId ?? '';
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

/** Reports one event. Returns the request id if the event is a journal entry, else null. */
function tell({ name, data }: ServerEvent, { more, emptied, missed }: Follower): string | null {
  if (name === 'emptied') emptied();
  if (name === 'gap' && isMissed(data)) missed();
  if (name !== 'exchange') return null;
  const entry = JSON.parse(data) as Entry;
  more([entry]);
  return entry.requestId;
}

/**
 * Whether a gap hides entries. It hides none if the journal was emptied or the server restarted in the
 * meantime.
 */
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
