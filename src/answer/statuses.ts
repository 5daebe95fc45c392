/**
 * The HTTP statuses of refusals, by the option of the assumption that decides, and of failures, by kind.
 * `calibrate` predicts responses from the same tables.
 */

/** `inside-body`: status 200, with the error in the outputs. */
const inside = 'inside-body';

/** Options of `missingKey` and `invalidKey`. */
export const keyStatuses = { 'http-401': 401, 'http-403': 403, 'output-error': inside } as const;

/** Options of `throttleReply`. */
export const throttleStatuses = {
  'http-429': 429,
  'http-503': 503,
  'http-403': 403,
  'output-error': inside,
} as const;

/** Options of `malformedBody`. */
export const malformedStatuses = { 'http-400': 400, 'http-422': 422, 'output-error': inside } as const;

/** The status of a body that is not JSON, or too large, unless its error is in the outputs. */
export const bodyStatuses = { 'not-json': 415, 'too-large': 413 } as const;

/** Options of `invalidParameters` that refuse the call. */
export const invalidParameterStatuses = { 'http-400': 400, 'http-422': 422 } as const;

/** Options of `unknownId` that refuse the call. */
export const unknownIdStatuses = { 'http-404': 404 } as const;

/** Options of `unknownPath`. */
export const unknownPathStatuses = { 'http-404': 404, 'http-403': 403 } as const;

/** Options of `wrongMethod`. */
export const wrongMethodStatuses = { 'http-405': 405, 'http-404': 404, 'http-403': 403 } as const;

/** Statuses under the option `by-kind` of `operationFailureStatus`. */
export const failureStatuses = {
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  injected: 500,
  'missing-output': 200,
} as const;

/** Options of `ruleFailureStatus` that have one status for all rules; it replaces those above. */
export const ruleFailureStatuses = { 'http-400': 400 } as const;
