import type { CheckedRule } from './rule.ts';

/** A named script of rules, checked. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly lesson?: string;
  readonly rules: readonly CheckedRule[];
}
