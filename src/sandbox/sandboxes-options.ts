import type { Sandbox } from './sandbox.ts';
import type { SandboxPlan } from './sandbox-plan.ts';

/** The settings of a sandbox that the request does not set. */
export type SandboxDefaults = Omit<SandboxPlan, 'id' | 'origin' | 'clock' | 'ttlSeconds'>;

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
