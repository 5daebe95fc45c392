import type { components } from '../contract/generated/state.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { Chance } from './fault.ts';
import { ArmedRule, type ChanceOf, type CheckedRule, type Firing, type RuledCall } from './rule.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Latencies } from './latencies.ts';
import { RequestedFaults } from './requested-faults.ts';
import { putBack, withRemoved, type RemovedRule } from './removed-rules.ts';
import { weightOfRules, type FaultCounts, type RulesMemory, type RulesRoom } from './rules-memory.ts';
import { savedScenario, type Scenario } from './scenario.ts';

type FaultFacts = components['schemas']['FaultFacts'];

/** The rules of one sandbox, in the order in which they are tried. */
export class FaultRules {
  readonly #chanceOf: ChanceOf;
  readonly #room: RulesRoom;
  readonly #lastRequest: () => number;
  readonly latencies: Latencies | null;
  /** The service that gets the calls instead, so that rules have no effect; null if there is none. */
  readonly upstream: string | null;
  #armed: readonly ArmedRule[] = [];
  /** The rules that were deleted last, for `restore`. */
  #removed: readonly RemovedRule[] = [];
  /** Of both kinds of rules, in bytes. */
  #weight = 0;
  #changes = 0;
  #scenario: Scenario | null = null;
  /** The number of generated ids, by fault. */
  #named = new Map<string, number>();
  readonly #requested = new RequestedFaults();

  /** `lastRequest` returns the number of the last request of the sandbox. */
  constructor(
    chanceOf: ChanceOf,
    room: RulesRoom,
    lastRequest: () => number,
    {
      latencies = null,
      upstream = null,
    }: { readonly latencies?: Latencies | null; readonly upstream?: string | null } = {},
  ) {
    this.latencies = latencies;
    this.upstream = upstream;
    this.#chanceOf = chanceOf;
    this.#room = room;
    this.#lastRequest = lastRequest;
  }

  get scenario(): Scenario | null {
    return this.#scenario;
  }

  /** How often the rules were changed, since the start of the server. */
  get changes(): number {
    return this.#changes;
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  get all(): readonly ArmedRule[] {
    return this.#armed;
  }

  get(id: string): ArmedRule | undefined {
    return this.#armed.find((rule) => rule.id === id);
  }

  /** Appends a rule that is active from `now`. Its id must be free. */
  add(checked: CheckedRule, now: number): ArmedRule {
    const armed = this.#arm(checked, null, now);
    this.#set([...this.#armed, armed]);
    return armed;
  }

  remove(id: string): void {
    this.#drop(this.#armed.filter((rule) => rule.id !== id));
  }

  clear(): void {
    this.#drop([]);
    this.#scenario = null;
  }

  /**
   * Puts deleted rules back, at their places and with their counters. A rule of a scenario brings its scenario back
   * in place of the current one. Returns false, and changes nothing, if one of the rules is no longer there.
   */
  restore(ids: readonly string[]): boolean {
    const wanted = new Set(ids);
    const found = this.#removed.filter(({ rule }) => wanted.has(rule.id));
    if (found.length < wanted.size) return false;
    const left = this.#removed.filter((one) => !found.includes(one));
    const { rules, scenario } = putBack({ rules: this.#armed, scenario: this.#scenario }, found);
    this.#set(rules, left);
    this.#scenario = scenario;
    return true;
  }

  /**
   * Replaces the scenario, or stops it if null. Its rules are active from `now` and precede individually
   * added ones.
   */
  play(scenario: Scenario | null, now: number): void {
    const rules = scenario?.rules.map((checked) => this.#arm(checked, scenario.name, now));
    this.#drop([...(rules ?? []), ...this.#armed.filter((rule) => rule.scenario === null)]);
    this.#scenario = scenario;
  }

  /** Restarts the scenario and deletes all other rules. */
  restart(now: number): void {
    this.#set([]);
    this.#named.clear();
    this.#requested.refill({});
    this.play(this.#scenario, now);
  }

  /** Returns the rules for `recall`. */
  memory(): RulesMemory {
    const rules = this.#armed.map(({ checked, id, scenario }) => ({
      checked: { ...checked, rule: { ...checked.rule, id } },
      scenario,
    }));
    return { scenario: this.#scenario, rules };
  }

  /** Returns a function that restores the rules and the scenario of this moment. */
  checkpoint(): () => void {
    const armed = this.#armed;
    const removed = this.#removed;
    const scenario = this.#scenario;
    const named = new Map(this.#named);
    const requested = this.#requested.facts();
    return () => {
      this.#set(armed, removed);
      this.#scenario = scenario;
      this.#named = named;
      this.#requested.refill(requested);
    };
  }

  /** Returns the rules with their counters, and the scenario, as plain data. */
  facts(): FaultFacts {
    return {
      scenario: this.#scenario === null ? null : savedScenario(this.#scenario),
      rules: this.#armed.map((rule) => rule.facts()),
      named: Object.fromEntries(this.#named),
      requested: this.#requested.facts(),
    };
  }

  /** Returns the counters that have changed since the last time, as plain data; null if none has. */
  takeCounts(): FaultCounts | null {
    if (this.#armed.length === 0 && !this.#requested.hasNew) return null;
    const counted = this.#armed.filter((rule) => rule.takeWhetherCounted());
    if (counted.length === 0 && !this.#requested.hasNew) return null;
    return {
      rules: counted.map((rule) => ({ id: rule.id, ...rule.counters() })),
      requested: this.#requested.takeNew(),
    };
  }

  /** Restores rules with their counters. `rules` are the checked ones of the facts, in their order. */
  resume(facts: FaultFacts, scenario: Scenario | null, rules: readonly CheckedRule[]): void {
    this.#scenario = scenario;
    this.#named = new Map(Object.entries(facts.named));
    this.#requested.refill(facts.requested);
    this.#set(
      facts.rules.flatMap((counters, index) => {
        const checked = rules[index];
        return checked === undefined
          ? []
          : [new ArmedRule(checked, { ...counters, chanceOf: this.#chanceOf, counters })];
      }),
    );
  }

  /** Restores saved rules, active from `now`. */
  recall({ scenario, rules }: RulesMemory, now: number): void {
    this.#requested.refill({});
    this.#scenario = scenario;
    this.#set(rules.map((rule) => this.#arm(rule.checked, rule.scenario, now)));
  }

  /**
   * Replaces the rule with this id in its position, and resets its counters. Returns null if there is none.
   */
  replace(id: string, checked: CheckedRule, now: number): ArmedRule | null {
    const before = this.get(id);
    if (before === undefined) return null;
    const armed = this.#arm({ ...checked, rule: { ...checked.rule, id } }, before.scenario, now);
    this.#set(this.#armed.map((rule) => (rule === before ? armed : rule)));
    return armed;
  }

  /** Returns the fault of the first rule that fires for a call, or null. */
  *meet(call: RuledCall): SlicedWork<Firing | null> {
    let firing: Firing | null = null;
    for (const rule of this.#armed) {
      firing = (yield* rule.meet(call, firing !== null)) ?? firing;
    }
    return firing;
  }

  /** Returns the chance of a fault that a call requests itself. */
  chanceFor(fault: string, operation: OperationName): Chance {
    const number = this.#requested.count(`${fault} ${operation}`);
    return (what) => this.#chanceOf('asked', fault, operation, number, what);
  }

  /** Sets the rules, and remembers those that are no longer among them. */
  #drop(rules: readonly ArmedRule[]): void {
    this.#set(rules, withRemoved(this.#removed, this.#armed, rules, this.#scenario));
  }

  #set(rules: readonly ArmedRule[], removed = this.#removed): void {
    const weight = weightOfRules([...rules, ...removed.map(({ rule }) => rule)]);
    try {
      this.#room.change(weight - this.#weight);
    } catch (error) {
      if (removed.length === 0) throw error;
      // Rules that fire are worth more than those that could come back.
      return this.#set(rules, []);
    }
    this.#weight = weight;
    this.#armed = rules;
    this.#removed = removed;
    this.#changes += 1;
  }

  #arm(checked: CheckedRule, scenario: string | null, now: number): ArmedRule {
    const id = checked.rule.id ?? this.#freeId(checked.rule.fault);
    const armedAfter = scenario === null ? this.#lastRequest() : undefined;
    return new ArmedRule(checked, { id, scenario, armedAfter, activeFrom: now, chanceOf: this.#chanceOf });
  }

  #freeId(fault: string): string {
    for (;;) {
      const number = (this.#named.get(fault) ?? 0) + 1;
      this.#named.set(fault, number);
      const id = `${fault}-${number}`;
      if (this.get(id) === undefined) return id;
    }
  }
}
