import type { ShownClock } from './clock.ts';
import type { Sandbox, School } from './sandbox.ts';

/** More schools than this are not kept for a sandbox that leaves memory. */
const mostSchools = 100;

/** What a list of sandboxes says about one. */
export interface Summary extends Pick<
  Sandbox,
  'id' | 'origin' | 'randomSeed' | 'createdAt' | 'usedAt' | 'ttlSeconds'
> {
  readonly clock: ShownClock;
  readonly schools: Iterable<Pick<School, 'name' | 'slug'>>;
  readonly seed: string;
  readonly scenario: string | null;
  readonly exchanges: number;
  readonly changedRecords: number;
  /** The memory of the changed records, the snapshots and the fault rules. */
  readonly stateBytes: number;
  readonly upstream: string | null;
}

export function summaryOf(sandbox: Sandbox): Summary {
  const { id, origin, clock, randomSeed, createdAt, usedAt, ttlSeconds, state, faults, journal } = sandbox;
  return {
    id,
    origin,
    clock,
    randomSeed,
    createdAt,
    usedAt,
    ttlSeconds,
    schools: state.collection('schools').all(),
    seed: state.seed.name,
    scenario: faults.scenario?.name ?? null,
    exchanges: journal.count,
    changedRecords: state.changedRecords,
    stateBytes: sandbox.stateRoom.usedBytes,
    upstream: faults.upstream,
  };
}

/** Returns what to keep of a sandbox that leaves memory, without its journal; null if that would be much. */
export function shelvedSummary(sandbox: Sandbox): Summary | null {
  const schools = sandbox.schools(mostSchools + 1);
  return schools.length > mostSchools ? null : { ...summaryOf(sandbox), schools, exchanges: 0 };
}
