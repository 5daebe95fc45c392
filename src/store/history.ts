import type { Facts } from '../sandbox/facts.ts';
import type { CallCounts, ChangeLists, SavedSnapshot } from '../sandbox/ledger.ts';
import { unusedNumber } from '../sandbox/request-numbers.ts';
import { CountedWindows } from './counted-windows.ts';
import { SandboxError } from '../base/errors.ts';
import type { Saved, SavedLine } from './saved.ts';

/** A state file as it is read; one of version 1 has no facts, and only those of version 3 have an id. */
export type ReadSaved = Omit<Saved, 'facts' | 'id' | 'format' | 'version' | 'sandbox'> & {
  readonly facts: Facts | null;
  readonly id: string | null;
};

/** The content of a state file with the lines of its log. Whether the parts fit each other is not checked yet. */
export class History {
  state: Saved['state'] | null = null;
  readonly snapshots = new Map<string, SavedSnapshot>();
  /** By collection and id, in the order in which they were made: a record, or null for a removed one. */
  readonly changes = new Map<string, Map<string, object | null>>();
  /** The number of the last line. */
  lastLine = 0;
  #facts: Facts | null = null;
  #windows = new CountedWindows([]);
  #reservedNumber = 0;
  readonly #hasId: boolean;

  /** `saved` is null if the state file was not written yet. */
  constructor(saved: ReadSaved | null) {
    this.#hasId = saved !== null && saved.id !== null;
    if (saved === null) return;
    this.state = saved.state;
    this.#takeFacts(saved.facts);
    this.lastLine = saved.upTo;
    for (const [name, snapshot] of Object.entries(saved.snapshots)) this.snapshots.set(name, snapshot);
    this.change(saved.changes);
  }

  /** Whether the state file is as this version writes it. */
  get isCurrent(): boolean {
    return this.#facts !== null && this.lastLine > 0 && this.#hasId;
  }

  get facts(): Facts | null {
    const facts = this.#facts;
    return (
      facts && {
        ...facts,
        lastNumber: Math.max(facts.lastNumber, this.#reservedNumber),
        limits: { ...facts.limits, windows: this.#windows.all() },
      }
    );
  }

  #takeFacts(facts: Facts | null): void {
    this.#facts = facts;
    // Without them, those of the lines before count.
    const windows = facts?.limits.windows;
    if (windows !== undefined) this.#windows = new CountedWindows(windows);
  }

  /** Applies a line of the log. Throws SandboxError, and applies nothing, if a line before it is missing. */
  apply({ line, counts, facts, state, changes, snapshots }: SavedLine): void {
    if (line <= this.lastLine) return;
    if (line !== this.lastLine + 1)
      throw new SandboxError(`Its log has no line ${this.lastLine + 1}, but a line ${line}.`);
    this.lastLine = line;
    if (state !== undefined && !this.#repeats(line, state)) {
      this.state = state;
      this.changes.clear();
    }
    if (facts !== undefined) this.#takeFacts(facts);
    if (changes !== undefined) this.change(changes);
    if (counts !== undefined && this.#facts !== null) this.#facts = counted(this.#facts, counts);
    if (counts?.window !== undefined) this.#windows.add(counts.window);
    this.#reservedNumber = Math.max(this.#reservedNumber, counts?.reservedNumber ?? 0);
    for (const [name, snapshot] of Object.entries(snapshots ?? {})) {
      if (snapshot === null) this.snapshots.delete(name);
      else this.snapshots.set(name, snapshot);
    }
  }

  /**
   * A development version wrote the state of the file once more into the first line after it, if no log had
   * preceded the file, such as one of version 1. It replaced nothing.
   */
  #repeats(line: number, { seed, beginning }: Saved['state']): boolean {
    return (
      line === 1 &&
      this.state?.seed.fingerprint === seed.fingerprint &&
      this.state.seed.name === seed.name &&
      this.state.beginning === beginning
    );
  }

  /** Requests have numbers that no line has. */
  skipNumbers(): void {
    this.#reservedNumber = Math.max(this.#reservedNumber, unusedNumber());
  }

  /** Applies changes of records. */
  change(lists: ChangeLists): void {
    for (const [name, list] of Object.entries(lists)) {
      const changes = this.changes.get(name) ?? new Map<string, object | null>();
      this.changes.set(name, changes);
      for (const change of list) {
        const [id, record] = typeof change === 'string' ? [change, null] : [change.id, change];
        // As in memory, a removed record that is added again comes last.
        if (record === null || changes.get(id) === null) changes.delete(id);
        changes.set(id, record);
      }
    }
  }
}

/** Returns the facts with what a call has counted, except for its window. */
function counted(facts: Facts, { lastNumber, usedAt, faults }: CallCounts): Facts {
  if (faults === undefined) return { ...facts, lastNumber, usedAt };
  const counters = new Map(faults.rules.map((rule) => [rule.id, rule]));
  return {
    ...facts,
    lastNumber,
    usedAt,
    faults: {
      ...facts.faults,
      requested: { ...facts.faults.requested, ...faults.requested },
      rules: facts.faults.rules.map((rule) => ({ ...rule, ...counters.get(rule.id) })),
    },
  };
}
