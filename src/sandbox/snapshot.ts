import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Templates } from '../settings/refusal-templates.ts';
import { weightOfRules, type RulesMemory } from '../faults/rules-memory.ts';
import { savedScenario } from '../faults/scenario.ts';
import { settingAt } from './clock.ts';
import { stateFacts, templateFacts } from './facts.ts';
import type { SavedSnapshot } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from './state.ts';

/** A copy of a sandbox's state, clock, assumptions and rules. */
export interface Snapshot {
  readonly state: State;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly now: number;
  readonly frozen: boolean;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly templates: Templates;
  readonly rules: RulesMemory;
}

/** Takes a snapshot. The sandbox must not change meanwhile. */
export function* takeSnapshot(sandbox: Sandbox): SlicedWork<Snapshot> {
  const { state, clock, options, checks, templates, faults } = sandbox;
  const copy = yield* state.copy();
  const memory = faults.memory();
  copy.hold(weightOfRules(memory.rules));
  return { state: copy, now: clock.now(), frozen: clock.isFrozen, options, checks, templates, rules: memory };
}

/**
 * Restores a snapshot in one step at the end. Resets the counters of rules and limits. Keeps the snapshot.
 */
export function* restoreState(
  sandbox: Sandbox,
  { state, now, frozen, options, checks, templates, rules }: Snapshot,
): SlicedWork<void> {
  const { clock, faults } = sandbox;
  const copy = yield* state.copy();
  const setting = settingAt(now, frozen);
  yield* sandbox.restart(
    copy,
    () => {
      sandbox.choose(options, checks, templates);
      faults.recall(rules, now);
    },
    setting,
  );
  // Last, because moving the clock resumes delayed calls.
  clock.set(setting);
}

/** Returns a snapshot as plain data. */
export function savedSnapshot({ state, now, frozen, options, templates, rules }: Snapshot): SavedSnapshot {
  return {
    state: stateFacts(state),
    now,
    frozen,
    options,
    ...templateFacts(templates),
    scenario: rules.scenario === null ? null : savedScenario(rules.scenario),
    rules: rules.rules.map(({ checked: { rule }, scenario }) => ({ rule, scenario })),
    changes: state.changes(),
  };
}
