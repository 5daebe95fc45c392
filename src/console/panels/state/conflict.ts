import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { contentOf, ControlProblem, fillPath, send, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { differencesBetween } from '../../parts/differences.ts';

type Record = Schemas['Record'];

/** The place of a record. */
export interface RecordPlace {
  readonly sandboxId: string;
  readonly collection: string;
  readonly recordId: string;
}

/** The route of a record. */
export const recordPath = '/control/sandboxes/{sandboxId}/state/{collection}/{recordId}';

/** What is at the place of a record now. */
export interface Found {
  /** Null if there is none. */
  readonly record: Record | null;
  /** The record's entity tag. */
  readonly tag: string | null;
}

/** Returns the current record. */
export async function findRecord(at: RecordPlace): Promise<Found> {
  try {
    const reply = await send('get', fillPath(recordPath, { ...at }));
    return { record: await contentOf(reply), tag: reply.headers.get('ETag') };
  } catch (error) {
    if (error instanceof ControlProblem && error.status === 404) return { record: null, tag: null };
    throw error;
  }
}

/** Returns the current record; null if there is none. */
export async function readRecord(at: RecordPlace): Promise<Record | null> {
  return (await findRecord(at)).record;
}

/** Writes a record, or deletes it, unless it has changed since it was found. Throws ControlProblem, then with the status 412. */
export async function changeRecord(at: RecordPlace, { tag }: Found, record: Record | null): Promise<Record> {
  const headers: Readonly<{ [name: string]: string }> =
    tag === null ? { 'If-None-Match': '*' } : { 'If-Match': tag };
  const target = fillPath(recordPath, { ...at });
  const reply =
    record === null
      ? await send('delete', target, undefined, { headers })
      : await send('put', target, record, { headers });
  return contentOf(reply);
}

/** Whether a record was not changed, because it was no longer as it was found. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ControlProblem && error.status === 412;
}

/** Maximum number of changed fields that are listed. */
const maxListed = 8;

/** Returns the pointers of the values that differ, without their leading slash. */
export function changedFields(before: Record | null, after: Record | null): readonly string[] {
  const pointers = differencesBetween(before, after).map(({ pointer }) => pointer.slice(1));
  const hidden = pointers.length - maxListed;
  return hidden > 0 ? [...pointers.slice(0, maxListed), `${hidden} more`] : pointers;
}

/** The record is not as it was when the editor opened. */
export interface Conflict {
  /** The record when the editor opened; null if there was none. */
  readonly before: Record | null;
  /** The record now; null if there is none. */
  readonly now: Record | null;
  /** What the user tried to do. */
  readonly verb: 'Save' | 'Delete';
  /** Saves or deletes the record anyway. */
  readonly act: () => void;
}

interface Props {
  readonly conflict: Conflict;
  readonly busy: boolean;
  /** Replaces what the editor shows. */
  readonly onLoad: (record: Record) => void;
}

/** Says what somebody else has changed, and offers to load that or to ignore it. */
export function ConflictQuestion({ conflict, busy, onLoad }: Props): VNode {
  const { before, now, verb, act } = conflict;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('button')?.focus(), []);
  return html`<div class="notice warn" role="alert" ref=${place}>
    <p>${wordsFor(before, now)} <strong>Nothing was ${verb === 'Save' ? 'saved' : 'deleted'} yet.</strong></p>
    <div class="row">
      ${now !== null && html`<button type="button" onClick=${() => onLoad(now)}>Load the current record</button>`}
      <${Button} type="button" class="danger" off=${busy} onClick=${act}>${now === null ? 'Save anyway' : labels[verb]}<//>
    </div>
  </div>`;
}

const labels: Readonly<{ [V in Conflict['verb']]: string }> = {
  Save: 'Overwrite the current record',
  Delete: 'Delete the current record',
};

function wordsFor(before: Record | null, now: Record | null): string {
  if (now === null) return 'Somebody else deleted the record in the meantime.';
  if (before === null) return `The collection already has a record ${String(now['id'])}.`;
  return `Somebody else changed the record in the meantime: ${changedFields(before, now).join(', ')}.`;
}
