import type { Facts } from '../sandbox/facts.ts';
import type { CallCounts, ChangeLists, SavedSnapshot } from '../sandbox/ledger.ts';
import { isObject } from '../base/is-object.ts';
import { SandboxError } from '../base/errors.ts';
import type { Saved, SavedLine } from './saved.ts';

/** A state file as it is read; one of the previous version has no facts. */
export type ReadSaved = Omit<Saved, 'facts' | 'format' | 'version' | 'sandbox'> & {
  readonly facts: Facts | null;
};

/** The content of a state file with the lines of its log, not yet checked. */
export class History {
  state: Saved['state'] | null = null;
  readonly snapshots = new Map<string, SavedSnapshot>();
  /** By collection and id, in the order in which they were made: a record, or null for a removed one. */
  readonly changes = new Map<string, Map<string, object | null>>();
  /** The number of the last line. */
  lastLine = 0;
  #facts: Facts | null = null;
  #reservedNumber = 0;

  /** `saved` is null if the state file was not written yet. */
  constructor(saved: ReadSaved | null) {
    if (saved === null) return;
    this.state = saved.state;
    this.#facts = saved.facts;
    this.lastLine = saved.upTo;
    for (const [name, snapshot] of Object.entries(saved.snapshots)) this.snapshots.set(name, snapshot);
    this.change(saved.changes);
  }

  get facts(): Facts | null {
    const facts = this.#facts;
    return facts && { ...facts, lastNumber: Math.max(facts.lastNumber, this.#reservedNumber) };
  }

  /** Applies a line of the log. Throws SandboxError if a line before it is missing. */
  apply(text: string): void {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed) || typeof parsed['line'] !== 'number')
      throw new SandboxError('A line of its log has no number.');
    // This program wrote it; the outcome is checked as a whole.
    const { line, counts, facts, state, changes, snapshots } = parsed as unknown as SavedLine;
    if (line <= this.lastLine) return;
    if (line !== this.lastLine + 1)
      throw new SandboxError(`Its log has no line ${this.lastLine + 1}, but a line ${line}.`);
    this.lastLine = line;
    if (state !== undefined) {
      this.state = state;
      this.changes.clear();
    }
    if (facts !== undefined) this.#facts = facts;
    if (changes !== undefined) this.change(changes);
    if (counts !== undefined && this.#facts !== null) this.#facts = counted(this.#facts, counts);
    this.#reservedNumber = Math.max(this.#reservedNumber, counts?.reservedNumber ?? 0);
    for (const [name, snapshot] of Object.entries(snapshots ?? {})) {
      if (snapshot === null) this.snapshots.delete(name);
      else this.snapshots.set(name, snapshot);
    }
  }

  /** Applies changes of records. */
  change(lists: ChangeLists): void {
    for (const [name, list] of Object.entries(lists)) {
      const changes = this.changes.get(name) ?? new Map<string, object | null>();
      this.changes.set(name, changes);
      for (const change of list) {
        if (typeof change === 'string') changes.set(change, null);
        else changes.set(change.id, change);
      }
    }
  }
}

/** Returns the facts with what a call has counted. */
function counted(facts: Facts, { lastNumber, usedAt, window, faults }: CallCounts): Facts {
  const counters = new Map(faults?.rules.map((rule) => [rule.id, rule]));
  return {
    ...facts,
    lastNumber,
    usedAt,
    limits: window === undefined ? facts.limits : countedIn(facts.limits, window),
    faults:
      faults === undefined
        ? facts.faults
        : {
            ...facts.faults,
            requested: { ...facts.faults.requested, ...faults.requested },
            rules: facts.faults.rules.map((rule) => ({ ...rule, ...counters.get(rule.id) })),
          },
  };
}

function countedIn(limits: Facts['limits'], window: NonNullable<CallCounts['window']>): Facts['limits'] {
  const { counting, ...latest } = window;
  const isOf = (one: Facts['limits']['windows'][number]): boolean =>
    one.operation === latest.operation && one.caller === latest.caller;
  const known = limits.windows.find(isOf)?.counted ?? [];
  const all = [...known, ...latest.counted];
  return {
    ...limits,
    windows: [
      ...limits.windows.filter((one) => !isOf(one)),
      { ...latest, counted: all.slice(Math.max(0, all.length - counting)) },
    ],
  };
}
