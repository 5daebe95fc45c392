import type { CheckedRule } from './rule.ts';

/** A named list of valid rules. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly lesson?: string;
  readonly rules: readonly CheckedRule[];
}
