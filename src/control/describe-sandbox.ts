import type { components } from '../contract/generated/control.ts';
import { keyOf, shortened } from '../sandbox/keys.ts';
import type { Summary } from '../sandbox/summary.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { readClock } from './clock.ts';

export type SandboxDescription = components['schemas']['Sandbox'];

/**
 * Describes a sandbox; only the response to its creation has whole keys. A sandbox may have very many
 * schools.
 */
export function* describeSandbox(
  sandbox: Summary,
  baseUrl: string,
  keys: 'whole' | 'shortened',
): SlicedWork<SandboxDescription> {
  const { id, origin, seed, randomSeed, scenario, clock, createdAt, ttlSeconds } = sandbox;
  const schools: SandboxDescription['schools'][number][] = [];
  for (const { name, slug } of sandbox.schools) {
    const key = keyOf(id, slug);
    schools.push({ name, slug, apiKey: keys === 'whole' ? key : shortened(key) });
    yield;
  }
  return {
    id,
    schools,
    baseUrl,
    seed,
    randomSeed,
    scenario,
    clock: readClock(clock),
    createdAt: new Date(createdAt).toISOString(),
    ttlSeconds,
    origin,
    exchanges: sandbox.exchanges,
    changedRecords: sandbox.changedRecords,
    ...(sandbox.upstream === null ? {} : { upstream: sandbox.upstream }),
  };
}
