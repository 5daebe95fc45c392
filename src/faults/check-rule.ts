import { didYouMean } from '../base/did-you-mean.ts';
import { checkControl } from '../contract/control-check.ts';
import { dateTimeHint, dateTimeWords } from '../contract/date-time-format.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { isObject } from '../base/is-object.ts';
import { listed } from '../base/lists.ts';
import { describe, pointerTo, quoted, shortText, stepsOf, type Violation } from '../base/violation.ts';
import { relativeMilliseconds } from '../base/relative-time.ts';
import { prepareFault, type PreparedFault } from './prepare.ts';
import type { CheckedRule, NewFaultRule } from './rule.ts';
import type { Scenario } from './scenario.ts';

/** Returns the checked rule, or all violations. `base` points to the rule in the request. */
export function checkRule(input: unknown, base = ''): CheckedRule | readonly Violation[] {
  const invalid = checkControl('NewFaultRule', input, base);
  // Checking the fault could add a violation for each of very many parameters.
  if (invalid.length > maxViolations || hasTooManyParameters(input)) return invalid;
  const fault = checkFault(input, base);
  if (invalid.length > 0) return [...invalid, ...('act' in fault ? [] : fault)];
  // Cast: it matches the schema. The checks below cover what the schema cannot express.
  const rule = input as NewFaultRule;
  const named = [rule.operation ?? '*'].flat();
  const times = checkTimes(rule, `${base}/when/between`);
  const violations = [
    ...named.flatMap((name) => unknownOperation(name, pointerTo(base, 'operation'))),
    ...unknownParameters(rule, named, base),
    ...('act' in fault ? [] : fault),
    ...('between' in times ? [] : times),
  ];
  if (violations.length > 0 || !('act' in fault) || !('between' in times)) return violations;
  return {
    rule,
    fault,
    operations: named.includes('*') ? null : new Set(named.filter((name) => name !== '*')),
    between: times.between,
  };
}

/** With more violations than this, further ones would not help. */
const maxViolations = 50;

/** More than any fault has; the schema has the same limit. */
const maxParameters = 50;

function hasTooManyParameters(input: unknown): boolean {
  const parameters = isObject(input) ? input['with'] : undefined;
  return isObject(parameters) && Object.keys(parameters).length > maxParameters;
}

/** Checks the fault of a rule, even if the rule is not valid as a whole. */
function checkFault(input: unknown, base: string): PreparedFault | readonly Violation[] {
  const rule: { readonly fault?: unknown; readonly with?: unknown; readonly phase?: unknown } =
    typeof input === 'object' && input !== null ? input : {};
  if (typeof rule.fault !== 'string') return [];
  const parameters = typeof rule.with === 'object' && rule.with !== null ? { ...rule.with } : {};
  const fault = prepareFault({ fault: rule.fault, parameters });
  if ('act' in fault)
    return rule.phase === 'before' || rule.phase === 'after' ? { ...fault, phase: rule.phase } : fault;
  const at = (name: string): string =>
    name === 'fault' ? pointerTo(base, name) : pointerTo(pointerTo(base, 'with'), name);
  return fault.map((problem) => ({ pointer: at(problem.at), message: problem.message }));
}

/** Checks the times between which a rule is active. */
function checkTimes(
  { when }: NewFaultRule,
  pointer: string,
): Pick<CheckedRule, 'between'> | readonly Violation[] {
  const { between } = when ?? {};
  if (between === undefined) return { between: () => [-Infinity, Infinity] };
  const readers = between.map(timeReader);
  const violations = between.flatMap((text, index) => {
    if (readers[index] !== null) return [];
    const message = `must be ${dateTimeWords}, or a relative time such as "now+PT30S", but is ${describe(text)}.${dateTimeHint(text)}`;
    return [{ pointer: pointerTo(pointer, index), message }];
  });
  const [from, to] = readers;
  if (violations.length > 0 || !from || !to) return violations;
  // Before the rule is active, two times can be compared only if both are absolute or both are relative.
  const comparable = from(1) - from(0) === to(1) - to(0);
  if (comparable && from(0) >= to(0)) return [{ pointer, message: 'must start before it ends.' }];
  return { between: (armedAt) => [from(armedAt), to(armedAt)] };
}

/** Returns the checked scenario, or all violations. `base` points to the scenario in the request. */
export function checkScenario(name: string, input: unknown, base = ''): Scenario | readonly Violation[] {
  const wrong = checkControl('Scenario', input, base);
  if (wrong.length > 0) return wrong;
  // Cast: it matches the schema.
  const { summary, lesson, rules } = input as {
    readonly summary: string;
    readonly lesson?: string;
    readonly rules: readonly object[];
  };
  const checked = rules.map((rule, index) =>
    checkRule({ id: `${name}-${index + 1}`, ...rule }, `${base}/rules/${index}`),
  );
  const violations = checked.flatMap((one) => ('rule' in one ? [] : one));
  const ids = checked.flatMap((one) => ('rule' in one ? (one.rule.id ?? []) : []));
  const twice = ids.filter((id, index) => ids.indexOf(id) < index);
  violations.push(
    ...twice.map((id) => ({
      pointer: `${base}/rules`,
      message: `must have different ids, but ${quoted(id)} occurs twice.`,
    })),
  );
  if (violations.length > 0) return violations;
  return {
    name,
    summary,
    ...(lesson === undefined ? {} : { lesson }),
    rules: checked.flatMap((one) => ('rule' in one ? [one] : [])),
  };
}

function unknownOperation(name: string, pointer: string): readonly Violation[] {
  if (name === '*' || isOperationName(name)) return [];
  const message = `must be an operation, but is ${quoted(name)}.${didYouMean(name, operationNames)} The operations are ${operationNames.join(', ')}, or "*" for all.`;
  return [{ pointer, message }];
}

/** Rejects parameters that none of the rule's operations has: the rule would never fire. */
function unknownParameters(
  { match }: NewFaultRule,
  named: readonly string[],
  base: string,
): readonly Violation[] {
  const operations = named.includes('*') ? operationNames : named.filter(isOperationName);
  const known = [...new Set(operations.flatMap((name) => Object.keys(operationFacts[name].parameters)))];
  const list = known.length === 0 ? 'They have no parameters.' : `The parameters are ${known.join(', ')}.`;
  const shown = named.slice(0, operationNames.length).map((name) => shortText(name));
  const ofWhich = listed(shown, named.length);
  return Object.keys(match?.parameters ?? {}).flatMap((path) => {
    const [name = ''] = stepsOf(path);
    if (known.includes(name)) return [];
    const message = `is not a parameter of ${ofWhich}.${didYouMean(name, known)} ${list}`;
    return [{ pointer: pointerTo(`${base}/match/parameters`, path), message }];
  });
}

/**
 * Returns a function that computes the time from the activation time of the rule, or null if the text is not
 * a time.
 */
function timeReader(text: string): ((armedAt: number) => number) | null {
  const distance = text === 'now' ? 0 : relativeMilliseconds(text);
  if (distance !== null) return (armedAt) => armedAt + distance;
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))$/.exec(text.toUpperCase()) ?? [];
  const moment = Date.parse(`${day}${time}`);
  // Date.parse would turn 30 February into 2 March.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  return isDay && !Number.isNaN(moment) ? () => moment : null;
}
