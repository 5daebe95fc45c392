import { createHash } from 'node:crypto';
import { PreconditionError, SandboxError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { param, type ControlRequest, type ControlRoute } from './route.ts';
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
  if (ifMatch !== undefined && !isNamed(namesIn(ifMatch), tag))
    throw new PreconditionError(
      `The record is not the one of If-Match: ${ifMatch}. ${isThere} Get the record again, and repeat the change if it still makes sense.`,
    );
  // A weak tag of the record names it, too (RFC 9110, section 13.1.2), unlike in If-Match.
  if (ifNoneMatch !== undefined && isNamed(namesIn(ifNoneMatch).map(strong), tag))
    throw new PreconditionError(
      `The record must not be the one of If-None-Match: ${ifNoneMatch}. ${isThere} Get the record first, or use another id.`,
    );
}

/**
 * Throws SandboxError if a request that changes something other than a record has a condition: if it was ignored, the
 * client could overwrite what it wants to keep.
 */
export function refuseConditions(
  { method, path }: ControlRoute,
  conditions: RecordConditions | undefined,
): void {
  if (method === 'GET' || path.endsWith('/state/{collection}/{recordId}')) return;
  const { ifMatch, ifNoneMatch } = conditions ?? {};
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  throw new SandboxError(
    `${method} ${path} does not support ${ifMatch === undefined ? 'If-None-Match' : 'If-Match'}: only PUT, PATCH and DELETE of a record do. Send the request without it.`,
  );
}

/** Whether a list of entity tags names a tag; `*` names every record that is there. */
function isNamed(names: readonly string[], tag: string | null): boolean {
  return tag !== null && (names.includes(tag) || (names.length === 1 && names[0] === '*'));
}

function namesIn(list: string): readonly string[] {
  return list.split(',').map((one) => one.trim());
}

function strong(tag: string): string {
  return tag.replace(/^W\//, '');
}
