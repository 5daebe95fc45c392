import { paragraph, type Violation } from './violation.ts';

/** A request that cannot be granted, such as a wrong flag, name or file. The message says what to do instead. */
export class SandboxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Nothing has the given name. */
export class NotFoundError extends SandboxError {}

/** The request conflicts with the current state. */
export class ConflictError extends SandboxError {}

/** A limit of this server is reached. */
export class CapacityError extends SandboxError {}

/** A limit of this server is reached for the moment: the same request may succeed a second later. */
export class BusyError extends CapacityError {}

/** The input does not match its schema; `violations` lists where. */
export class ValidationError extends SandboxError {
  readonly violations: readonly Violation[];

  /** `what` comes before the violations in the message, unless it lists them already. `unlisted` is the number of violations beyond the list. */
  constructor(what: string, violations: readonly Violation[], { isListed = false, unlisted = 0 } = {}) {
    super(isListed ? what : `${what} ${paragraph(violations, unlisted, 'It')}`);
    this.violations = violations;
  }
}

/** Returns one error for several. A single error stays as it is; several get one line each. */
export function joinErrors(errors: readonly SandboxError[]): SandboxError {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new SandboxError(`${errors.length} settings are wrong:\n  ${errors.map(({ message }) => message).join('\n  ')}`);
}

/** Waits for all steps. Rejects with one SandboxError that joins all of them, or with the first error of another kind. */
export async function allOrErrors(steps: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(steps);
  // What a promise rejects with may be anything.
  const reasons: readonly unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const misuses = reasons.filter((reason) => reason instanceof SandboxError);
  if (misuses.length < reasons.length) throw reasons.find((reason) => !(reason instanceof SandboxError));
  if (misuses.length > 0) throw joinErrors(misuses);
}
