import type { Options } from '../assumptions.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Templates } from '../settings/refusal-templates.ts';
import type { Scenario } from '../faults/scenario.ts';
import type { TurnsToTake } from './turn.ts';
import type { Facts } from './facts.ts';
import type { Latencies } from '../faults/latencies.ts';
import type { JournalMemory } from './journal-memory.ts';
import type { Authors } from './made-up.ts';
import type { Quotas } from './quotas.ts';
import type { Seed } from './seed.ts';
import type { StateMemory } from './state-memory.ts';
import type { CounterMemory } from './counter-memory.ts';
import type { ViewMemory } from './view-memory.ts';

/** How a sandbox was created: with the server, through the control plane, or by a key that names it. */
export type Origin = 'server' | 'control-plane' | 'key';

/** The settings of a new sandbox. */
export interface SandboxPlan {
  readonly id: string;
  readonly origin: Origin;
  /** False for the one that stands for none, which no key leads to; true by default. */
  readonly isReachable?: boolean;
  readonly seed: Seed;
  readonly options: Options;
  readonly checks: ParameterChecks;
  /** The texts of the option `template`; none by default. */
  readonly templates?: Templates;
  readonly randomSeed: number;
  /** Scales every rate limit. Null turns limits off. */
  readonly limitScale: number | null;
  /** The fault scenario that plays from the beginning, or null. */
  readonly scenario: Scenario | null;
  /** The service to which a proxy forwards all calls, so that none reaches the sandbox; null by default. */
  readonly upstream?: string | null;
  /** How long calls take; by default, no longer than necessary. */
  readonly latencies?: Latencies | null;
  /** Whether injected replies carry the header `Sandbox-Fault`. */
  readonly labels: boolean;
  /** Real time by default. */
  readonly clock?: Facts['clock'];
  /** When it was created, in real time; now by default. */
  readonly createdAt?: number;
  /** Required if the options synthesize records. */
  readonly authors?: Authors;
  /** The seconds of real time without use after which the sandbox is deleted. Null for never. */
  readonly ttlSeconds?: number | null;
  /** The turns of the event loop in which waiting requests continue; those of the server. */
  readonly turns: TurnsToTake;
  /** The limits of the server. */
  readonly caps?: ServerLimits;
  /** Those that the sandbox has of its own; none by default. */
  readonly quotas?: Quotas;
  /** The memory that all journals of the server share. */
  readonly journalMemory?: JournalMemory;
  /** The memory that the changed records of all sandboxes of the server share. */
  readonly stateMemory?: StateMemory;
  /** The memory that the views of all sandboxes of the server share. */
  readonly viewMemory?: ViewMemory;
  /** The memory of the counters of the rate limits. */
  readonly counterMemory?: CounterMemory;
}
