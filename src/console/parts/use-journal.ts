import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ControlProblem } from '../api.ts';
import { followJournal, type Entry } from '../journal-stream.ts';

/** Entries shown at most. The server stores fewer, but a page that stays open receives more. */
const maxEntries = 10_000;

export interface FollowedJournal {
  /** Newest first; null until loaded. */
  readonly entries: readonly Entry[] | null;
  /** Why the journal is not live; null if it is. */
  readonly problem: ControlProblem | null;
  /** Whether entries are missing between the shown ones. */
  readonly hasGap: boolean;
  /** Removes the shown entries. */
  readonly clear: () => void;
}

/** Follows a sandbox's journal. Renders at most once per frame, however fast entries arrive. */
export function useJournal(sandbox: string): FollowedJournal {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [problem, setProblem] = useState<ControlProblem | null>(null);
  const [hasGap, setHasGap] = useState(false);
  const clear = useCallback(() => {
    setEntries([]);
    setHasGap(false);
  }, []);
  useEffect(() => {
    const end = new AbortController();
    let waiting: Entry[] = [];
    let frame: number | null = null;
    const draw = (): void => {
      frame = null;
      const fresh = waiting;
      waiting = [];
      setEntries((before) => merged(before ?? [], fresh));
    };
    const more = (some: readonly Entry[]): void => {
      waiting.push(...some);
      frame ??= requestAnimationFrame(draw);
    };
    const emptied = (): void => {
      waiting = [];
      clear();
    };
    void followJournal(
      sandbox,
      { more, emptied, missed: () => setHasGap(true), connected: setProblem },
      end.signal,
    );
    return () => {
      end.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [sandbox]);
  return { entries, problem, hasGap, clear };
}

/** Identifies an entry. A restarted server reuses request ids, so the time is needed too. */
export function identityOf({ requestId, receivedAt }: Entry): string {
  return `${requestId} ${receivedAt}`;
}

/** Puts new entries first, without duplicates: the stream may repeat the end of the list. */
function merged(before: readonly Entry[], fresh: readonly Entry[]): readonly Entry[] {
  const known = new Set(before.slice(0, 4000).map(identityOf));
  return [...fresh.filter((entry) => !known.has(identityOf(entry))).toReversed(), ...before].slice(
    0,
    maxEntries,
  );
}
