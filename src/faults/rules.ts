import { weightOf } from '../base/weight.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { Chance } from './fault.ts';
import { ArmedRule, type ChanceOf, type CheckedRule, type FaultRule, type Firing, type RuledCall } from './rule.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Scenario } from './scenario.ts';

/** Rules to come back to, without their counters. */
export interface RulesMemory {
  readonly scenario: Scenario | null;
  /** In the order in which they are tried, each with the scenario that it belongs to. */
  readonly rules: readonly { readonly checked: CheckedRule; readonly scenario: string | null }[];
}

/** The memory that rules count in. */
interface RulesRoom {
  /** Takes what the rules have grown by, or gives back what they have shrunk by. Throws CapacityError, and takes nothing then. */
  change(growth: number): void;
}

/** The rules of one sandbox, in the order in which they are tried. */
export class FaultRules {
  readonly #chanceOf: ChanceOf;
  readonly #room: RulesRoom;
  #armed: readonly ArmedRule[] = [];
  #scenario: Scenario | null = null;
  /** Rules added alone so far, by fault, for their names. */
  readonly #named = new Map<string, number>();

  /** How often calls asked for a fault themselves, by fault and operation. */
  readonly #asked = new Map<string, number>();

  /** Why no rule would take effect here; null where rules do. */
  disabledReason: string | null = null;

  constructor(chanceOf: ChanceOf, room: RulesRoom) {
    this.#chanceOf = chanceOf;
    this.#room = room;
  }

  get scenario(): Scenario | null {
    return this.#scenario;
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

  /** Adds a rule behind the others, in force from `now`. Its id must be free. */
  add(checked: CheckedRule, now: number): ArmedRule {
    const armed = this.#arm(checked, null, now);
    this.#set([...this.#armed, armed]);
    return armed;
  }

  /** Whether these are the rules of a scenario, unchanged, and no others. */
  areOf(scenario: Scenario | null): boolean {
    const rules = scenario?.rules ?? [];
    return rules.length === this.#armed.length && this.#armed.every(({ checked }, index) => checked === rules[index]);
  }

  /** False where there is none of this id. */
  remove(id: string): boolean {
    const left = this.#armed.filter((rule) => rule.id !== id);
    const found = left.length < this.#armed.length;
    this.#set(left);
    return found;
  }

  clear(): void {
    this.#set([]);
    this.#scenario = null;
  }

  /** Puts a scenario's rules, in force from `now`, in the place of those of the one before; null for none. Rules added alone come after them. */
  play(scenario: Scenario | null, now: number): void {
    const rules = scenario?.rules.map((checked) => this.#arm(checked, scenario.name, now));
    this.#set([...(rules ?? []), ...this.#armed.filter((rule) => rule.scenario === null)]);
    this.#scenario = scenario;
  }

  /** Back to the scenario from its beginning, and nothing else. */
  restart(now: number): void {
    this.#set([]);
    this.#named.clear();
    this.#asked.clear();
    this.play(this.#scenario, now);
  }

  /** What there is now, to come back to. */
  memory(): RulesMemory {
    const rules = this.#armed.map(({ checked, id, scenario }) => ({ checked: { ...checked, rule: { ...checked.rule, id } }, scenario }));
    return { scenario: this.#scenario, rules };
  }

  /** Back to what was, in force from `now`. */
  recall({ scenario, rules }: RulesMemory, now: number): void {
    this.#asked.clear();
    this.#scenario = scenario;
    this.#set(rules.map((rule) => this.#arm(rule.checked, rule.scenario, now)));
  }

  /** Puts a changed rule in the place of the one of its id, with its counters at nothing. */
  replace(id: string, checked: CheckedRule, now: number): ArmedRule | null {
    const before = this.get(id);
    if (before === undefined) return null;
    const armed = this.#arm({ ...checked, rule: { ...checked.rule, id } }, before.scenario, now);
    this.#set(this.#armed.map((rule) => (rule === before ? armed : rule)));
    return armed;
  }

  /** What happens to a call: the fault of the first rule that fires. */
  *meet(call: RuledCall): SlicedWork<Firing | null> {
    let firing: Firing | null = null;
    for (const rule of this.#armed) {
      firing = (yield* rule.meet(call, firing !== null)) ?? firing;
    }
    return firing;
  }

  /** The chances of a fault that a call asks for itself. */
  chanceFor(fault: string, operation: OperationName): Chance {
    const purpose = `${fault} ${operation}`;
    const number = (this.#asked.get(purpose) ?? 0) + 1;
    this.#asked.set(purpose, number);
    return (what) => this.#chanceOf('asked', fault, operation, number, what);
  }

  #set(rules: readonly ArmedRule[]): void {
    this.#room.change(weightOfRules(rules) - weightOfRules(this.#armed));
    this.#armed = rules;
  }

  #arm(checked: CheckedRule, scenario: string | null, now: number): ArmedRule {
    const id = checked.rule.id ?? this.#freeId(checked.rule.fault);
    return new ArmedRule(checked, { id, scenario, now, chanceOf: this.#chanceOf });
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

/** The memory that rules take up, in bytes. */
export function weightOfRules(rules: readonly { readonly checked: CheckedRule }[]): number {
  return rules.reduce((sum, { checked }) => sum + weightOf(checked.rule), 0);
}

/** A rule as people and programs see it. */
export function shownRule({ id, scenario, matched, fired, checked: { rule } }: ArmedRule, shownKey: (key: string) => string): FaultRule {
  const { match } = rule;
  const shown = match?.key === undefined ? {} : { match: { ...match, key: shownKey(match.key) } };
  return { ...rule, ...shown, id, scenario, matched, fired };
}
