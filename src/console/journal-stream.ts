import { asProblem, send, type ControlProblem, type Schemas } from './api.ts';

export type Entry = Schemas['JournalEntry'];

/** What whoever follows a journal is told. */
export interface Follower {
  /** Exchanges in the order in which they came. */
  readonly more: (entries: readonly Entry[]) => void;
  /** Whether what is told is live; the problem where it is not. */
  readonly connected: (problem: ControlProblem | null) => void;
}

/** Tells of a journal's exchanges, those that are there and those that come, until it is aborted. */
export async function followJournal(sandbox: string, { more, connected }: Follower, signal: AbortSignal): Promise<void> {
  const place = `/control/sandboxes/${encodeURIComponent(sandbox)}/journal`;
  let last = '';
  while (!signal.aborted) {
    try {
      const since: Readonly<Record<string, string>> = last === '' ? {} : { 'Last-Event-ID': last };
      const reply = await send('get', `${place}/stream`, undefined, { signal, headers: since });
      // The stream is open before the list is read, so nothing falls between the two; what is in both is told twice.
      if (last === '') {
        const { entries } = (await (await send('get', place, undefined, { signal })).json()) as Schemas['JournalPage'];
        more(entries);
        last = entries.at(-1)?.requestId ?? '';
      }
      connected(null);
      for await (const entry of entriesOf(reply)) {
        last = entry.requestId;
        more([entry]);
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      connected(problem);
      if (problem.status >= 400 && problem.status < 500) return;
    }
    await pause(1500, signal);
  }
}

/** The exchanges in a stream of server-sent events. */
async function* entriesOf(reply: Response): AsyncGenerator<Entry> {
  if (reply.body === null) return;
  let rest = '';
  for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n');
      const data = lines.find((line) => line.startsWith('data: '));
      if (data !== undefined && lines.includes('event: exchange')) yield JSON.parse(data.slice(6)) as Entry;
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
