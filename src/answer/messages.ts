import type { FailureKind } from '../base/failure-kind.ts';
import type { InjectedFailure } from '../faults/fault.ts';
import type { RefusalKind } from '../sandbox/outcomes.ts';
import type { CallContext } from './call-context.ts';

/** What is wrong with the address of a request that matches no operation. */
export type UnmatchedKind = 'wrong-method' | 'unknown-path';

/**
 * Terse messages for the option `generic`. Messages of faults are never replaced: the user may have set them.
 */
const genericMessages: {
  readonly [K in Exclude<RefusalKind | FailureKind | UnmatchedKind, 'fault'>]: string;
} = {
  'missing-key': 'Unauthorized',
  'invalid-key': 'Unauthorized',
  'too-many-sandboxes': 'Too many sandboxes',
  throttled: 'Rate limit exceeded',
  malformed: 'Bad request',
  'too-large': 'Payload too large',
  'not-json': 'Unsupported media type',
  'invalid-parameters': 'Invalid input',
  'unknown-id': 'Not found',
  'bad-fault': 'Bad fault',
  'server-limit': 'Limit of this server',
  'server-busy': 'Server busy',
  'not-stored': 'Not stored',
  'internal-error': 'Internal error',
  'not-found': 'Not found',
  conflict: 'Conflict',
  invalid: 'Invalid input',
  'wrong-method': 'Method not allowed',
  'unknown-path': 'Not found',
};

/** A refusal or a failure. */
interface Failed {
  readonly kind: RefusalKind | InjectedFailure['kind'] | UnmatchedKind;
  readonly message: string;
}

export function failureMessage({ assume }: Pick<CallContext, 'assume'>, { kind, message }: Failed): string {
  if (kind === 'fault' || kind === 'injected' || kind === 'missing-output') return message;
  return assume('failureMessages') === 'generic' ? genericMessages[kind] : message;
}

export function titleOf(kind: RefusalKind | FailureKind | UnmatchedKind): string {
  return kind === 'fault' ? 'Request failed' : genericMessages[kind];
}
