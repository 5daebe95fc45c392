import type { components } from '../contract/generated/control.ts';
import { keyOf, shortened } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { readClock } from './clock.ts';

export type SandboxDescription = components['schemas']['Sandbox'];

/**
 * Describes a sandbox; only the response to its creation has whole keys. A sandbox may have very many
 * schools.
 */
export function* describeSandbox(
  sandbox: Sandbox,
  baseUrl: string,
  keys: 'whole' | 'shortened',
): SlicedWork<SandboxDescription> {
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

/** Describes all sandboxes, each in its state at that moment. */
export function* describeSandboxes(
  sandboxes: Sandboxes,
  baseUrl: string,
): SlicedWork<{ readonly sandboxes: readonly SandboxDescription[] }> {
  const described: SandboxDescription[] = [];
  // The iteration skips sandboxes that are deleted meanwhile and includes new ones.
  for (const sandbox of sandboxes.all) {
    described.push(yield* describeSandbox(sandbox, baseUrl, 'shortened'));
    yield;
  }
  return { sandboxes: described };
}
