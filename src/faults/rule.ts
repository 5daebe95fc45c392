import { fieldOf } from '../base/is-object.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { isDeepStrictEqual } from 'node:util';
import { isOperationName, type OperationName } from '../contract/operation-types.ts';
import type { components } from '../contract/generated/control.ts';
import type { components as stateComponents } from '../contract/generated/state.ts';
import { stepsOf } from '../base/violation.ts';
import type { Chance } from './fault.ts';
import type { FaultName } from './index.ts';
import type { PreparedFault } from './prepare.ts';

type Schemas = components['schemas'];
type StateSchemas = stateComponents['schemas'];

/** A requested rule: which calls it matches, the fault, and which of the matching calls it affects. */
export type NewFaultRule = Omit<Schemas['NewFaultRule'], 'fault' | 'operation'> & {
  readonly fault: FaultName;
  /** One operation, several, or "*" for all (the default). */
  readonly operation?: OperationName | '*' | readonly (OperationName | '*')[];
};

/** A rule with its counters. */
export interface FaultRule extends NewFaultRule {
  readonly id: string;
  /** The scenario of the rule; null if the rule was added individually. */
  readonly scenario: string | null;
  /** The number of matching calls that no earlier rule affected. */
  readonly matched: number;
  /** The number of calls that the rule affected. */
  readonly fired: number;
  /** For a rule with a key: the school of the key; null if the key is of no school of the sandbox. */
  readonly keySchool?: string | null;
  /** Whether it can still fire at the sandbox's time; false once its conditions are used up, or if no call can have its key. */
  readonly canFire: boolean;
}

/** A valid rule. */
export interface CheckedRule {
  readonly rule: NewFaultRule;
  readonly fault: PreparedFault;
  /** Null for all. */
  readonly operations: ReadonlySet<OperationName> | null;
  /** Returns the times of `between`, given the activation time of the rule. */
  readonly between: (armedAt: number) => readonly [from: number, to: number];
}

/** The parts of a call that rules match. */
export interface RuledCall {
  readonly operation: OperationName;
  readonly school: string;
  readonly key: string;
  /** The parameters of each element. */
  readonly elements: readonly unknown[];
  /** The sandbox's time. */
  readonly now: number;
}

/** A fault that a rule injects into a call. */
export interface Firing {
  readonly rule: string;
  /** The number of the last request before a rule was added individually. Undefined for others and after a restart. */
  readonly armedAfter: number | undefined;
  readonly fault: PreparedFault;
  /** The indexes of the matching elements; null for all. */
  readonly chosen: readonly number[] | null;
  readonly chance: Chance;
}

/** Returns a random number from 0 to 1, always the same for the same purpose. */
export type ChanceOf = (...purpose: readonly (string | number)[]) => number;

type RuleFacts = StateSchemas['RuleFacts'];

type RuleCounters = Pick<RuleFacts, 'matched' | 'fired' | 'calls'>;

interface ArmedAs {
  readonly id: string;
  readonly scenario: string | null;
  /** The time from which the times of the rule count. */
  readonly activeFrom: number;
  readonly chanceOf: ChanceOf;
  /** The number of the last request before the rule was added. Only for a rule that is added individually. */
  readonly armedAfter?: number | undefined;
  /** All 0 by default. */
  readonly counters?: RuleCounters;
}

/** An active rule of a sandbox, with its counters. */
export class ArmedRule {
  /** The paths in the parameters and their required values; read on first use. */
  #wanted: readonly (readonly [readonly string[], unknown])[] | null = null;
  readonly id: string;
  readonly scenario: string | null;
  readonly checked: CheckedRule;
  readonly #armedAfter: number | undefined;
  readonly #activeFrom: number;
  readonly #from: number;
  readonly #to: number;
  readonly #chanceOf: ChanceOf;
  /**
   * The number of matching calls by operation, including those that an earlier rule affected, so that other
   * rules do not shift it.
   */
  readonly #calls = new Map<OperationName, number>();
  #matched = 0;
  #fired = 0;
  /** Whether it has counted a call since `takeWhetherCounted`. */
  #hasCounted = false;

  constructor(checked: CheckedRule, { id, scenario, armedAfter, activeFrom, chanceOf, counters }: ArmedAs) {
    this.id = id;
    this.#armedAfter = armedAfter;
    this.scenario = scenario;
    this.checked = checked;
    this.#chanceOf = chanceOf;
    this.#activeFrom = activeFrom;
    const [from, to] = checked.between(activeFrom);
    this.#from = from;
    this.#to = Math.min(to, activeFrom + (checked.rule.when?.ttlSeconds ?? Infinity) * 1000);
    if (counters === undefined) return;
    this.#matched = counters.matched;
    this.#fired = counters.fired;
    for (const [operation, calls] of Object.entries(counters.calls))
      if (isOperationName(operation)) this.#calls.set(operation, calls);
  }

  /** Returns the rule with its counters as plain data. */
  facts(): RuleFacts {
    return {
      rule: this.checked.rule,
      id: this.id,
      scenario: this.scenario,
      activeFrom: this.#activeFrom,
      ...this.counters(),
    };
  }

  /** Returns its counters as plain data. */
  counters(): RuleCounters {
    return { matched: this.#matched, fired: this.#fired, calls: Object.fromEntries(this.#calls) };
  }

  /** Returns whether it has counted a call since the last time. */
  takeWhetherCounted(): boolean {
    const hasCounted = this.#hasCounted;
    this.#hasCounted = false;
    return hasCounted;
  }

  get matched(): number {
    return this.#matched;
  }

  get fired(): number {
    return this.#fired;
  }

  /**
   * Returns the fault to inject into this call, or null. With `taken`, an earlier rule affects the call:
   * counts it but never fires.
   */
  *meet(call: RuledCall, taken: boolean): SlicedWork<Firing | null> {
    const chosen = yield* this.#matchingElements(call);
    if (chosen === false) return null;
    const number = (this.#calls.get(call.operation) ?? 0) + 1;
    this.#calls.set(call.operation, number);
    this.#hasCounted = true;
    if (taken) return null;
    this.#matched += 1;
    const chance: Chance = (purpose) => this.#chanceOf('rule', this.id, call.operation, number, purpose);
    if (!this.#isDue(chance)) return null;
    this.#fired += 1;
    return { rule: this.id, armedAfter: this.#armedAfter, fault: this.checked.fault, chosen, chance };
  }

  /** Returns whether its counts and its time still allow it to fire at `now` or later. */
  canFire(now: number): boolean {
    const { skip, first, every, times, probability } = countsOf(this.checked.rule);
    const last = first === Infinity ? Infinity : Math.floor(first / every) * every;
    return now < this.#to && this.#fired < times && this.#matched - skip < last && probability > 0;
  }

  /** Returns whether the rule affects the matching call that was just counted. */
  #isDue(chance: Chance): boolean {
    const { skip, first, every, times, probability } = countsOf(this.checked.rule);
    const number = this.#matched - skip;
    if (number < 1 || number > first || number % every !== 0 || this.#fired >= times) return false;
    return probability >= 1 || chance('fires') < probability;
  }

  /** Returns the indexes of the matching elements, null for all, or false if the call does not match. */
  *#matchingElements({
    operation,
    school,
    key,
    elements,
    now,
  }: RuledCall): SlicedWork<readonly number[] | null | false> {
    const { operations, rule } = this.checked;
    if (now < this.#from || now >= this.#to) return false;
    if (operations !== null && !operations.has(operation)) return false;
    const { match = {} } = rule;
    if ((match.school ?? school) !== school || (match.key ?? key) !== key) return false;
    if (match.parameters === undefined) return null;
    const wanted = (this.#wanted ??= Object.entries(match.parameters).map(([path, value]) => [
      stepsOf(path),
      value,
    ]));
    const matching: number[] = [];
    for (const [number, element] of elements.entries()) {
      if (number > 0) yield;
      if (wanted.every(([steps, value]) => isDeepStrictEqual(partAt(element, steps), value)))
        matching.push(number);
    }
    return matching.length > 0 && matching;
  }
}

/** Returns the part of the parameters at a path. */
function partAt(parameters: unknown, steps: readonly string[]): unknown {
  let part = parameters;
  for (const step of steps) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    if (Array.isArray(part) && !/^\d+$/.test(step)) return undefined;
    part = fieldOf(part, step);
  }
  return part;
}

/** Returns the conditions of a rule that count calls, with their defaults. */
function countsOf({ when = {} }: NewFaultRule) {
  const { skip = 0, first = Infinity, every = 1, times = Infinity, probability = 1 } = when;
  return { skip, first, every, times, probability };
}
