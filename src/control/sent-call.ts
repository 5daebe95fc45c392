import { isObject } from '../contract/is-object.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** The body of a call as JSON, or why it cannot be had. */
type SentBody = { readonly json: unknown } | { readonly lack: string };

/** A call as expectations are held against it. */
export interface SentCall {
  readonly entry: JournalEntry;
  /** Read when it is first asked for: many expectations never look at a body, others look at each several times. */
  body(): SentBody;
}

export function sentCall(entry: JournalEntry): SentCall {
  let read: SentBody | null = null;
  return { entry, body: () => (read ??= readBody(entry)) };
}

/** The parameters of each element; undefined for an element without any, and an empty list for a body that is no batch. */
export function parametersIn(body: unknown): readonly unknown[] {
  const elements = isObject(body) ? body['data'] : undefined;
  return Array.isArray(elements) ? elements.map((element: unknown) => (isObject(element) ? element['data'] : undefined)) : [];
}

/** No operation takes a body that is nested deeper, and to compare or show one could take more stack than there is. */
const deepest = 1000;

function readBody({ request, cut }: JournalEntry): SentBody {
  if (cut.request > 0) return { lack: `The body was too long to be kept whole: its last ${cut.request} characters are missing.` };
  if (request === '') return { lack: 'The body is empty.' };
  let json: unknown;
  try {
    json = JSON.parse(request);
  } catch {
    return { lack: 'The body is not JSON.' };
  }
  // Each level takes two characters at least.
  const tooDeep = request.length > 2 * deepest && isDeeper(json, deepest);
  return tooDeep ? { lack: `The body is nested more than ${deepest} levels deep.` } : { json };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Whether a JSON value is an object, not a list. */
