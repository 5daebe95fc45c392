import type { StoredEntry } from './journal-entry.ts';
import { isWide } from './kept-text.ts';

/** The fixed size of an entry: its object, its numbers, and its place in the journal. Sizes are estimates. */
const entryBytes = 720;

/** An object with a few fields. */
const objectBytes = 56;

/** A list without its members. */
const listBytes = 32;
const memberBytes = 8;

/** A text without its characters. */
const textBytes = 16;

/** Estimates the memory of a journal entry in bytes, without the request's headers, which entries share. */
export function bytesOfEntry(stored: StoredEntry): number {
  const {
    elements,
    faults,
    assumed,
    violations,
    responseViolations = [],
    responseDifferences = [],
    hints = [],
    requestTrailers,
    responseHeaders,
  } = stored;
  return (
    entryBytes +
    bytesOfText(stored.request) +
    // Wire text has one byte per character. Looking at it would copy the parts that it is joined from.
    textBytes +
    stored.response.length +
    bytesOfText(stored.query) +
    bytesOfText(stored.path ?? '') +
    bytesOfText(stored.scope ?? '') +
    (elements.length < 2 ? 0 : listBytes + elements.length * memberBytes) +
    (faults.length === 0 ? 0 : listBytes + faults.length * (memberBytes + objectBytes)) +
    (assumed.length === 0 ? 0 : assumedBytes) +
    bytesOfViolations(violations) +
    bytesOfViolations(responseViolations) +
    bytesOfViolations(responseDifferences) +
    bytesOfViolations(hints) +
    (requestTrailers === undefined ? 0 : bytesOfHeaders(requestTrailers)) +
    // This server sends only headers with one byte per character.
    bytesOfHeaders(responseHeaders, bytesOfNarrowText)
  );
}

/** JavaScript reserves room for 17 members when the first is added to a list. */
const assumedBytes = listBytes + 17 * memberBytes;

/** Names of headers up to this length are mostly shared by the program. */
const sharedName = 32;

/** Estimates the memory of headers in bytes, without short names. */
export function bytesOfHeaders(headers: readonly string[], bytesOf = bytesOfText): number {
  let bytes = listBytes + headers.length * memberBytes;
  for (let at = 0; at < headers.length; at += 1) {
    const text = headers[at] ?? '';
    if (at % 2 === 1 || text.length > sharedName) bytes += bytesOf(text);
  }
  return bytes;
}

function bytesOfViolations(violations: StoredEntry['violations']): number {
  if (violations.length === 0) return 0;
  let bytes = listBytes;
  for (const { pointer, message } of violations)
    bytes += memberBytes + objectBytes + bytesOfText(pointer) + bytesOfText(message);
  return bytes;
}

function bytesOfText(text: string): number {
  return text === '' ? 0 : textBytes + text.length * (isWide(text) ? 2 : 1);
}

/** As `bytesOfText`, for a text that is known to have one byte per character. */
function bytesOfNarrowText(text: string): number {
  return text === '' ? 0 : textBytes + text.length;
}
