import { assumptionNames } from '../assumptions.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxDefaults } from './sandboxes-options.ts';

/**
 * Returns whether the same key would create the same sandbox again, because nothing in it was changed.
 * Ignores the journal: every call is in it, so it would protect every sandbox that a key created.
 */
export function isExpendable(
  { origin, requestsInFlight, state, options, clock, limits, faults, snapshots }: Sandbox,
  defaults: SandboxDefaults,
): boolean {
  return (
    origin === 'key' &&
    // A request in progress may change the sandbox.
    requestsInFlight === 0 &&
    state.changedRecords === 0 &&
    clock.isReal &&
    limits.scale === defaults.limitScale &&
    limits.own.size === 0 &&
    snapshots.size === 0 &&
    faults.areOf(defaults.scenario) &&
    assumptionNames.every((name) => options[name] === defaults.options[name])
  );
}

/** Returns whether a stored sandbox could leave memory now, and nobody would notice but in its journal. */
export function isAtRest({ ttlSeconds, requestsInFlight, journal }: Sandbox): boolean {
  return ttlSeconds === null && requestsInFlight === 0 && !journal.hasListeners;
}
