import type { components } from '../contract/generated/control.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type Revision = components['schemas']['Revision'];

/** Returns how often each part of a sandbox that a snapshot restores was changed. */
export function readRevision({ state, clock, optionChanges, faults }: Sandbox): Revision {
  return {
    loadedAt: new Date(clock.startedAt).toISOString(),
    records: state.revision,
    clock: clock.changes,
    assumptions: optionChanges,
    rules: faults.changes,
  };
}
