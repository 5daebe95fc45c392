import type { components } from '../contract/generated/control.ts';
import { isPlainName } from '../sandbox/keys.ts';
import { Conflict, NotThere, Unfit } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../sandbox/snapshot.ts';

type Described = components['schemas']['Snapshot'];

/** Each holds a copy of what had changed, so there is an end to how many a sandbox keeps. */
const mostSnapshots = 100;

export function listSnapshots({ snapshots }: Sandbox): { readonly snapshots: readonly Described[] } {
  return { snapshots: [...snapshots].map(([name, snapshot]) => describeSnapshot(name, snapshot)) };
}

/** Throws NotThere. */
export function getSnapshot(sandbox: Sandbox, name: string): Described {
  return describeSnapshot(name, snapshotNamed(sandbox, name));
}

/** Keeps the present moment under a name, in the place of what had it before. */
export function saveSnapshot(sandbox: Sandbox, name: string): Described {
  const { snapshots } = sandbox;
  if (!isPlainName(name)) {
    const message = `must be 1 to 64 of a-z, 0-9 and dash, but is ${JSON.stringify(name)}.`;
    throw new Unfit('The name of the snapshot does not fit.', [{ pointer: '/name', message }]);
  }
  if (!snapshots.has(name) && snapshots.size >= mostSnapshots) {
    throw new Conflict(`The sandbox has ${snapshots.size} snapshots, as many as it may have. Remove one first.`);
  }
  const snapshot = takeSnapshot(sandbox);
  snapshots.set(name, snapshot);
  return describeSnapshot(name, snapshot);
}

/** Throws NotThere. */
export function goBackTo(sandbox: Sandbox, name: string): void {
  restoreSnapshot(sandbox, snapshotNamed(sandbox, name));
}

/** Throws NotThere. */
export function removeSnapshot(sandbox: Sandbox, name: string): void {
  snapshotNamed(sandbox, name);
  sandbox.snapshots.delete(name);
}

function snapshotNamed({ snapshots }: Sandbox, name: string): Snapshot {
  const found = snapshots.get(name);
  if (found !== undefined) return found;
  const list = snapshots.size === 0 ? 'There is none at all.' : `The snapshots are ${[...snapshots.keys()].join(', ')}.`;
  throw new NotThere(`There is no snapshot ${JSON.stringify(name)}. ${list}`);
}

function describeSnapshot(name: string, { now, state, rules }: Snapshot): Described {
  return { name, at: new Date(now).toISOString(), changedRecords: state.changedRecords, rules: rules.rules.length };
}
