import { SandboxError } from '../base/errors.ts';
import { sentence, type Violation } from '../base/violation.ts';

const maxTold = 5;

/** Throws SandboxError if there are violations. */
export function refuse(violations: readonly Violation[]): void {
  if (violations.length > 0) throw refused(violations);
}

/** Returns the error that names the first violations. `whole` names what they are in. */
export function refused(violations: readonly Violation[], whole?: string): SandboxError {
  const told = violations.slice(0, maxTold).map((violation) => sentence(violation, whole));
  return new SandboxError(told.join(' '));
}
