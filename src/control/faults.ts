import type { components } from '../contract/generated/control.ts';
import { describe, quoted, type Violation } from '../base/violation.ts';
import type { CheckedRule, FaultRule } from '../faults/rule.ts';
import type { Scenario } from '../faults/scenario.ts';
import { ConflictError, CapacityError, NotFoundError, ValidationError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { readScenario } from '../store/read-scenario.ts';
import type { PathPolicy } from '../store/read-seed.ts';
import { firstNames } from '../base/lists.ts';
import { onDemand } from '../base/on-demand.ts';
import { sizeOf } from '../base/json-size.ts';
import { isObject } from '../base/is-object.ts';
import { mergePatch } from './merge-patch.ts';
import { schoolHint } from './school-hint.ts';
import { shownRule } from './shown-rule.ts';

/** Adds a rule at the end. If it is invalid, throws SandboxError with all errors and changes nothing. */
export async function addRule(sandbox: Sandbox, input: unknown): Promise<FaultRule> {
  refuseBehindProxy(sandbox);
  checkRoom(sandbox, sandbox.faults.all.length + 1);
  checkRule(input, sandbox.caps);
  const checked = await checkedRule(input, sandbox.caps);
  checkSchools(sandbox, [checked], () => '');
  checkRoom(sandbox, sandbox.faults.all.length + 1);
  const { id } = checked.rule;
  if (id !== undefined && sandbox.faults.get(id) !== undefined)
    throw new ConflictError(`A rule "${id}" already exists.`);
  const now = sandbox.clock.now();
  return shownRule(sandbox, sandbox.faults.add(checked, now), now);
}

/** Returns the rules in the order of evaluation. */
export function listRules(sandbox: Sandbox): {
  readonly scenario: string | null;
  readonly rules: readonly FaultRule[];
} {
  const { faults, clock } = sandbox;
  const now = clock.now();
  return {
    scenario: faults.scenario?.name ?? null,
    rules: faults.all.map((rule) => shownRule(sandbox, rule, now)),
  };
}

/** Throws NotFoundError. */
export function getRule(sandbox: Sandbox, id: string): FaultRule {
  return shownRule(sandbox, armedRule(sandbox, id), sandbox.clock.now());
}

/** Changes members of a rule (RFC 7396). It keeps its position; its counters are reset. */
export async function changeRule(sandbox: Sandbox, id: string, patch: unknown): Promise<FaultRule> {
  const changed = mergePatch(armedRule(sandbox, id).checked.rule, patch);
  checkRule(changed, sandbox.caps);
  const checked = await checkedRule(changed, sandbox.caps);
  if (checked.rule.id !== undefined && checked.rule.id !== id) {
    throw new ValidationError('The rule is invalid.', [
      { pointer: '/id', message: `must stay ${JSON.stringify(id)}.` },
    ]);
  }
  checkSchools(sandbox, [checked], () => '');
  const now = sandbox.clock.now();
  const armed = sandbox.faults.replace(id, checked, now);
  return armed === null ? getRule(sandbox, id) : shownRule(sandbox, armed, now);
}

/** Throws NotFoundError. */
export function removeRule(sandbox: Sandbox, id: string): void {
  armedRule(sandbox, id);
  sandbox.faults.remove(id);
}

/** The maximum number of rules in a message. */
const maxNamed = 5;

/** Puts deleted rules back. Throws ConflictError if that is not possible, and CapacityError; then it changes nothing. */
export function restoreRules(sandbox: Sandbox, wanted: components['schemas']['RestoredRules']): void {
  const { faults } = sandbox;
  const ids = [...new Set(wanted.ids)];
  const again = ids.find((id) => faults.get(id)?.scenario === null);
  if (again !== undefined)
    throw new ConflictError(`The sandbox has a rule ${quoted(again)} again. Delete that rule first.`);
  checkRoom(sandbox, faults.all.length + ids.filter((id) => faults.get(id) === undefined).length);
  if (faults.restore(ids)) return;
  throw new ConflictError(
    `The server no longer has all of the deleted rules ${firstNames(ids.slice(0, maxNamed + 1).map(quoted), maxNamed)}. It keeps the last 200, until it starts again or needs their memory. Add the rules again.`,
  );
}

/** A scenario, by its name or as a script. */
export type ChosenScenario = components['schemas']['ChosenScenario'];

/** Plays a scenario in place of the previous one. Throws SandboxError for an unknown or invalid scenario. */
export async function playScenario(
  sandbox: Sandbox,
  { name, script }: ChosenScenario,
  pathPolicy: PathPolicy,
): Promise<void> {
  refuseBehindProxy(sandbox);
  const alone = (): number => sandbox.faults.all.filter((rule) => rule.scenario === null).length;
  const rules = rulesIn(script);
  if (script !== undefined) checkRoom(sandbox, alone() + rules.length);
  for (const [index, rule] of rules.entries()) checkRule(rule, sandbox.caps, `/script/rules/${index}`);
  const scenario =
    script === undefined
      ? await readScenario(name, pathPolicy)
      : await checkedScenario(name, script, sandbox.caps);
  for (const [index, { rule }] of scenario.rules.entries())
    checkRule(rule, sandbox.caps, `/script/rules/${index}`);
  checkRoom(sandbox, alone() + scenario.rules.length);
  checkSchools(sandbox, scenario.rules, (index) => `/script/rules/${index}`);
  const clash = scenario.rules.find(({ rule: { id = '' } }) => sandbox.faults.get(id)?.scenario === null);
  if (clash !== undefined)
    throw new ConflictError(
      `The sandbox already has a rule "${clash.rule.id}", which the scenario contains too. Remove that rule first.`,
    );
  sandbox.faults.play(scenario, sandbox.clock.now());
}

/** Ends the scenario and keeps rules that were added individually. */
export function stopScenario({ faults, clock }: Sandbox): void {
  faults.play(null, clock.now());
}

/** Throws CapacityError if the sandbox would have too many rules: each call is compared with every rule. */
function checkRoom({ caps }: Sandbox, rules: number): void {
  if (rules <= caps.faultRules) return;
  throw new CapacityError(
    `The sandbox would have ${rules} fault rules; the limit is ${caps.faultRules} (faultRules). Remove rules first. This is a limit of this server, not of the platform; --max faultRules=${rules} changes it.`,
  );
}

/**
 * Throws ValidationError for a rule that is too large, before any other check: calls are compared with it.
 */
function checkRule(rule: unknown, caps: ServerLimits, pointer = ''): void {
  const { values, characters } = sizeOf(rule, { values: maxRuleValues, characters: caps.faultRuleBytes });
  if (values <= maxRuleValues && characters <= caps.faultRuleBytes) return;
  const message = `has more than ${caps.faultRuleBytes} characters (faultRuleBytes) or ${maxRuleValues} values. These are limits of this server, not of the platform.`;
  throw new ValidationError('The rule is invalid.', [{ pointer, message }]);
}

const maxRuleValues = 1000;

function rulesIn(script: unknown): readonly unknown[] {
  const rules = isObject(script) ? script['rules'] : undefined;
  return Array.isArray(rules) ? rules : [];
}

/** Rejects rules that could never fire. Throws ConflictError. */
export function refuseBehindProxy({ faults: { upstream } }: Sandbox): void {
  if (upstream === null) return;
  throw new ConflictError(
    `This server forwards calls to ${upstream} and does not apply fault rules. To inject faults, point the client at a sandbox: lp-sandbox start.`,
  );
}

/**
 * Rejects rules for unknown schools, which could never fire. `baseOf` returns a rule's pointer in the request
 * body.
 */
function checkSchools(
  sandbox: Sandbox,
  rules: readonly CheckedRule[],
  baseOf: (index: number) => string,
): void {
  const violations = rules.flatMap(({ rule: { match } }, index) => {
    if (match?.school === undefined || sandbox.school(match.school) !== undefined) return [];
    const message = `is not a school of the sandbox: ${quoted(match.school)}.${schoolHint(sandbox, match.school)}`;
    return [{ pointer: `${baseOf(index)}/match/school`, message }];
  });
  if (violations.length > 0) throw new ValidationError('The rule is invalid.', violations);
}

function armedRule({ faults }: Sandbox, id: string) {
  const rule = faults.get(id);
  if (rule !== undefined) return rule;
  const known = faults.all.map((one) => one.id);
  const list = known.length === 0 ? 'The sandbox has no rules.' : `The rules are ${known.join(', ')}.`;
  throw new NotFoundError(`There is no rule ${JSON.stringify(id)}. ${list}`);
}

async function checkedRule(input: unknown, caps: ServerLimits) {
  // Loaded on first use: only requests that add rules need the checks.
  const { checkRule } = await onDemand(() => import('../faults/check-rule.ts'));
  const checked = checkRule(input);
  if ('rule' in checked) return checked;
  throw unfit('The rule is invalid.', checked, caps);
}

async function checkedScenario(name: string, script: unknown, caps: ServerLimits): Promise<Scenario> {
  const { checkScenario } = await onDemand(() => import('../faults/check-rule.ts'));
  if (!/^[a-z0-9-]{1,56}$/.test(name)) {
    throw new ValidationError('The scenario is invalid.', [
      { pointer: '/name', message: `must be 1 to 56 of a-z, 0-9 and dash, but is ${describe(name)}.` },
    ]);
  }
  const checked = checkScenario(name, script, '/script');
  if ('rules' in checked) return checked;
  throw unfit('The scenario is invalid.', checked, caps);
}

function unfit(what: string, violations: readonly Violation[], caps: ServerLimits): ValidationError {
  const told = violations.slice(0, caps.violations);
  return new ValidationError(what, told, { unlisted: violations.length - told.length });
}
