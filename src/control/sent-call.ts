import { parseJson } from '../contract/envelope.ts';
import { deepest, isTooDeep } from '../base/json-depth.ts';
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

function readBody({ request, cut }: JournalEntry): SentBody {
  if (cut.request > 0) return { lack: `The body was too long to be kept whole: its last ${cut.request} characters are missing.` };
  if (request === '') return { lack: 'The body is empty.' };
  const json = parseJson(request);
  if (json === undefined) return { lack: 'The body is not JSON.' };
  // To compare or show what is nested deeper could take more stack than there is.
  return isTooDeep(request) ? { lack: `The body is nested more than ${deepest} levels deep.` } : { json };
}
