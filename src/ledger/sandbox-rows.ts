import { isOperationName } from '../contract/operation-types.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { schoolsText, summaryText } from './list-stored.ts';
import { columnKey, type Pending, type PendingRecord } from './pending.ts';

/** A window of the rate limits, as it is stored. */
interface CounterRow {
  readonly key: string;
  /** Negative if the counter takes this place even if it has one already. */
  readonly place: number;
  readonly counted: string;
}

/** What one statement stores of a sandbox. Texts are JSON; null leaves a column as it is. */
export interface SandboxRows {
  readonly id: string;
  readonly isNew: boolean;
  readonly generation: number;
  readonly state: string | null;
  readonly facts: string | null;
  /** What lists show; null if that is as before. */
  readonly summary: string | null;
  readonly schools: string | null;
  readonly changedRecords: number;
  readonly stateBytes: number;
  readonly createdAt: number;
  readonly lastNumber: number;
  readonly usedAt: number;
  readonly ttlSeconds: number | null;
  readonly gives: boolean;
  readonly records: readonly PendingRecord[];
  readonly snapshots: readonly (readonly [string, string | null])[];
  readonly hasAllCounters: boolean;
  readonly counters: readonly CounterRow[];
  /** The number of the last change among them. */
  readonly upTo: number;
}

interface Position {
  readonly isNew: boolean;
  readonly generation: number;
  readonly lastNumber: number;
  readonly facts: string | null;
  readonly nextPlace: () => number;
}

/** Returns the rows of what has happened. Counters and times are those of this moment. */
export function rowsToKeep(
  sandbox: Sandbox,
  pending: Pending,
  { nextPlace, ...position }: Position,
): Omit<SandboxRows, 'upTo'> {
  return {
    id: sandbox.id,
    ...position,
    state: pending.state,
    ...shownRows(sandbox, pending, position),
    usedAt: sandbox.usedAt,
    ttlSeconds: sandbox.ttlSeconds,
    gives: pending.gives,
    records: [...pending.records.values()],
    snapshots: [...pending.snapshots],
    hasAllCounters: pending.hasAllWindows,
    counters: pending.hasAllWindows ? allCounters(sandbox, nextPlace) : someCounters(sandbox, pending),
  };
}

/** Returns what lists show. The text of all schools can be long, so it is stored only with a change of them. */
function shownRows(
  sandbox: Sandbox,
  { state, records }: Pending,
  { isNew, facts }: Pick<Position, 'isNew' | 'facts'>,
): Pick<SandboxRows, 'summary' | 'schools' | 'changedRecords' | 'stateBytes' | 'createdAt'> {
  const isWhole = isNew || state !== null;
  const hasSchools = isWhole || [...records.values()].some(({ collection }) => collection === 'schools');
  return {
    summary: isWhole || facts !== null ? summaryText(sandbox) : null,
    schools: hasSchools ? schoolsText(sandbox) : null,
    changedRecords: sandbox.state.changedRecords,
    stateBytes: sandbox.stateRoom.usedBytes,
    createdAt: sandbox.createdAt,
  };
}

function allCounters({ limits }: Sandbox, nextPlace: () => number): readonly CounterRow[] {
  return (limits.facts().windows ?? []).map((facts) => counterRow(facts, -nextPlace()));
}

function someCounters({ limits: { counters } }: Sandbox, { windows }: Pending): readonly CounterRow[] {
  return [...windows.values()].flatMap(({ window: { operation, caller }, place, isNew }) => {
    const window = isOperationName(operation) ? counters.get(operation, caller) : undefined;
    // It was forgotten meanwhile, for lack of memory.
    if (window === undefined) return [];
    return [counterRow({ operation, caller, ...window.facts() }, isNew ? -place : place)];
  });
}

function counterRow(
  facts: { readonly operation: string; readonly caller: string },
  place: number,
): CounterRow {
  const { operation, caller } = facts;
  return { key: columnKey(`${operation} ${caller}`), place, counted: JSON.stringify(facts) };
}
