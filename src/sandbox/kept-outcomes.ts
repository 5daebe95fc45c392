import type { JournaledFailureKind, StoredEntry } from './journal-entry.ts';

type KeptOutcome = StoredEntry['elements'][number];

const ok: KeptOutcome = Object.freeze({ ok: true });

/** The outcome of most calls. */
const oneOk: readonly KeptOutcome[] = Object.freeze([ok]);

/**
 * One shared object per kind of failure: a journal can have thousands of entries with thousands of elements
 * each.
 */
const failures = Object.freeze({
  'not-found': failure('not-found'),
  conflict: failure('conflict'),
  invalid: failure('invalid'),
  injected: failure('injected'),
  'missing-output': failure('missing-output'),
  unknown: failure('unknown'),
}) satisfies Readonly<Record<JournaledFailureKind, KeptOutcome>>;

/**
 * Returns the outcomes of a call's elements for the journal. `kinds` has the kind of each failure, and null
 * for each success.
 */
export function keptOutcomes(kinds: readonly (JournaledFailureKind | null)[]): readonly KeptOutcome[] {
  if (kinds.length === 1 && kinds[0] === null) return oneOk;
  return kinds.map((kind) => (kind === null ? ok : failures[kind]));
}

function failure(kind: JournaledFailureKind): KeptOutcome {
  return Object.freeze({ ok: false, kind });
}
