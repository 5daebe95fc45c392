/** Why an operation fails: no such record, a conflict with the state, or invalid parameters. */
export type FailureKind = 'not-found' | 'conflict' | 'invalid';
