import { useCallback, useEffect, useState } from 'preact/hooks';
import { asProblem, tokenKept, type ControlProblem } from '../api.ts';

/** A loaded value, the last error, and a function to load again. */
export interface Loaded<T> {
  /** Null until loaded. */
  readonly value: T | null;
  readonly problem: ControlProblem | null;
  readonly refresh: () => void;
}

/** Loads on mount, when `keys` change, when there is a new token, and every `everyMs` milliseconds while the page is visible. */
export function useLoad<T>(
  load: () => Promise<T>,
  keys: readonly unknown[],
  everyMs: number | null = null,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'refresh'>>({ value: null, problem: null });
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    addEventListener(tokenKept, refresh);
    return () => removeEventListener(tokenKept, refresh);
  }, []);
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      if (everyMs !== null && wanted) timer = setTimeout(run, everyMs);
    };
    const run = (): void => {
      if (document.hidden) return again();
      load()
        .then(
          (value) => wanted && setState({ value, problem: null }),
          (error: unknown) => wanted && setState(({ value }) => ({ value, problem: asProblem(error) })),
        )
        .finally(again);
    };
    run();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [...keys, everyMs, round]);
  return { ...state, refresh };
}
