import type { ArmedRule, FaultRule } from './rule.ts';

/** Returns a rule as the control plane shows it. */
export function shownRule(armed: ArmedRule, shownKey: (key: string) => string, now: number): FaultRule {
  const { id, scenario, matched, fired, checked } = armed;
  const { rule } = checked;
  const { match } = rule;
  const shown = match?.key === undefined ? {} : { match: { ...match, key: shownKey(match.key) } };
  return { ...rule, ...shown, id, scenario, matched, fired, canFire: armed.canFire(now) };
}
