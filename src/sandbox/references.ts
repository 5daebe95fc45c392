import { collectionReferences } from '../contract/generated/facts.ts';
import { describe, pointerTo, type Violation } from '../contract/violation.ts';
import { collectionNames, type CollectionName } from './seed.ts';
import type { State } from './state.ts';

/** Where records name others that are not there. `has` tells whether a collection has a record of an id. */
export function checkReferences(
  has: (collection: CollectionName, id: string) => boolean,
  records: Iterable<readonly [CollectionName, object]>,
): readonly Violation[] {
  const violations: Violation[] = [];
  for (const [collection, record] of records) {
    const fields: Readonly<Record<string, unknown>> = { ...record };
    const base = pointerTo(pointerTo('', collection), String(fields['id']));
    for (const [field, target] of Object.entries<CollectionName>(collectionReferences[collection])) {
      const value = fields[field];
      const ids: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
      for (const id of ids) {
        if (typeof id === 'string' && has(target, id)) continue;
        violations.push({ pointer: pointerTo(base, field), message: `must name a record of ${target}, but is ${describe(id)}.` });
      }
    }
  }
  return violations;
}

/** The records that name a record, as collection and id. */
export function recordsNaming(state: State, target: CollectionName, id: string): readonly string[] {
  return collectionNames.flatMap((collection) => {
    const fields = Object.entries<CollectionName>(collectionReferences[collection]).flatMap(([field, to]) =>
      to === target ? [field] : [],
    );
    if (fields.length === 0) return [];
    const naming = [...state.collection(collection).all()].filter((record) => {
      const values: Readonly<Record<string, unknown>> = { ...record };
      return fields.some((field) => [values[field]].flat().includes(id));
    });
    return naming.map((record) => `${collection}/${record.id}`);
  });
}
