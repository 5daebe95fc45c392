import { parseJson } from '../contract/envelope.ts';
import { deepest, isTooDeep } from '../base/json-depth.ts';
import { outcomeOf, requestIdOf, type JournalEntry, type StoredEntry } from '../sandbox/journal-entry.ts';

/** The parts of a journal entry that expectations refer to. */
export type SentEntry = Pick<
  JournalEntry,
  'requestId' | 'operation' | 'school' | 'scope' | 'page' | 'outcome' | 'request' | 'cut'
>;

/** The body of a call as JSON, or the reason why there is none. */
type SentBody = { readonly json: unknown } | { readonly lack: string };

/** A call that is compared with expectations. */
export interface SentCall {
  readonly entry: SentEntry;
  /** Parses the body on first use: many expectations never need it, others need it several times. */
  body(): SentBody;
}

/**
 * Prepares a call for comparison. Discard it after use: the parsed body can take twenty times the memory of
 * the text.
 */
export function sentCall(entry: SentEntry): SentCall {
  let read: SentBody | null = null;
  return { entry, body: () => (read ??= readBody(entry)) };
}

export function sentEntry(kept: StoredEntry): SentEntry {
  const { operation, school, scope, page, request, requestCut, responseCut } = kept;
  const requestId = requestIdOf(kept.sandboxId, kept.number);
  return {
    requestId,
    operation,
    school,
    scope,
    page,
    outcome: outcomeOf(kept),
    request,
    cut: { request: requestCut, response: responseCut },
  };
}

function readBody({ request, cut }: SentEntry): SentBody {
  if (cut.request > 0)
    return {
      lack: `The body was too long to be stored completely: its last ${cut.request} characters are missing.`,
    };
  if (request === '') return { lack: 'The body is empty.' };
  const json = parseJson(request);
  if (json === undefined) return { lack: 'The body is not JSON.' };
  // Comparing or showing a deeper value could overflow the stack.
  return isTooDeep(request) ? { lack: `The body is nested more than ${deepest} levels deep.` } : { json };
}
