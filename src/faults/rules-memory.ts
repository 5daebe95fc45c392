import { weightOf } from '../base/weight.ts';
import type { components } from '../contract/generated/state.ts';
import type { CheckedRule } from './rule.ts';
import type { Scenario } from './scenario.ts';

type Schemas = components['schemas'];

/** What rules and requested faults have counted. */
export type FaultCounts = Pick<Schemas['FaultFacts'], 'requested'> & {
  readonly rules: readonly Pick<Schemas['RuleFacts'], 'id' | 'matched' | 'fired' | 'calls'>[];
};

/** Saved rules, without their counters. */
export interface RulesMemory {
  readonly scenario: Scenario | null;
  /** In the order in which they are tried, each with its scenario. */
  readonly rules: readonly { readonly checked: CheckedRule; readonly scenario: string | null }[];
}

/** The memory budget of rules. */
export interface RulesRoom {
  /** Reserves or releases the change in size. Throws CapacityError, without reserving anything. */
  change(growth: number): void;
}

/** Returns the memory that rules occupy, in bytes. */
export function weightOfRules(rules: readonly { readonly checked: CheckedRule }[]): number {
  return rules.reduce((sum, { checked }) => sum + weightOf(checked.rule), 0);
}
