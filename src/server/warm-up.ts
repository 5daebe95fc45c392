import { after } from '../sandbox/clock.ts';

/** How long no request came before something is loaded, in milliseconds. */
const quietMs = 150;

/** How often a busy server puts the next load off. */
const maxPutOff = 20;

/**
 * Loads what requests may need later, one part at a time while no requests come, so that an upgrade of the package under the running
 * server, or a lack of file descriptors, takes nothing away. A part that cannot be loaded now is loaded when a request needs it.
 * `requests` counts the requests that came.
 */
export function warmUp(parts: readonly (() => Promise<unknown>)[], requests: () => number): { cancel(): void } {
  let next = 0;
  let putOff = 0;
  let seen = requests();
  let timer = after(quietMs, step);
  function step(): void {
    const isBusy = requests() !== seen;
    seen = requests();
    if (isBusy && putOff < maxPutOff) {
      putOff += 1;
      timer = after(quietMs, step);
      return;
    }
    putOff = 0;
    const load = parts[next];
    next += 1;
    if (load === undefined || cancelled) return;
    const go = (): void => {
      if (!cancelled) timer = after(quietMs, step);
    };
    load().then(go, go);
  }
  let cancelled = false;
  return {
    cancel: () => {
      cancelled = true;
      timer.cancel();
    },
  };
}
