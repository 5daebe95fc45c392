import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import type { Entry } from '../../journal-stream.ts';
import { identityOf } from '../../parts/use-journal.ts';

/** The interval of looking, in milliseconds. */
const everyMs = 3000;

/**
 * Returns the identities of the entries, newest first, that the server no longer stores. It tells only how
 * many it stores, so those that arrive meanwhile are not counted as the newest.
 */
export function useEvicted(sandbox: string, entries: readonly Entry[] | null): ReadonlySet<string> {
  const latest = useRef(entries);
  latest.current = entries;
  const [firstGone, setFirstGone] = useState<string | null>(null);
  useEffect(() => {
    const look = async (): Promise<void> => {
      const known = latest.current ?? [];
      if (document.hidden || known.length === 0) return;
      const { exchanges } = await ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: sandbox });
      const gone = known[exchanges];
      setFirstGone(gone === undefined ? null : identityOf(gone));
    };
    // A failure shows in the state of the connection.
    const timer = setInterval(() => void look().catch(() => {}), everyMs);
    return () => clearInterval(timer);
  }, [sandbox]);
  return useMemo(() => {
    const from = firstGone === null ? -1 : (entries ?? []).findIndex((one) => identityOf(one) === firstGone);
    return new Set(from < 0 ? [] : (entries ?? []).slice(from).map(identityOf));
  }, [firstGone, entries]);
}
