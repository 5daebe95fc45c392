import { paragraph } from '../contract/violation.ts';
import type { FaultRule, NewFaultRule } from '../faults/rule.ts';
import { shownRule } from '../faults/rules.ts';
import { shortened } from '../sandbox/keys.ts';
import { Misuse } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readScenario } from '../store/read-scenario.ts';

/** Adds a rule behind the others. Throws Misuse, with all that is wrong, for a rule that does not fit; then nothing has changed. */
export async function addRule(sandbox: Sandbox, input: NewFaultRule): Promise<FaultRule> {
  const { checkRule } = await import('../faults/check-rule.ts');
  // A copy, so that the caller's own object can change later without changing the rule.
  const checked = checkRule(structuredClone(input));
  if (!('rule' in checked)) throw new Misuse(`The rule does not fit. ${paragraph(checked, 0, 'It')}`);
  const { id } = checked.rule;
  if (id !== undefined && sandbox.faults.get(id) !== undefined) throw new Misuse(`There is a rule "${id}" already.`);
  return shownRule(sandbox.faults.add(checked, sandbox.clock.now()), shortened);
}

/** The rules in the order in which they are tried. */
export function listRules({ faults }: Sandbox): readonly FaultRule[] {
  return faults.all.map((rule) => shownRule(rule, shortened));
}

/** Throws Misuse for a rule that is not there. */
export function removeRule({ faults }: Sandbox, id: string): void {
  if (faults.remove(id)) return;
  const known = faults.all.map((rule) => rule.id);
  throw new Misuse(`There is no rule "${id}". ${known.length === 0 ? 'There is none at all.' : `The rules are ${known.join(', ')}.`}`);
}

/** Plays a scenario from now on, by its name or from a file, in the place of the one before; null stops it. */
export async function playScenario(sandbox: Sandbox, nameOrFile: string | null): Promise<void> {
  const scenario = nameOrFile === null ? null : await readScenario(nameOrFile);
  const clash = scenario?.rules.find(({ rule: { id = '' } }) => sandbox.faults.get(id)?.scenario === null);
  if (clash !== undefined) throw new Misuse(`The scenario has a rule "${clash.rule.id}", and so has the sandbox. Remove that one first.`);
  sandbox.faults.play(scenario, sandbox.clock.now());
}
