import { useCallback, useEffect, useState } from 'preact/hooks';
import { asProblem, noResponse, tokenKept, type ControlProblem } from '../api.ts';

/** A loaded value, the last error, and a function to load again. */
export interface Loaded<T> {
  /** Null until loaded. */
  readonly value: T | null;
  readonly problem: ControlProblem | null;
  readonly refresh: () => void;
}

/** How long after a request without a response the next one is sent, in milliseconds. */
const retryMs = 3000;

/**
 * Loads on mount, when `keys` change, when there is a new token, and every `everyMs` milliseconds while the page is
 * visible. What got no response is loaded again until there is one.
 */
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
    const again = (pauseMs: number | null): void => {
      if (pauseMs !== null && wanted) timer = setTimeout(run, pauseMs);
    };
    /** Returns when to load again; null for never. */
    const attempt = async (): Promise<number | null> => {
      try {
        const value = await load();
        if (wanted) setState({ value, problem: null });
        return everyMs;
      } catch (error) {
        const problem = asProblem(error);
        if (wanted) setState(({ value }) => ({ value, problem }));
        return everyMs ?? (problem.title === noResponse ? retryMs : null);
      }
    };
    const run = (): void => {
      // A page that becomes visible does not wait long.
      if (document.hidden) again(Math.min(everyMs ?? retryMs, retryMs));
      else void attempt().then(again);
    };
    run();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [...keys, everyMs, round]);
  return { ...state, refresh };
}
