import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import { weightOfRules, type RulesMemory } from '../faults/rules.ts';
import type { Sandbox } from './sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from './state.ts';

/** A moment of a sandbox to go back to: its state, clock, assumptions and rules. */
export interface Snapshot {
  readonly state: State;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly now: number;
  readonly frozen: boolean;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly rules: RulesMemory;
}

/** Copies what there is now. The sandbox must not change meanwhile. */
export function* takingSnapshot({ state, clock, options, checks, faults }: Sandbox): SlicedWork<Snapshot> {
  const copy = yield* state.copying();
  const memory = faults.memory();
  copy.hold(weightOfRules(memory.rules));
  return { state: copy, now: clock.now(), frozen: clock.isFrozen, options, checks, rules: memory };
}

/**
 * Goes back to a snapshot, in one step at the end; the counters of rules and limits start anew. The snapshot stays as it is.
 */
export function* restoringSnapshot(sandbox: Sandbox, { state, now, frozen, options, checks, rules }: Snapshot): SlicedWork<void> {
  const { clock, faults } = sandbox;
  const copy = yield* state.copying();
  sandbox.choose(options, checks);
  faults.recall(rules, now);
  sandbox.restart(copy);
  // Last, because calls that are held up go on when the clock moves.
  if (frozen) clock.freeze(now);
  else clock.run(now);
}
