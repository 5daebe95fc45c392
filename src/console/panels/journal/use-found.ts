import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type ControlProblem } from '../../api.ts';
import { listEntries } from '../../journal-stream.ts';

/** The pauses before a search, and after one that failed, in milliseconds. */
const pauseMs = { next: 250, failed: 3000 };

interface Wanted {
  readonly text: string;
  /** Of the journal: in the next one, the earlier entries are gone. */
  readonly round: number;
  /** The request id of the newest entry; undefined if there is none. */
  readonly newest: string | undefined;
}

interface Search extends Pick<Wanted, 'text' | 'round'> {
  /** The request ids of the entries with the text. */
  readonly ids: ReadonlySet<string>;
  readonly problem: ControlProblem | null;
}

export interface Found extends Pick<Search, 'ids' | 'problem'> {
  /** Whether all entries have been searched for this text. */
  readonly isComplete: boolean;
}

/** Searches the whole journal for a text, and new entries as they come. Only the server has the bodies. */
export function useFound(sandbox: string, { text, round, newest }: Wanted): Found {
  const [search, setSearch] = useState<Search | null>(null);
  const { current: none } = useRef<ReadonlySet<string>>(new Set());
  const latest = useRef(newest);
  latest.current = newest;
  useEffect(() => {
    if (text === '') return;
    const end = new AbortController();
    let ids = none;
    let upTo: string | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      let problem: ControlProblem | null = null;
      const until = latest.current;
      if (until !== upTo) {
        const conditions = { text, ...(upTo === undefined ? {} : { since: upTo }) };
        try {
          const { entries } = await listEntries(sandbox, conditions, end.signal);
          ids = new Set([...ids, ...entries.map(({ requestId }) => requestId)]);
          upTo = until;
        } catch (error) {
          if (end.signal.aborted) return;
          problem = asProblem(error);
        }
        setSearch({ text, round, ids, problem });
      }
      timer = setTimeout(() => void look(), problem === null ? pauseMs.next : pauseMs.failed);
    };
    timer = setTimeout(() => void look(), pauseMs.next);
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [sandbox, text, round]);
  const current = search !== null && search.text === text && search.round === round ? search : null;
  return {
    ids: current?.ids ?? none,
    isComplete: text === '' || newest === undefined || current !== null,
    problem: current?.problem ?? null,
  };
}
