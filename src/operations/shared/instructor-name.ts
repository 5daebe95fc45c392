import { isBlank } from '../../base/blank.ts';
import { OperationFailed, type Services } from './operation.ts';

/** Refuses an empty or blank name unless an assumption allows it. */
export function checkName(sent: string | undefined, assume: Services['assume']): void {
  if (sent === undefined || !isBlank(sent) || assume('emptyInstructorName') === 'store') return;
  throw new OperationFailed('invalid', '/instructorName', 'must not be empty or blank.');
}

/** Returns the name of a new instructor (specification, endpoint 5). */
export function nameOfNew(email: string, sent: string | undefined, assume: Services['assume']): string {
  if (sent !== undefined) return sent;
  const option = assume('omittedInstructorName');
  if (option === 'element-error')
    throw new OperationFailed('invalid', '/instructorName', 'is required for a new instructor, but missing.');
  return option === 'empty' ? '' : email.slice(0, email.indexOf('@'));
}
