import { createHash } from 'node:crypto';
import { PreconditionError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { param, type ControlRequest } from './route.ts';
import { findRecord } from './state.ts';

/** The headers by which a request makes its change of a record depend on what the record is. */
export interface RecordConditions {
  /** If-Match: the record must have one of these tags, or be there (`*`). */
  readonly ifMatch: string | undefined;
  /** If-None-Match: the record must have none of these tags, or not be there (`*`). */
  readonly ifNoneMatch: string | undefined;
}

/** Returns the entity tag of a record: another one as soon as a value in it differs. */
export function tagOf(record: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url')}"`;
}

/**
 * Throws PreconditionError if the record that a request changes is not as its headers require. The change must
 * follow at once.
 */
export function checkConditions(
  sandbox: Sandbox,
  { params, conditions }: Pick<ControlRequest, 'params' | 'conditions'>,
): void {
  const { ifMatch, ifNoneMatch } = conditions ?? {};
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const [collection, id] = [param(params, 'collection'), param(params, 'recordId')];
  const record = findRecord(sandbox, collection, id);
  const tag = record === undefined ? null : tagOf(record);
  const isThere = tag === null ? `There is no record ${collection}/${id} now.` : `Its ETag is ${tag} now.`;
  if (ifMatch !== undefined && !isNamed(ifMatch, tag))
    throw new PreconditionError(
      `The record is not the one of If-Match: ${ifMatch}. ${isThere} Get the record again, and repeat the change if it still makes sense.`,
    );
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch, tag))
    throw new PreconditionError(
      `The record must not be the one of If-None-Match: ${ifNoneMatch}. ${isThere} Get the record first, or use another id.`,
    );
}

/** Whether a list of entity tags names a tag; `*` names every record that is there. */
function isNamed(list: string, tag: string | null): boolean {
  if (tag === null) return false;
  return list.trim() === '*' || list.split(',').some((one) => one.trim() === tag);
}
