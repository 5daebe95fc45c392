import { isObject } from '../base/is-object.ts';
import type { Violation } from '../base/violation.ts';
import { dateTimeWords, isRfc3339, rfc3339Of } from '../contract/date-time-format.ts';
import { isDisputed, isShort, maxWordChars } from '../contract/email-format.ts';
import { withoutNulls } from '../contract/field-use.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { CallContext } from './call-context.ts';

/** The parameters that are date-times or e-mail addresses. All of them are at the top level. */
const dateTimes: { readonly [N in OperationName]?: string } = {
  'update-digital-product-coupon': 'expireAtIsoString',
};
const addresses: { readonly [N in OperationName]?: string } = {
  'submit-user-course-item': 'userEmail',
  'create-instructor-account': 'instructorEmail',
};

/** Returns parameters in the forms that the contract has, if an option accepts others. */
export function inContractForms({ call, options, assume }: CallContext, sent: unknown): unknown {
  let parameters = sent;
  if (options.nullFields === 'as-omitted') {
    parameters = withoutNulls(call.operation, sent);
    if (parameters !== sent) assume('nullFields');
  }
  if (options.dateTimeFormat === 'iso-8601') {
    const rewritten = withRfc3339(call.operation, parameters);
    if (rewritten !== parameters) assume('dateTimeFormat');
    return rewritten;
  }
  return parameters;
}

/** Rewords violations so that they require no more than the options do. */
export function inWordsOfOptions(
  { options }: CallContext,
  violations: readonly Violation[],
): readonly Violation[] {
  if (violations.length === 0 || options.dateTimeFormat === 'rfc-3339') return violations;
  const asked = `must be ${dateTimeWords}`;
  return violations.map((violation) =>
    violation.message.startsWith(asked)
      ? {
          pointer: violation.pointer,
          message: `must be an ISO 8601 date or date-time in the extended format${violation.message.slice(asked.length)}`,
        }
      : violation,
  );
}

/** Notes the assumptions that decide whether the parameters are valid. */
export function noteForms(context: CallContext, parameters: unknown, violations: readonly Violation[]): void {
  const { call, assume } = context;
  const field = addresses[call.operation];
  if (field !== undefined && isObject(parameters)) noteAddress(context, parameters[field], violations);
  if (violations.length === 0) return;
  if (withoutNulls(call.operation, parameters) !== parameters) assume('nullFields');
  if (withRfc3339(call.operation, parameters) !== parameters) assume('dateTimeFormat');
}

function noteAddress(
  { options, assume }: CallContext,
  address: unknown,
  violations: readonly Violation[],
): void {
  if (typeof address !== 'string') return;
  // Saves time: every option accepts such an address.
  const isPlain =
    violations.length === 0 && options.emailFormat !== 'international' && address.length <= maxWordChars;
  if (isPlain) return;
  // Saves time, too: it can have millions of characters, and its format has been checked.
  const isKnownAscii = violations.length === 0 && options.emailFormat === 'ascii';
  if (isKnownAscii ? !isShort(address) : isDisputed(address)) assume('emailFormat');
}

/**
 * Returns parameters with their date-time in RFC 3339. Returns the same object if there is nothing to
 * convert.
 */
function withRfc3339(operation: OperationName, parameters: unknown): unknown {
  const field = dateTimes[operation];
  if (field === undefined || !isObject(parameters)) return parameters;
  const sent = parameters[field];
  const rewritten = typeof sent === 'string' && !isRfc3339(sent) ? rfc3339Of(sent) : null;
  return rewritten === null ? parameters : { ...parameters, [field]: rewritten };
}
