import { fieldOf } from '../base/is-object.ts';
import { collectionReferences } from '../contract/generated/facts.ts';
import { describe, pointerTo, shortText, type Violation } from '../base/violation.ts';
import { collectionNames, type CollectionName } from './seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { State } from './state.ts';

/** Returns whether a collection has a record with an id. */
export type HasRecord = (collection: CollectionName, id: string) => boolean;

/** Returns a violation for each reference to a missing record. */
export function checkReferences(
  has: HasRecord,
  records: Iterable<readonly [CollectionName, object]>,
): readonly Violation[] {
  const violations: Violation[] = [];
  for (const [collection, record] of records) {
    const base = pointerTo(pointerTo('', collection), 'id' in record ? String(record.id) : '');
    for (const { field, target, value } of missingReferences(has, collection, record)) {
      violations.push({ pointer: pointerTo(base, field), message: mustName(target, value) });
    }
  }
  return violations;
}

/** A field that refers to a missing record. */
interface MissingReference {
  readonly field: string;
  readonly target: CollectionName;
  readonly value: unknown;
}

/** Returns the references of one record to missing records. */
export function* missingReferences(
  has: HasRecord,
  collection: CollectionName,
  record: object,
): Iterable<MissingReference> {
  for (const [field, target] of Object.entries<CollectionName>(collectionReferences[collection])) {
    const value = fieldOf(record, field) ?? [];
    const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const id of ids) if (typeof id !== 'string' || !has(target, id)) yield { field, target, value: id };
  }
}

export function mustName(target: CollectionName, value: unknown): string {
  return `must name a record of ${target}, but is ${describe(value)}.`;
}

/** Returns up to `max` records that refer to a record, as `collection/id`. */
export function* findRecordsNaming(
  state: State,
  target: CollectionName,
  id: string,
  max: number,
): SlicedWork<readonly string[]> {
  const found: string[] = [];
  for (const collection of collectionNames) {
    const references = Object.entries<CollectionName>(collectionReferences[collection]);
    const fields = references.flatMap(([field, to]) => (to === target ? [field] : []));
    if (fields.length === 0) continue;
    for (const record of state.collection(collection).all()) {
      if (fields.some((field) => [fieldOf(record, field)].flat().includes(id)))
        found.push(`${collection}/${shortText(record.id)}`);
      if (found.length >= max) return found;
      yield;
    }
  }
  return found;
}
