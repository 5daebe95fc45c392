import type { components } from '../contract/generated/state.ts';
import type { CheckedRule } from './rule.ts';

/** A named list of valid rules. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly lesson?: string;
  readonly rules: readonly CheckedRule[];
}

/** Returns a scenario as plain data. */
export function savedScenario({
  name,
  summary,
  lesson,
  rules,
}: Scenario): components['schemas']['ScenarioFacts'] & object {
  return {
    name,
    summary,
    ...(lesson === undefined ? {} : { lesson }),
    rules: rules.map(({ rule }) => rule),
  };
}
