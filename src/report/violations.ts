import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { fieldOf } from '../base/is-object.ts';
import { stepsOf } from '../base/violation.ts';
import { parseJson } from '../contract/envelope.ts';
import { isMagicIdentifier } from '../faults/magic-identifier.ts';
import { violationId, type ViolationGroup } from './ids.ts';
import type { Report } from './report.ts';

/** Maximum number of requests listed for each violation. */
const maxNamed = 10;

/** Maximum number of kinds of violations in a report; a hostile client can cause any number. */
const maxListed = 500;

/** The listed violations, grouped by kind, and the number of unlisted kinds and occurrences. */
export interface GatheredViolations {
  readonly listed: Report['violations'];
  readonly unlisted: { readonly kinds: number; readonly count: number };
}

/** Returns the client's contract violations, grouped by kind, with the requests that have them. */
export function violationsIn(entries: readonly JournalEntry[]): SlicedWork<GatheredViolations> {
  return gathering(entries, {
    group: 'violations',
    of: ownViolations,
    element: /^\/data\/\d+/,
    any: '/data/*',
  });
}

/** Leaves out magic identifiers, with which a test requests a fault in place of a date or another form. */
function ownViolations({ faults, request, violations }: JournalEntry): JournalEntry['violations'] {
  if (violations.length === 0 || !faults.some(({ rule }) => rule === null)) return violations;
  const body = parseJson(request);
  return violations.filter(({ pointer }) => !isMagicIdentifier(valueAt(body, pointer)));
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const step of stepsOf(pointer))
    value = typeof value === 'object' && value !== null ? fieldOf(value, step) : undefined;
  return value;
}

/** Returns the violations by the upstream of a proxy; null if there is no upstream. */
export function* responseViolationsIn(
  entries: readonly JournalEntry[],
): SlicedWork<GatheredViolations | null> {
  if (entries.every((entry) => entry.responseViolations === undefined)) return null;
  return yield* gathering(entries, {
    ...inResponses,
    group: 'response-violations',
    of: (entry) => entry.responseViolations ?? [],
  });
}

/** Returns where the upstream of a proxy differs from the assumptions; null if there is no upstream. */
export function* responseDifferencesIn(
  entries: readonly JournalEntry[],
): SlicedWork<GatheredViolations | null> {
  if (entries.every((entry) => entry.responseDifferences === undefined)) return null;
  return yield* gathering(entries, {
    ...inResponses,
    group: 'response-differences',
    of: (entry) => entry.responseDifferences ?? [],
  });
}

/** The elements of a batch in the pointers of responses. */
const inResponses = { element: /^\/\d+/, any: '/*' };

interface Source {
  readonly group: ViolationGroup;
  readonly of: (entry: JournalEntry) => JournalEntry['violations'];
  /** Matches the element of a batch in a pointer. */
  readonly element: RegExp;
  /** Replaces it, so that the violations of all elements are one kind. */
  readonly any: string;
}

type Found = Omit<Report['violations'][number], 'id'> & {
  count: number;
  requestIds: string[];
};

function* gathering(
  entries: readonly JournalEntry[],
  { group, of, element, any }: Source,
): SlicedWork<GatheredViolations> {
  const found = new Map<string, Found>();
  for (const entry of entries) {
    yield;
    const { operation, requestId, scope, outcome } = entry;
    for (const { pointer, message } of of(entry)) {
      const place = pointer.replace(element, any);
      const unmatched = group === 'violations' && outcome === 'unmatched';
      const key = JSON.stringify([operation, unmatched, scope, place, message]);
      const known = found.get(key) ?? {
        operation,
        scopes: scope === null ? [] : [scope],
        unmatched,
        pointer: place,
        message,
        count: 0,
        requestIds: [],
      };
      known.count += 1;
      add(known.requestIds, requestId);
      found.set(key, known);
    }
  }
  const sorted = [...found.values()].toSorted((one, other) => other.count - one.count);
  const rest = sorted.slice(maxListed);
  return {
    listed: sorted.slice(0, maxListed).map((one) => ({ id: idOf(group, one), ...one })),
    unlisted: { kinds: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) },
  };
}

function idOf(group: Source['group'], one: Found): string {
  const {
    scopes: [scope = null],
  } = one;
  return violationId(group, { ...one, scope });
}

/** Adds a name, up to the maximum number of different ones. */
function add(names: string[], name: string): void {
  if (names.length < maxNamed && !names.includes(name)) names.push(name);
}
