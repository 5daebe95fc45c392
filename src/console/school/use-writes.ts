import { useEffect, useState } from 'preact/hooks';
import { followJournal } from '../journal-stream.ts';
import { writing } from '../parts/writing.ts';

/** Follows the journal of a sandbox. Returns a number that grows after calls that may have changed records. */
export function useWrites(sandbox: string): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = (): void => {
      timer = undefined;
      setChanges((before) => before + 1);
    };
    const more = (entries: readonly { readonly operation: string | null }[]): void => {
      // A client may write a hundred times a second.
      if (entries.some(({ operation }) => writing.test(operation ?? ''))) timer ??= setTimeout(count, 500);
    };
    const nothing = (): void => {};
    const follower = { more, emptied: nothing, missed: nothing, connected: nothing };
    void followJournal(sandbox, follower, end.signal, { first: 0 });
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [sandbox]);
  return changes;
}
