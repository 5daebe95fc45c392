import { chooseOptions } from '../assumptions.ts';
import { SandboxError } from '../base/errors.ts';
import type { Violation } from '../base/violation.ts';
import { checkFacts } from '../contract/facts-check.ts';
import type { CheckSource } from '../contract/parameter-checks.ts';
import { checkRule, checkScenario } from '../faults/check-rule.ts';
import type { CheckedRule } from '../faults/rule.ts';
import type { Scenario } from '../faults/scenario.ts';
import { resume, type Facts } from '../sandbox/facts.ts';
import type { SavedSnapshot } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxRequest } from '../sandbox/sandboxes-options.ts';
import type { Seed } from '../sandbox/seed.ts';
import type { Snapshot } from '../sandbox/snapshot.ts';
import { State } from '../sandbox/state.ts';
import { assumptionRule } from '../settings/assumption-rules.ts';
import { noTemplates } from '../settings/refusal-templates.ts';
import { ruleFor } from '../settings/value-rule.ts';
import { applyChanges } from './apply-changes.ts';
import { violationsOfSnapshot } from './check-line.ts';
import { History } from './history.ts';
import type { ChainEnd } from './log-chain.ts';
import type { Seeds } from './read-seed.ts';
import { refuse, refused } from './refuse.ts';
import { NotUsableError, type Saved } from './saved.ts';

/** What a stored sandbox needs from the server. */
export interface LoadParts {
  readonly seeds: Seeds;
  readonly checkSource: CheckSource;
  /** The seed of new sandboxes. */
  readonly seed: Seed;
}

/** A stored sandbox. */
export interface Loaded {
  /** The plan to create it with. */
  readonly plan: Omit<SandboxRequest, 'id'>;
  /** Completes the sandbox that was created. */
  readonly complete: (sandbox: Sandbox) => void;
  readonly lastLine: number;
  readonly chain: ChainEnd;
  /** The id of the state file; null if there is none, or if it is of an earlier version. */
  readonly stateId: string | null;
  /** Whether the state file has all of it. */
  readonly isFolded: boolean;
  readonly warnings: readonly string[];
}

/** Returns the stored sandbox. Throws SandboxError if a part of it is invalid. */
export async function restored(
  { state: base, facts, snapshots, changes, lastLine }: History,
  file: string,
  { seeds, checkSource, seed }: LoadParts,
): Promise<Omit<Loaded, 'isFolded' | 'chain' | 'stateId'>> {
  if (base === null) throw new SandboxError('It has no state.');
  refuse(checkFacts('StateFacts', base, '/state'));
  const stateOf = async (of: typeof base, lists: ReadonlyMap<string, ReadonlyMap<string, object | null>>) => {
    const state = new State(await seedOf(of.seed, seeds, seed), of.beginning);
    const violations = applyChanges(state, lists);
    if (state.seed.fingerprint !== of.seed.fingerprint) requireFitting(violations, of.seed.name);
    refuse(violations);
    return state;
  };
  const state = await stateOf(base, changes);
  const known = new Map<string, Snapshot>();
  for (const [name, snapshot] of snapshots) {
    refuse(violationsOfSnapshot(name, snapshot));
    const own = new History(null);
    own.change(snapshot.changes);
    known.set(name, {
      state: await stateOf(snapshot.state, own.changes),
      ...(await snapshotOf(snapshot, checkSource)),
    });
  }
  const changed = `The seed "${state.seed.name}" has changed since ${file} was created. Its changes are still valid and were loaded.`;
  const warnings = state.seed.fingerprint === base.seed.fingerprint ? [] : [changed];
  const complete = (sandbox: Sandbox): void => {
    sandbox.load(state);
    for (const [name, snapshot] of known) {
      snapshot.state.enter(sandbox.stateRoom);
      sandbox.snapshots.set(name, snapshot);
    }
  };
  if (facts === null) return { plan: { origin: 'control-plane' }, complete, lastLine, warnings };
  return { ...(await planOf(facts, state, checkSource, complete)), lastLine, warnings };
}

/** Returns the seed of a stored state: the one with its content, else the one with its name. */
async function seedOf(
  { name, fingerprint }: Saved['state']['seed'],
  seeds: Seeds,
  usual: Seed,
): Promise<Seed> {
  if (usual.fingerprint === fingerprint) return usual;
  try {
    return await seeds.named(name);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new NotUsableError(
      `its seed cannot be read. ${error.message} Start the server in the folder of the seed, or set --seed.`,
    );
  }
}

/** Returns the plan of a sandbox with these facts. */
async function planOf(
  facts: Facts,
  { seed }: State,
  checkSource: CheckSource,
  complete: Loaded['complete'],
): Promise<Pick<Loaded, 'plan' | 'complete'>> {
  refuse(checkFacts('Facts', facts, '/facts'));
  const { origin, createdAt, ttlSeconds, randomSeed, labels, limits, faults, quotas = {} } = facts;
  const { options, checks } = await chosen(facts.options, checkSource);
  const scenario = scenarioOf(faults.scenario);
  const rules = faults.rules.map(({ rule }) => checkedRule(rule));
  return {
    plan: {
      origin,
      createdAt,
      ttlSeconds,
      quotas,
      randomSeed,
      labels,
      seed,
      options,
      checks,
      templates: facts.templates ?? noTemplates,
      limitScale: limits.scale,
      scenario: null,
      clock: facts.clock,
    },
    complete: (sandbox) => {
      complete(sandbox);
      sandbox.limits.recall(limits);
      sandbox.faults.resume(faults, scenario, rules);
      resume(sandbox, facts);
    },
  };
}

async function snapshotOf(
  { now, frozen, options, templates = noTemplates, scenario, rules }: SavedSnapshot,
  checkSource: CheckSource,
): Promise<Omit<Snapshot, 'state'>> {
  return {
    now,
    frozen,
    ...(await chosen(options, checkSource)),
    templates,
    rules: {
      scenario: scenarioOf(scenario),
      rules: rules.map(({ rule, scenario: of }) => ({ checked: checkedRule(rule), scenario: of })),
    },
  };
}

/** Returns the stored options, and the defaults of assumptions that are new since. */
async function chosen(stored: Facts['options'], checkSource: CheckSource) {
  const valid = Object.entries(stored).filter(
    ([name, option]) => ruleFor(assumptionRule.members, name)?.accepts(option) === true,
  );
  const options = chooseOptions(undefined, Object.fromEntries(valid));
  return { options, checks: await checkSource.checksUnder(options) };
}

function scenarioOf(saved: Facts['faults']['scenario']): Scenario | null {
  if (saved === null) return null;
  const { name, ...script } = saved;
  const checked = checkScenario(name, script);
  if ('rules' in checked) return checked;
  throw refused(checked);
}

function checkedRule(rule: object): CheckedRule {
  const checked = checkRule(rule);
  if ('rule' in checked) return checked;
  throw refused(checked);
}

/** Throws NotUsableError if changes do not fit a seed that was changed: no file is damaged. */
function requireFitting(violations: readonly Violation[], seed: string): void {
  if (violations.length === 0) return;
  throw new NotUsableError(
    `its seed "${seed}" has changed since, and the stored changes no longer match it. ${refused(violations).message} Start the server with the old seed, or delete the file to start from the new one.`,
  );
}
