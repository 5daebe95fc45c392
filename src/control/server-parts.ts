import type { CheckSource } from '../contract/parameter-checks.ts';
import type { SandboxTokens } from '../sandbox/sandbox-tokens.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Seeds } from '../store/read-seed.ts';
import type { SharedReports } from './shared-work.ts';

/** The parts of a server that the control plane uses. */
export interface ServerParts {
  readonly sandboxes: Sandboxes;
  readonly checkSource: CheckSource;
  readonly seeds: Seeds;
  readonly reports: SharedReports;
  /** Null if the server issues no sandbox tokens. */
  readonly tokens: SandboxTokens | null;
}
