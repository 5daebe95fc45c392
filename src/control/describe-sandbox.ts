import type { components } from '../contract/generated/control.ts';
import { keyOf, shortened } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { readClock } from './clock.ts';

export type SandboxDescription = components['schemas']['Sandbox'];

/** Describes a sandbox as people and programs see it; keys are whole only where it is made. A sandbox may have very many schools. */
export function* describingSandbox(sandbox: Sandbox, baseUrl: string, keys: 'whole' | 'shortened'): SlicedWork<SandboxDescription> {
  const { id, origin, state, randomSeed, faults, clock, createdAt, ttlSeconds, journal } = sandbox;
  const schools: SandboxDescription['schools'][number][] = [];
  for (const { name, slug } of state.collection('schools').all()) {
    const key = keyOf(id, slug);
    schools.push({ name, slug, apiKey: keys === 'whole' ? key : shortened(key) });
    yield;
  }
  return {
    id,
    schools,
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

/** Describes all of them, each as it is when its turn comes. */
export function* describingSandboxes(
  sandboxes: Sandboxes,
  baseUrl: string,
): SlicedWork<{ readonly sandboxes: readonly SandboxDescription[] }> {
  const described: SandboxDescription[] = [];
  // One that is removed meanwhile is not come to, and a new one is.
  for (const sandbox of sandboxes.all) {
    described.push(yield* describingSandbox(sandbox, baseUrl, 'shortened'));
    yield;
  }
  return { sandboxes: described };
}
