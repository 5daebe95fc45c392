import { createHash } from 'node:crypto';

/** The part of a finding's id that depends on where it was found. */
interface Place {
  readonly operation: string;
  /** What the finding is about, if there can be several for one operation. */
  readonly subject?: string | undefined;
  readonly scope: string | null;
}

/** Returns the id of a finding: it is the same in every run, and its parts are separated by colons. */
export function findingId(check: string, { operation, subject, scope }: Place): string {
  const parts = [check, operation, ...(subject === undefined ? [] : [subject])];
  return [...parts, ...(scope === null ? [] : [scope])].map(readable).join(':');
}

/**
 * Returns the id of a kind of violation. Numbers and quoted values of the message do not change it, because
 * they differ between runs.
 */
export function violationId(
  group: 'violations' | 'response-violations',
  operation: string,
  { pointer, message }: { readonly pointer: string; readonly message: string },
): string {
  const constant = message.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|\d+/g, '');
  const hash = createHash('sha256').update(constant).digest('hex').slice(0, 8);
  return [group, readable(operation), readable(pointer.replaceAll(/\/\d+/g, '/*')), hash].join(':');
}

/** Maximum length of a part of an id. */
const maxChars = 80;

/** Returns a text without characters that end a part of an id, or need quotes in a shell. */
function readable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._~/*-]+/gu, '-').slice(0, maxChars);
}
