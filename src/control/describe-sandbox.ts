import type { components } from '../contract/generated/control.ts';
import { keyOf, shortened } from '../sandbox/keys.ts';
import type { Summary } from '../sandbox/summary.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { readClock } from './clock.ts';
import type { ControlRequest } from './route.ts';
import { inSlices } from './work.ts';

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

/**
 * Describes all sandboxes in the order of their creation, each in its state at that moment. Stored ones are loaded
 * for it, except those that were in memory before.
 */
export async function describeSandboxes(
  request: ControlRequest,
): Promise<{ readonly sandboxes: readonly SandboxDescription[] }> {
  const { parts, baseUrl } = request;
  const described: SandboxDescription[] = [];
  for (const id of parts.sandboxes.ids) {
    // One that cannot be loaded is reported where the server runs, and in the response to a request for it.
    if (parts.sandboxes.summary(id) === null) await parts.sandboxes.load(id)?.catch(() => {});
    const summary = parts.sandboxes.summary(id);
    // It may have been deleted meanwhile.
    if (summary === null) continue;
    described.push(await inSlices(request, describeSandbox(summary, baseUrl, 'shortened')));
  }
  return { sandboxes: described.toSorted(byCreation) };
}

/** The default sandbox first, and those of the same millisecond by name: a restart does not change their order. */
function byCreation(one: SandboxDescription, other: SandboxDescription): number {
  const [former, latter] = [one, other].map(
    ({ createdAt, id }) => `${id === 'default' ? '' : createdAt} ${id}`,
  );
  return (former ?? '') < (latter ?? '') ? -1 : 1;
}
