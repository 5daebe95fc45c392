import { useEffect, useState } from 'preact/hooks';
import { beforeDeparture } from '../route.ts';

/** How long a person must not type before the server searches, in milliseconds. */
const pauseMs = 250;

/** A longer text makes an address that no server accepts. */
export const maxTyped = 1000;

/** Returns the text in the search field. It follows the text of the search, which follows it once a person has stopped typing, or leaves. */
export function useTyped(
  text: string,
  onSettled: (text: string) => void,
): readonly [typed: string, set: (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    // Spaces at the end are kept while a person types.
    if (typed.trim() !== text) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const settle = (): void => onSettled(typed.trim());
    const timer = setTimeout(settle, pauseMs);
    const end = beforeDeparture(() => {
      settle();
      // The next address has a text of its own.
      setKnown(typed.trim());
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [typed, text, onSettled]);
  return [typed, setTyped];
}
