import { factsOf, stateFacts, type Facts } from '../sandbox/facts.ts';
import type { LedgerEntry } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { savedSnapshot } from '../sandbox/snapshot.ts';
import type { StateMark } from './log-chain.ts';
import { format, version, type Saved } from './saved.ts';

/** Returns what the first line of a sandbox has: the state that the lines change. */
export function baseOf(sandbox: Sandbox): LedgerEntry {
  return { state: stateFacts(sandbox.state), facts: factsOf(sandbox) };
}

/** Returns the content of the state file of a sandbox. */
export function savedOf(sandbox: Sandbox, upTo: number, { id: stateId, logs }: StateMark): Saved {
  const { id, state, snapshots } = sandbox;
  return {
    format,
    version,
    sandbox: id,
    upTo,
    id: stateId,
    state: stateFacts(state),
    facts: factsOf(sandbox),
    logs,
    snapshots: Object.fromEntries([...snapshots].map(([name, one]) => [name, savedSnapshot(one)])),
    changes: state.changes(),
  };
}

/** Returns facts without the windows of the limits, which can be many megabytes. */
export function withoutWindows(facts: Facts): Facts {
  const { scale, own } = facts.limits;
  return { ...facts, limits: { scale, own } };
}

/** Returns the facts that a request to the control plane can change, except for the windows, as JSON. */
export function lasting(facts: Facts): string {
  return JSON.stringify({ ...withoutWindows(facts), lastNumber: 0, usedAt: 0 });
}
