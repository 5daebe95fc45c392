import type { ArmedRule, FaultRule } from '../faults/rule.ts';
import { parseKey, shortened } from '../sandbox/keys.ts';
import { schoolOf } from '../sandbox/known-callers.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** Returns a rule as the control plane shows it: with a shortened key, and the school of the whole key. */
export function shownRule(sandbox: Sandbox, armed: ArmedRule, now: number): FaultRule {
  const { id, scenario, matched, fired, checked } = armed;
  const { rule } = checked;
  const { match } = rule;
  const shown =
    match?.key === undefined
      ? {}
      : { match: { ...match, key: shortened(match.key) }, keySchool: schoolOfKey(sandbox, match.key) };
  return { ...rule, ...shown, id, scenario, matched, fired, canFire: canFire(sandbox, armed, now) };
}

/** Returns whether a rule can affect a call at `now` or later: its conditions and its key allow it. */
export function canFire(sandbox: Sandbox, armed: ArmedRule, now: number): boolean {
  const { match: { key, school } = {} } = armed.checked.rule;
  if (!armed.canFire(now)) return false;
  if (key === undefined) return true;
  const keySchool = schoolOfKey(sandbox, key);
  return keySchool !== null && (school ?? keySchool) === keySchool;
}

/** Returns the slug of the school that a key identifies in the sandbox; null if calls with it never reach the sandbox. */
function schoolOfKey(sandbox: Sandbox, key: string): string | null {
  const parsed = parseKey(key);
  if (parsed === null || parsed.sandboxId !== sandbox.id) return null;
  return schoolOf(sandbox.school(parsed.slug), parsed)?.slug ?? null;
}
