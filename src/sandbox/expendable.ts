import { assumptionNames } from '../assumptions.ts';
import { inNextTurn, stopwatch } from './clock.ts';
import { StorageError } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxDefaults } from './sandboxes-options.ts';
import type { Scenario } from '../faults/scenario.ts';

/**
 * Returns whether the same key would create the same sandbox again, because nothing in it was changed.
 * Ignores the journal: every call is in it, so it would protect every sandbox that a key created.
 */
function isExpendable(sandbox: Sandbox, defaults: SandboxDefaults): boolean {
  // First what most sandboxes of a full server differ in: there may be thousands of them.
  // A request in progress may change the sandbox.
  if (sandbox.origin !== 'key' || sandbox.requestsInFlight > 0 || sandbox.state.isChanged) return false;
  const { options, clock, limits, faults, snapshots, quotas } = sandbox;
  return (
    clock.isReal &&
    limits.scale === defaults.limitScale &&
    limits.own.size === 0 &&
    snapshots.size === 0 &&
    Object.keys(quotas.own).length === 0 &&
    areOf(faults, defaults.scenario) &&
    assumptionNames.every((name) => options[name] === defaults.options[name])
  );
}

/** If several cannot be removed, the disk has a problem, and the next ones would fail, too. */
const maxRemovals = 8;

/**
 * The sandboxes that may be removed for new ones, those first that were unused for the longest time. A sandbox whose
 * journal somebody follows goes last, but it goes: a forgotten console must not keep it forever.
 */
export class Expendables {
  readonly #defaults: SandboxDefaults;
  /** When the removal of a sandbox failed, which would fail again. */
  readonly #failures = new WeakMap<Sandbox, number>();
  /**
   * Found in this turn of the event loop, the idlest last. Looking at thousands of sandboxes takes milliseconds, and a
   * client can send many calls at once.
   */
  #found: Candidate[] = [];
  /** Whether none was found in this turn. */
  #isNone = false;

  constructor(defaults: SandboxDefaults) {
    this.#defaults = defaults;
  }

  /** Returns one of these sandboxes, by id; null if all must stay. */
  next(byId: ReadonlyMap<string, Sandbox>): Sandbox | null {
    if (this.#isNone) return null;
    const mayGo = (sandbox: Sandbox): boolean => isExpendable(sandbox, this.#defaults);
    for (let one = this.#found.pop(); one !== undefined; one = this.#found.pop()) {
      const { sandbox, lastUsed, isFollowed } = one;
      const isUnused = byId.get(sandbox.id) === sandbox && sandbox.lastUsed === lastUsed;
      if (isUnused && sandbox.journal.hasListeners === isFollowed && mayGo(sandbox)) return sandbox;
    }
    this.#found = [...byId.values()]
      .filter(mayGo)
      .map((sandbox) => ({ sandbox, lastUsed: sandbox.lastUsed, isFollowed: sandbox.journal.hasListeners }))
      .toSorted(
        (one, other) =>
          Number(one.isFollowed) - Number(other.isFollowed) ||
          this.#turnOf(one.sandbox) - this.#turnOf(other.sandbox),
      )
      .toReversed();
    this.#isNone = this.#found.length === 0;
    inNextTurn(() => {
      this.#found = [];
      this.#isNone = false;
    });
    return this.#found.pop()?.sandbox ?? null;
  }

  /**
   * Removes the sandbox that `find` returns, and another one if its files cannot be deleted. Throws StorageError if
   * that is so for several.
   */
  removeNext(find: () => Sandbox | null, remove: (sandbox: Sandbox) => void): void {
    for (let triesLeft = maxRemovals; ; triesLeft -= 1) {
      const sandbox = find();
      if (sandbox === null) return;
      try {
        remove(sandbox);
        return;
      } catch (error) {
        if (!(error instanceof StorageError) || triesLeft === 1) throw error;
        this.#failures.set(sandbox, stopwatch());
      }
    }
  }

  /** When a sandbox was used, or could not be removed. */
  #turnOf(sandbox: Sandbox): number {
    return Math.max(sandbox.lastUsed, this.#failures.get(sandbox) ?? 0);
  }
}

/** A sandbox that may be removed, as it was when it was found. */
interface Candidate {
  readonly sandbox: Sandbox;
  readonly lastUsed: number;
  readonly isFollowed: boolean;
}

/**
 * Returns the stored sandbox that was unused for the longest time, of those that could leave memory now without a
 * visible effect except on their journals. `stays` are not returned. Those that expire can leave only if they also
 * expire where they are stored.
 */
export function idlestAtRest(
  sandboxes: Iterable<Sandbox>,
  stays: ReadonlySet<Sandbox>,
  expiresStored: boolean,
): Sandbox | null {
  let found: Sandbox | null = null;
  for (const sandbox of sandboxes) {
    const isIdler = found === null || sandbox.lastUsed < found.lastUsed;
    const mayGo = expiresStored || sandbox.ttlSeconds === null;
    if (isIdler && mayGo && !stays.has(sandbox) && isAtRest(sandbox)) found = sandbox;
  }
  return found;
}

/** Returns whether nobody uses a sandbox now. */
function isAtRest({ requestsInFlight, journal }: Sandbox): boolean {
  return requestsInFlight === 0 && !journal.hasListeners;
}

/** Returns the sandboxes that were not used for some milliseconds of real time, and are not used now. */
export function idleFor(milliseconds: number, sandboxes: Iterable<Sandbox>): readonly Sandbox[] {
  const since = stopwatch() - milliseconds;
  return [...sandboxes].filter((sandbox) => sandbox.lastUsed <= since && isAtRest(sandbox));
}

/** Keeps a sandbox in memory, as a request does. Returns a function that ends this. */
export function holdOf(sandbox: Sandbox | undefined): () => void {
  sandbox?.begin();
  return () => sandbox?.finish();
}

/** Returns whether the rules are exactly the unchanged ones of a scenario. */
function areOf({ all }: Sandbox['faults'], scenario: Scenario | null): boolean {
  const rules = scenario?.rules ?? [];
  return rules.length === all.length && all.every(({ checked }, index) => checked === rules[index]);
}
