import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Scenario } from '../faults/scenario.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import type { Authors } from './made-up.ts';
import type { JournalMemory } from './journal-memory.ts';
import type { Sandbox, SandboxPlan } from './sandbox.ts';
import type { Seed } from './seed.ts';
import type { StateMemory } from './state-memory.ts';
import type { ViewMemory } from './view-memory.ts';

/** The settings of a sandbox that the request does not set. */
export interface SandboxDefaults {
  readonly seed: Seed;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly randomSeed: number;
  readonly limitScale: number | null;
  readonly scenario: Scenario | null;
  readonly labels: boolean;
  readonly authors?: Authors;
  readonly caps?: ServerLimits;
  readonly journalMemory?: JournalMemory;
  readonly stateMemory?: StateMemory;
  readonly viewMemory?: ViewMemory;
}

export type SandboxRequest = Pick<SandboxPlan, 'id' | 'origin' | 'clock' | 'ttlSeconds'> &
  Partial<SandboxDefaults>;

export interface SandboxesOptions {
  /** Whether a key creates its sandbox if it does not exist. */
  readonly autoCreate?: boolean;
  readonly maxSandboxes?: number;
  /**
   * The seconds of real time without use after which a sandbox that a key created is deleted. Null for never.
   */
  readonly idleSeconds?: number | null;
  readonly onCreate?: (sandbox: Sandbox) => void;
  readonly onRemove?: (sandbox: Sandbox) => void;
}

/** The default maximum number of sandboxes. */
export const defaultMaxSandboxes = 5000;
