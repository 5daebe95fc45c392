import { didYouMean } from '../base/did-you-mean.ts';
import { describe } from '../base/violation.ts';

const refusalKinds = [
  'missing-key',
  'invalid-key',
  'too-many-sandboxes',
  'throttled',
  'bad-fault',
  'fault',
  'malformed',
  'too-large',
  'not-json',
  'invalid-parameters',
  'unknown-id',
  'server-limit',
  'server-busy',
  'not-stored',
  'internal-error',
] as const;

/** Why a call was refused before its operation ran. */
export type RefusalKind = (typeof refusalKinds)[number];

/** Outcomes that only calls through the proxy have, besides `http-<status>`. */
const ofProxy = [
  'unreadable',
  'upstream-timeout',
  'upstream-failed',
  'request-violation',
  'response-violation',
] as const;

const outcomes: readonly string[] = [
  'ok',
  'element-error',
  'unmatched',
  'client-gone',
  ...refusalKinds,
  ...ofProxy,
];

/** Returns whether a journal entry can have an outcome. */
export function isOutcome(text: string): boolean {
  return outcomes.includes(text) || /^http-[1-9]\d\d$/.test(text);
}

/** Returns the message for a text that is not an outcome. */
export function notAnOutcome(text: string): string {
  return `is not an outcome: ${describe(text)}.${didYouMean(text, outcomes)} The outcomes are ${outcomes.join(', ')} and http-<status>.`;
}
