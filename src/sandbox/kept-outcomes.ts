import type { FailureKind, StoredEntry } from './journal-entry.ts';

type KeptOutcome = StoredEntry['elements'][number];

const ok: KeptOutcome = Object.freeze({ ok: true });

/** What most calls come to. */
const oneOk: readonly KeptOutcome[] = Object.freeze([ok]);

/** Every kind of failure once: a journal has thousands of exchanges, each with thousands of elements. */
const failures = Object.freeze({
  'not-found': failure('not-found'),
  conflict: failure('conflict'),
  invalid: failure('invalid'),
  injected: failure('injected'),
  'missing-output': failure('missing-output'),
  unknown: failure('unknown'),
}) satisfies Readonly<Record<FailureKind, KeptOutcome>>;

/** What became of the elements of a call, as the journal keeps it: null for each that is ok, else the kind of its failure. */
export function keptOutcomes(kinds: readonly (FailureKind | null)[]): readonly KeptOutcome[] {
  if (kinds.length === 1 && kinds[0] === null) return oneOk;
  return kinds.map((kind) => (kind === null ? ok : failures[kind]));
}

function failure(kind: FailureKind): KeptOutcome {
  return Object.freeze({ ok: false, kind });
}
