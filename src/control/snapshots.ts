import { factsOf } from '../sandbox/facts.ts';
import type { components } from '../contract/generated/control.ts';
import { isPlainName } from '../sandbox/keys.ts';
import { ConflictError, CapacityError, NotFoundError, ValidationError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { restoreState, savedSnapshot, takeSnapshot, type Snapshot } from '../sandbox/snapshot.ts';

type Described = components['schemas']['Snapshot'];

/** Returns the snapshots by name: their order in a state file depends on their names. */
export function listSnapshots(sandbox: Sandbox): { readonly snapshots: readonly Described[] } {
  return { snapshots: namesOf(sandbox).map((name) => getSnapshot(sandbox, name)) };
}

function namesOf({ snapshots }: Sandbox): readonly string[] {
  return [...snapshots.keys()].toSorted((one, other) => (one < other ? -1 : 1));
}

/** Throws NotFoundError. */
export function getSnapshot(sandbox: Sandbox, name: string): Described {
  return describeSnapshot(name, snapshotNamed(sandbox, name));
}

/**
 * Stores the current state under a name and replaces an older snapshot of that name. The sandbox must not
 * change meanwhile.
 */
export function* saveSnapshot(sandbox: Sandbox, name: string): SlicedWork<Described> {
  const { snapshots } = sandbox;
  if (!isPlainName(name)) {
    const message = `must be 1 to 64 of a-z, 0-9 and dash, but is ${JSON.stringify(name)}.`;
    throw new ValidationError('The name of the snapshot is invalid.', [{ pointer: '/name', message }]);
  }
  checkRoom(sandbox, name);
  const snapshot = yield* takeSnapshot(sandbox);
  let done = false;
  try {
    const stored = { snapshots: { [name]: savedSnapshot(snapshot) } };
    if (sandbox.ledger !== null)
      yield* sandbox.ledger.appendLarge(stored, () => ({ facts: factsOf(sandbox) }));
    done = true;
  } finally {
    if (!done) snapshot.state.discard();
  }
  snapshots.get(name)?.state.discard();
  snapshots.set(name, snapshot);
  return describeSnapshot(name, snapshot);
}

/**
 * Each snapshot stores a copy of the changed records. Throws ConflictError or CapacityError before anything
 * is copied.
 */
function checkRoom({ snapshots, caps, state }: Sandbox, name: string): void {
  if (!snapshots.has(name) && snapshots.size >= caps.snapshots) {
    throw new ConflictError(
      `The sandbox has the maximum number of snapshots, ${snapshots.size}. Remove one first. This is a limit of this server, not of the platform; --max snapshots=N changes it.`,
    );
  }
  const others = [...snapshots].filter(([other]) => other !== name);
  const records = others.reduce((sum, [, other]) => sum + other.state.changedRecords, 0);
  if (records + state.changedRecords <= caps.snapshotRecords) return;
  throw new CapacityError(
    `The snapshots of a sandbox can store ${caps.snapshotRecords} changed records in total (snapshotRecords). The other snapshots have ${records}, and this one would have ${state.changedRecords}. Remove a snapshot, or export the state instead.`,
  );
}

/** Throws NotFoundError. */
export function restoreSnapshot(sandbox: Sandbox, name: string): SlicedWork<void> {
  return restoreState(sandbox, snapshotNamed(sandbox, name));
}

/** Throws NotFoundError. */
export function removeSnapshot(sandbox: Sandbox, name: string): void {
  const { state } = snapshotNamed(sandbox, name);
  sandbox.ledger?.append({ snapshots: { [name]: null }, facts: factsOf(sandbox) });
  state.discard();
  sandbox.snapshots.delete(name);
}

function snapshotNamed(sandbox: Sandbox, name: string): Snapshot {
  const found = sandbox.snapshots.get(name);
  if (found !== undefined) return found;
  const names = namesOf(sandbox);
  const list =
    names.length === 0 ? 'The sandbox has no snapshots.' : `The snapshots are ${names.join(', ')}.`;
  throw new NotFoundError(`There is no snapshot ${JSON.stringify(name)}. ${list}`);
}

function describeSnapshot(name: string, { now, state, rules }: Snapshot): Described {
  return {
    name,
    at: new Date(now).toISOString(),
    changedRecords: state.changedRecords,
    rules: rules.rules.length,
  };
}
