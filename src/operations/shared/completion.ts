import { quoted } from '../../base/violation.ts';
import type { Records } from '../../contract/generated/facts.ts';
import { OperationFailed, type Services } from './operation.ts';

/**
 * Returns whether a completed course item stays completed after further answers. Throws OperationFailed if they are
 * refused.
 */
export function staysCompleted(
  { userId, courseItemId }: Records['submissions'],
  shouldMarkAsCompleted: boolean | undefined,
  assume: Services['assume'],
): boolean {
  if (assume('resubmission') === 'refuse-after-completion') {
    throw new OperationFailed(
      'conflict',
      '/courseItemId',
      `The user ${quoted(userId)} has already completed the course item ${quoted(courseItemId)}.`,
    );
  }
  return shouldMarkAsCompleted !== false || assume('withdrawnCompletion') === 'ignore';
}
