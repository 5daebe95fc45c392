import { after } from '../sandbox/clock.ts';

/** The time without requests before a module is loaded. */
const quietMs = 150;

/** How often a busy server postpones the next load. */
const maxPostponed = 20;

/**
 * Loads the modules that requests may need later, one at a time while no requests come. Then neither an
 * upgrade of the installed package nor a lack of file descriptors can affect the running server. A module
 * that cannot be loaded now is loaded when a request needs it. `requests` returns the number of requests so
 * far.
 */
export function warmUp(
  parts: readonly (() => Promise<unknown>)[],
  requests: () => number,
): { cancel(): void } {
  let next = 0;
  let postponed = 0;
  let lastCount = requests();
  let timer = after(quietMs, step);
  function step(): void {
    const isBusy = requests() !== lastCount;
    lastCount = requests();
    if (isBusy && postponed < maxPostponed) {
      postponed += 1;
      timer = after(quietMs, step);
      return;
    }
    postponed = 0;
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

/**
 * Modules that only some requests to the control plane need: for seeds, fault rules, scenarios, assumptions
 * and generated records.
 */
export const lazyModules = [
  () => import('../store/check-seed.ts'),
  () => import('../store/load-saved.ts'),
  () => import('../faults/check-rule.ts'),
  () => import('../store/yaml-parser.ts'),
  () => import('../contract/generated/contract.js'),
  () => import('../contract/compile.ts'),
  () => import('../generate/author.ts'),
  () => import('../generate/world.ts'),
];
