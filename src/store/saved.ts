import type { Changes } from '../sandbox/state.ts';

/** The state file of a sandbox: its differences from the seed. */
export interface Saved {
  readonly format: typeof format;
  readonly version: typeof version;
  readonly sandbox: string;
  readonly seed: { readonly name: string; readonly fingerprint: string };
  /** The time from which the seed's relative times count (ISO 8601). */
  readonly beginning: string;
  readonly changes: Changes;
}

export const format = 'learning-platform-sandbox/state';
export const version = 1;
