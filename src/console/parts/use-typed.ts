import { useEffect, useRef, useState } from 'preact/hooks';
import { afterBack, beforeDeparture } from '../route.ts';

/** How long a person must not type before the server searches, in milliseconds. */
const pauseMs = 250;

/** Browsers refuse more changes of the address: about 100 in 10 seconds. A held key repeats faster. */
const [maxNotes, notesMs] = [40, 10_000];

/** A longer text makes an address that no server accepts. */
export const maxTyped = 1000;

/** The text of a search, which the address has. */
export interface KeptText {
  readonly text: string;
  /** Searches for another text, and puts it into the address. */
  readonly keep: (text: string) => void;
  /** Puts a text into the address, before the search: after *Back* it is too late. */
  readonly note: (text: string) => void;
}

/**
 * Returns the text in the search field. It follows the text of the search, which follows it once a person has stopped
 * typing, or leaves.
 */
export function useTyped({
  text,
  keep,
  note,
}: KeptText): readonly [typed: string, set: (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState<string | null>(text);
  const noted = useRef<readonly number[]>([]);
  if (known !== text) {
    setKnown(text);
    // Spaces at the end are kept while a person types.
    if (typed.trim() !== text) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const settle = (): void => keep(typed.trim());
    const timer = setTimeout(settle, pauseMs);
    const end = beforeDeparture(() => {
      settle();
      // The next address has a text of its own.
      setKnown(typed.trim());
    });
    const endBack = afterBack(() => {
      clearTimeout(timer);
      setKnown(null);
    });
    return () => {
      clearTimeout(timer);
      end();
      endBack();
    };
  }, [typed, text, keep]);
  const set = (next: string): void => {
    setTyped(next);
    const now = Date.now();
    const recent = noted.current.filter((time) => now - time < notesMs);
    if (recent.length >= maxNotes) return;
    noted.current = [...recent, now];
    note(next.trim());
  };
  return [typed, set];
}
