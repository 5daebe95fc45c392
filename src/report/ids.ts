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

/** Whose violations an id is about; the last are not violations, but differences from the assumptions. */
export type ViolationGroup = 'violations' | 'response-violations' | 'response-differences';

/** Where a kind of violation was found. */
interface ViolationPlace {
  readonly operation: string;
  readonly scope: string | null;
  readonly pointer: string;
  readonly message: string;
  readonly unmatched: boolean;
}

/** What a message names that can differ between runs: quoted values, as JSON escapes them, and numbers. */
const values = /"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|\d+/g;

/** Identifiers in a path: UUIDs, and hexadecimal digits or decimal ones. */
const identifiers = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

/**
 * Returns the id of a kind of violation. Numbers and quoted values of the message do not change it, because
 * they differ between runs; but the path of an unmatched request does, without its identifiers.
 */
export function violationId(
  group: ViolationGroup,
  { operation, scope, pointer, message, unmatched }: ViolationPlace,
): string {
  const constant = message.replaceAll(unmatched ? identifiers : values, '');
  const named = unmatched ? operation.replaceAll(identifiers, '*') : operation;
  const parts = [group, named, pointer.replaceAll(/\/\d+/g, '/*')].map(readable);
  return [...parts, digestOf(constant), ...(scope === null ? [] : [readable(scope)])].join(':');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Maximum length of a part of an id. */
const maxChars = 80;

/**
 * Returns a text without characters that end a part of an id, or need quotes in a shell. If it had any, a hash
 * distinguishes it from other texts.
 */
function readable(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}._~/*-]+/gu, '-');
  if (plain === text && plain.length <= maxChars) return plain;
  return `${plain.slice(0, maxChars)}-${digestOf(text)}`;
}
