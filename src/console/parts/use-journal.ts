import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ControlProblem } from '../api.ts';
import { followJournal, listEntries, type Entry, type EntryPage } from '../journal-stream.ts';

/** Entries shown at most. The server stores fewer, but a page that stays open receives more. */
const maxEntries = 10_000;

export interface FollowedJournal {
  /** Newest first; null until loaded. */
  readonly entries: readonly Entry[] | null;
  /** What occurs in the whole journal, as it was when the entries were loaded. */
  readonly values: EntryPage['values'];
  /** Grows whenever the entries were discarded because the journal no longer has them. */
  readonly round: number;
  /** Why the journal is not live; null if it is. */
  readonly problem: ControlProblem | null;
  /** What happened while the page was disconnected, other than new entries. */
  readonly gap: Gap | null;
  /** Whether there are entries before the shown ones, for `loadOlder`. */
  readonly hasOlder: boolean;
  readonly loadOlder: () => Promise<void>;
  /** Removes the shown entries. */
  readonly clear: () => void;
}

/** Entries are missing between the shown ones, or all earlier ones are gone. */
export type Gap = 'missing' | 'emptied';

const noValues: EntryPage['values'] = { operations: [], outcomes: [], statuses: [] };

/** Follows a sandbox's journal. Renders at most once per frame, however fast entries arrive. */
export function useJournal(sandbox: string): FollowedJournal {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [values, setValues] = useState(noValues);
  const [problem, setProblem] = useState<ControlProblem | null>(null);
  const [gap, setGap] = useState<Gap | null>(null);
  const [hasOlder, setHasOlder] = useState(false);
  const [round, setRound] = useState(0);
  /** As a reference, so that a response can tell whether it is about an earlier round. */
  const latest = useRef(0);
  const replace = (all: readonly Entry[], more: boolean): void => {
    setEntries(all);
    setHasOlder(more);
    latest.current += 1;
    setRound(latest.current);
  };
  const clear = useCallback((why: Gap | null = null) => {
    replace([], false);
    setGap(why);
  }, []);
  const loadOlder = useCallback(async () => {
    const asked = latest.current;
    const page = await listEntries(sandbox);
    if (asked !== latest.current) return;
    setValues(page.values);
    setEntries((before) => withOlder(before ?? [], page.entries));
    setHasOlder(page.more);
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
    const listed = (page: EntryPage): void => {
      waiting = [];
      setValues(page.values);
      replace(page.entries.toReversed(), page.more);
    };
    const emptied = (when: 'seen' | 'unseen'): void => {
      waiting = [];
      clear(when === 'unseen' ? 'emptied' : null);
    };
    const missed = (): void => setGap('missing');
    const follower = { more, listed, emptied, missed, connected: setProblem };
    void followJournal(sandbox, follower, end.signal);
    return () => {
      end.abort();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [sandbox]);
  return { entries, values, round, problem, gap, hasOlder, loadOlder, clear };
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
