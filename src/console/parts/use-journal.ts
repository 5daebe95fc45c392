import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ControlProblem } from '../api.ts';
import { followJournal, type Entry } from '../journal-stream.ts';

/** How many exchanges the page keeps; the server keeps fewer, but a page that stays open sees more. */
const most = 10_000;

export interface FollowedJournal {
  /** Newest first; null until they are there. */
  readonly entries: readonly Entry[] | null;
  /** Why it is not live; null where it is. */
  readonly problem: ControlProblem | null;
  /** Whether some are missing between those that are shown. */
  readonly hasGap: boolean;
  /** Forgets what is shown. */
  readonly clear: () => void;
}

/** A sandbox's journal as it grows. However fast exchanges come, the page is drawn once per frame. */
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
    void followJournal(sandbox, { more, emptied, missed: () => setHasGap(true), connected: setProblem }, end.signal);
    return () => {
      end.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [sandbox]);
  return { entries, problem, hasGap, clear };
}

/** A server that starts anew begins its request ids anew. */
export function identityOf({ requestId, receivedAt }: Entry): string {
  return `${requestId} ${receivedAt}`;
}

/** The newest first, each once: the end of what was told may be told again. */
function merged(before: readonly Entry[], fresh: readonly Entry[]): readonly Entry[] {
  const known = new Set(before.slice(0, 4000).map(identityOf));
  return [...fresh.filter((entry) => !known.has(identityOf(entry))).toReversed(), ...before].slice(0, most);
}
