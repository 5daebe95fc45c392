import type { ArmedRule, FaultRule } from './rule.ts';

/** Returns a rule as the control plane shows it. */
export function shownRule(
  { id, scenario, matched, fired, checked: { rule } }: ArmedRule,
  shownKey: (key: string) => string,
): FaultRule {
  const { match } = rule;
  const shown = match?.key === undefined ? {} : { match: { ...match, key: shownKey(match.key) } };
  return { ...rule, ...shown, id, scenario, matched, fired };
}
