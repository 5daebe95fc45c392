import type { SlicedWork } from '../base/sliced-work.ts';
import { isDeepStrictEqual } from 'node:util';
import type { OperationName } from '../contract/operation-types.ts';
import type { components } from '../contract/generated/control.ts';
import { stepsOf } from '../base/violation.ts';
import type { Chance } from './fault.ts';
import type { FaultName } from './index.ts';
import type { PreparedFault } from './prepare.ts';

type Schemas = components['schemas'];

/** A rule as it is asked for: which calls, which fault, and which of those calls it hits. */
export type NewFaultRule = Omit<Schemas['NewFaultRule'], 'fault' | 'operation'> & {
  readonly fault: FaultName;
  /** One operation, several, or "*" for all (the default). */
  readonly operation?: OperationName | '*' | readonly (OperationName | '*')[];
};

/** A rule as it stands, with how often it was met. */
export interface FaultRule extends NewFaultRule {
  readonly id: string;
  /** The scenario that it belongs to; null for one that was added alone. */
  readonly scenario: string | null;
  /** Calls that it concerned and no earlier rule hit. */
  readonly matched: number;
  /** Those that it hit. */
  readonly fired: number;
}

/** A rule that was checked. */
export interface CheckedRule {
  readonly rule: NewFaultRule;
  readonly fault: PreparedFault;
  /** Null for all. */
  readonly operations: ReadonlySet<OperationName> | null;
  /** The moments of `between`, from when the rule is armed. */
  readonly between: (armedAt: number) => readonly [from: number, to: number];
}

/** What rules look at in a call. */
export interface RuledCall {
  readonly operation: OperationName;
  readonly school: string;
  readonly key: string;
  /** The parameters of each element. */
  readonly elements: readonly unknown[];
  /** The sandbox's time. */
  readonly now: number;
}

/** A fault that a rule lets loose on a call. */
export interface Firing {
  readonly rule: string;
  readonly fault: PreparedFault;
  /** The elements that the rule is about; null where it is about all. */
  readonly chosen: readonly number[] | null;
  readonly chance: Chance;
}

/** Chances of a sandbox: the same for the same purpose. */
export type ChanceOf = (...purpose: readonly (string | number)[]) => number;

/** A rule in force in one sandbox, with its counters. */
export class ArmedRule {
  /** Where parameters must have which values. */
  #wanted: readonly (readonly [readonly string[], unknown])[] | null = null;
  readonly id: string;
  readonly scenario: string | null;
  readonly checked: CheckedRule;
  readonly #from: number;
  readonly #to: number;
  readonly #chanceOf: ChanceOf;
  /** Calls that it concerned, by operation, whether or not an earlier rule hit them: no other rule shifts these numbers. */
  readonly #calls = new Map<OperationName, number>();
  #matched = 0;
  #fired = 0;

  constructor(
    checked: CheckedRule,
    { id, scenario, now, chanceOf }: { id: string; scenario: string | null; now: number; chanceOf: ChanceOf },
  ) {
    this.id = id;
    this.scenario = scenario;
    this.checked = checked;
    this.#chanceOf = chanceOf;
    const [from, to] = checked.between(now);
    this.#from = from;
    this.#to = Math.min(to, now + (checked.rule.when?.ttlSeconds ?? Infinity) * 1000);
  }

  get matched(): number {
    return this.#matched;
  }

  get fired(): number {
    return this.#fired;
  }

  /** Looks at a call that comes: every rule sees each, in order. `taken` are calls that an earlier rule has hit. Null where it lets the call be. */
  *meet(call: RuledCall, taken: boolean): SlicedWork<Firing | null> {
    const chosen = yield* this.#concerned(call);
    if (chosen === false) return null;
    const number = (this.#calls.get(call.operation) ?? 0) + 1;
    this.#calls.set(call.operation, number);
    if (taken) return null;
    this.#matched += 1;
    const chance: Chance = (purpose) => this.#chanceOf('rule', this.id, call.operation, number, purpose);
    if (!this.#hits(chance)) return null;
    this.#fired += 1;
    return { rule: this.id, fault: this.checked.fault, chosen, chance };
  }

  #hits(chance: Chance): boolean {
    const { skip = 0, first = Infinity, every = 1, times = Infinity, probability = 1 } = this.checked.rule.when ?? {};
    const number = this.#matched - skip;
    if (number < 1 || number > first || number % every !== 0 || this.#fired >= times) return false;
    return probability >= 1 || chance('fires') < probability;
  }

  /** The elements that it is about, null for all; false where it has nothing to do with the call. */
  *#concerned({ operation, school, key, elements, now }: RuledCall): SlicedWork<readonly number[] | null | false> {
    const { operations, rule } = this.checked;
    if (now < this.#from || now >= this.#to) return false;
    if (operations !== null && !operations.has(operation)) return false;
    const { match = {} } = rule;
    if ((match.school ?? school) !== school || (match.key ?? key) !== key) return false;
    if (match.parameters === undefined) return null;
    const wanted = (this.#wanted ??= Object.entries(match.parameters).map(([path, value]) => [stepsOf(path), value]));
    const fitting: number[] = [];
    for (const [number, element] of elements.entries()) {
      if (number > 0) yield;
      if (wanted.every(([steps, value]) => isDeepStrictEqual(partAt(element, steps), value))) fitting.push(number);
    }
    return fitting.length > 0 && fitting;
  }
}

/** The part of some parameters that the steps of a name or a JSON Pointer lead to. */
function partAt(parameters: unknown, steps: readonly string[]): unknown {
  let part = parameters;
  for (const step of steps) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    if (Array.isArray(part) && !/^\d+$/.test(step)) return undefined;
    // An own property of what came as JSON.
    part = (part as Readonly<Record<string, unknown>>)[step];
  }
  return part;
}
