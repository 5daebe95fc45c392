import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ControlProblem } from '../api.ts';
import { followJournal, listEntries, type Entry } from '../journal-stream.ts';

/** Entries shown at most. The server stores fewer, but a page that stays open receives more. */
const maxEntries = 10_000;

export interface FollowedJournal {
  /** Newest first; null until loaded. */
  readonly entries: readonly Entry[] | null;
  /** Why the journal is not live; null if it is. */
  readonly problem: ControlProblem | null;
  /** Whether entries are missing between the shown ones. */
  readonly hasGap: boolean;
  /** Whether there are entries before the shown ones, for `loadOlder`. */
  readonly hasOlder: boolean;
  readonly loadOlder: () => Promise<void>;
  /** Removes the shown entries. */
  readonly clear: () => void;
}

/** Follows a sandbox's journal. Renders at most once per frame, however fast entries arrive. */
export function useJournal(sandbox: string): FollowedJournal {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [problem, setProblem] = useState<ControlProblem | null>(null);
  const [hasGap, setHasGap] = useState(false);
  const [hasOlder, setHasOlder] = useState(false);
  const clear = useCallback(() => {
    setEntries([]);
    setHasGap(false);
    setHasOlder(false);
  }, []);
  const loadOlder = useCallback(async () => {
    const { entries: all } = await listEntries(sandbox);
    setEntries((before) => withOlder(before ?? [], all));
    setHasOlder(false);
  }, [sandbox]);
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
    const missed = (): void => setHasGap(true);
    const follower = { more, listed: setHasOlder, emptied, missed, connected: setProblem };
    void followJournal(sandbox, follower, end.signal);
    return () => {
      end.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [sandbox]);
  return { entries, problem, hasGap, hasOlder, loadOlder, clear };
}

/** Identifies an entry. A restarted server reuses request ids, so the time is needed too. */
export function identityOf({ requestId, receivedAt }: Entry): string {
  return `${requestId} ${receivedAt}`;
}

/** Appends those of all entries (oldest first) that are older than the shown ones (newest first). */
function withOlder(shown: readonly Entry[], all: readonly Entry[]): readonly Entry[] {
  const oldest = shown.at(-1);
  if (oldest === undefined) return all.toReversed();
  const end = all.findIndex((entry) => identityOf(entry) === identityOf(oldest));
  return [...shown, ...all.slice(0, Math.max(0, end)).toReversed()].slice(0, maxEntries);
}

/** Puts new entries first, without duplicates: the stream may repeat the end of the list. */
function merged(before: readonly Entry[], fresh: readonly Entry[]): readonly Entry[] {
  const known = new Set(before.slice(0, 4000).map(identityOf));
  return [...fresh.filter((entry) => !known.has(identityOf(entry))).toReversed(), ...before].slice(
    0,
    maxEntries,
  );
}
