import type { components } from '../contract/generated/control.ts';
import { keyOf, shortened } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readClock } from './clock.ts';

export type SandboxDescription = components['schemas']['Sandbox'];

/** A sandbox as people and programs see it; keys are whole only where it is made. */
export function describeSandbox(sandbox: Sandbox, baseUrl: string, keys: 'whole keys' | 'shortened keys'): SandboxDescription {
  const { id, origin, state, randomSeed, faults, clock, createdAt, ttlSeconds, journal } = sandbox;
  return {
    id,
    schools: sandbox.schools().map(({ name, slug }) => {
      const key = keyOf(id, slug);
      return { name, slug, apiKey: keys === 'whole keys' ? key : shortened(key) };
    }),
    baseUrl,
    seed: state.seed.name,
    randomSeed,
    scenario: faults.scenario?.name ?? null,
    clock: readClock(clock),
    createdAt: new Date(createdAt).toISOString(),
    ttlSeconds,
    origin,
    exchanges: journal.count,
    changedRecords: state.changedRecords,
  };
}
