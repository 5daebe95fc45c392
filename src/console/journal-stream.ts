import { asProblem, send, type ControlProblem, type Schemas } from './api.ts';

export type Entry = Schemas['JournalEntry'];

/** What whoever follows a journal is told. */
export interface Follower {
  /** Exchanges in the order in which they came. */
  readonly more: (entries: readonly Entry[]) => void;
  /** The journal was emptied: what was told is gone. */
  readonly emptied: () => void;
  /** Exchanges that nobody was told of had to make room. */
  readonly missed: () => void;
  /** Whether what is told is live; the problem where it is not. */
  readonly connected: (problem: ControlProblem | null) => void;
}

/** Exchanges that are read at first; without a number, only one page would come. */
const maxListed = 2000;

/** Tells of a journal's exchanges, those that are there and those that come, until it is aborted. */
export async function followJournal(sandbox: string, follower: Follower, signal: AbortSignal): Promise<void> {
  const { more, connected } = follower;
  const place = `/control/sandboxes/${encodeURIComponent(sandbox)}/journal`;
  let last = '';
  while (!signal.aborted) {
    try {
      const since: Readonly<Record<string, string>> = last === '' ? {} : { 'Last-Event-ID': last };
      const reply = await send('get', `${place}/stream`, undefined, { signal, headers: since });
      // The stream is open before the list is read, so nothing falls between the two; what is in both is told twice.
      if (last === '') {
        const { entries } = (await (
          await send('get', `${place}?limit=${maxListed}`, undefined, { signal })
        ).json()) as Schemas['JournalPage'];
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

/** Tells of an event; gives the request id where it is an exchange. */
function tell({ name, data }: ServerEvent, { more, emptied, missed }: Follower): string | null {
  if (name === 'emptied') emptied();
  if (name === 'gap' && isMissed(data)) missed();
  if (name !== 'exchange') return null;
  const entry = JSON.parse(data) as Entry;
  more([entry]);
  return entry.requestId;
}

/** Whether a gap hides anything: nothing does if the journal was emptied, or the server restarted, while nobody listened. */
function isMissed(data: string): boolean {
  // As openapi/control.yaml has it.
  const { evicted, skipped = 0 } = JSON.parse(data) as { readonly evicted: number; readonly skipped?: number };
  return evicted > 0 || skipped > 0;
}

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a stream of server-sent events, as this server writes them: a line of data each. */
async function* eventsOf(reply: Response): AsyncGenerator<ServerEvent> {
  if (reply.body === null) return;
  let rest = '';
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n');
      const [name, data] = ['event: ', 'data: '].map((label) => lines.find((line) => line.startsWith(label))?.slice(label.length));
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
