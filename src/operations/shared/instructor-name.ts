import { OperationFailed, type Services } from './operation.ts';

/** Returns the name of a new instructor (specification, endpoint 5). */
export function nameOfNew(email: string, sent: string | undefined, assume: Services['assume']): string {
  if (sent !== undefined) return sent;
  const option = assume('omittedInstructorName');
  if (option === 'element-error')
    throw new OperationFailed('invalid', '/instructorName', 'is required for a new instructor, but missing.');
  return option === 'empty' ? '' : email.slice(0, email.indexOf('@'));
}
