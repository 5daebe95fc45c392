import type { StoredEntry } from './journal-entry.ts';
import { isWide } from './kept-text.ts';

/** What an exchange takes by itself: its object, its numbers, its place in the journal, and what is about the same for each. */
const ofEach = 640;

/** What an object with a few fields takes. */
const ofObject = 56;

/** What a list takes by itself, and each of its members. */
const ofList = 32;
const ofMember = 8;

/** What a text takes beside its characters. */
const ofText = 16;

/** The memory that an exchange takes in the journal, about, without the request's headers, which many share. */
export function bytesOfExchange(kept: StoredEntry): number {
  const { elements, faults, assumed, violations, responseViolations = [], responseHeaders } = kept;
  return (
    ofEach +
    bytesOfText(kept.request) +
    bytesOfText(kept.response) +
    bytesOfText(kept.query) +
    (elements.length < 2 ? 0 : ofList + elements.length * ofMember) +
    (faults.length === 0 ? 0 : ofList + faults.length * (ofMember + ofObject)) +
    (assumed.length === 0 ? 0 : ofAssumed) +
    bytesOfViolations(violations) +
    bytesOfViolations(responseViolations) +
    bytesOfHeaders(responseHeaders)
  );
}

/** A list that grew by its first member has room for 17. */
const ofAssumed = ofList + 17 * ofMember;

/** The memory that headers take, about. Their names are mostly the program's own. */
export function bytesOfHeaders(headers: readonly string[]): number {
  let bytes = ofList + headers.length * ofMember;
  for (let at = 1; at < headers.length; at += 2) bytes += bytesOfText(headers[at] ?? '');
  return bytes;
}

function bytesOfViolations(violations: StoredEntry['violations']): number {
  if (violations.length === 0) return 0;
  let bytes = ofList;
  for (const { pointer, message } of violations) bytes += ofMember + ofObject + bytesOfText(pointer) + bytesOfText(message);
  return bytes;
}

/** The memory that a text takes. */
function bytesOfText(text: string): number {
  return text === '' ? 0 : ofText + text.length * (isWide(text) ? 2 : 1);
}
