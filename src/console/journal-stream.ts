import { asProblem, contentOf, send, type ControlProblem, type Schemas } from './api.ts';
import { isObject } from './parts/is-object.ts';

export type Entry = Schemas['JournalEntry'];

/** Callbacks for a followed journal. */
export interface Follower {
  /** New entries, oldest first. */
  readonly more: (entries: readonly Entry[]) => void;
  /** The journal was emptied: discard all earlier entries. */
  readonly emptied: () => void;
  /** Entries were evicted or skipped before they were received. */
  readonly missed: () => void;
  /** The connection is live (null), or failed with this problem. */
  readonly connected: (problem: ControlProblem | null) => void;
}

/** Entries that the first request asks for; without a limit, the server returns only one page. */
const maxListed = 2000;

/** Reports a journal's present and future entries until it is aborted. */
export async function followJournal(sandbox: string, follower: Follower, signal: AbortSignal): Promise<void> {
  const { more, connected } = follower;
  const place = `/control/sandboxes/${encodeURIComponent(sandbox)}/journal`;
  let last = '';
  while (!signal.aborted) {
    try {
      const since: Readonly<Record<string, string>> = last === '' ? {} : { 'Last-Event-ID': last };
      const reply = await send('get', `${place}/stream`, undefined, { signal, headers: since });
      // The stream opens before the list is read, so no entry is lost between the two; an entry may be
      // reported twice.
      if (last === '') {
        const listed = await send('get', `${place}?limit=${maxListed}`, undefined, { signal });
        const { entries } = await contentOf<Schemas['JournalPage']>(listed);
        more(entries);
        last = entries.at(-1)?.requestId ?? '';
      }
      connected(null);
      for await (const event of eventsOf(reply)) last = tell(event, follower) ?? last;
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      connected(problem);
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

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
