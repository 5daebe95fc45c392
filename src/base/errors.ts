import type { ServerLimitName } from './server-limits.ts';
import { shortageText, type Shortage } from './shortage.ts';
import { paragraph, shortText, shortViolation, type Violation } from './violation.ts';

const maxMessageChars = 200_000;

/** An invalid request, such as a wrong flag, name or file. The message explains what to do instead. */
export class SandboxError extends Error {
  constructor(message: string) {
    super(shortText(message, maxMessageChars));
    this.name = new.target.name;
  }
}

/** Nothing has the given name. */
export class NotFoundError extends SandboxError {}

/** The token in the request does not permit it. */
export class ForbiddenError extends SandboxError {}

/** The token in the request is not valid any more. */
export class UnauthorizedError extends SandboxError {}

/** The request conflicts with the current state. */
export class ConflictError extends SandboxError {}

/** The request makes its change depend on a state that is not the current one. */
export class PreconditionError extends SandboxError {}

/** A limit of this server is reached. */
export class CapacityError extends SandboxError {}

/** A limit of this server is reached temporarily: the same request may succeed a second later. */
export class BusyError extends CapacityError {}

/** This server has no memory for the request at the moment. The message ends with what was exceeded. */
export class ShortageError extends BusyError {
  readonly limit: ServerLimitName;
  readonly shortage: Shortage;

  constructor(message: string, limit: ServerLimitName, shortage: Shortage) {
    super(`${message} ${shortageText(limit, shortage)}`);
    this.limit = limit;
    this.shortage = shortage;
  }
}

/** A stored sandbox cannot be loaded, at least for now. */
export class NotLoadedError extends BusyError {}

/** Another replica has the sandbox. */
export class ElsewhereError extends NotLoadedError {
  /** The URL of that replica. */
  readonly replica: string;

  constructor(id: string, replica: string) {
    super(`The sandbox "${id}" is on another replica.`);
    this.replica = replica;
  }
}

/** The input does not match its schema. */
export class ValidationError extends SandboxError {
  readonly violations: readonly Violation[];

  /**
   * The message is `what`, followed by the violations unless `isListed`. `unlisted` counts the violations
   * that are not in the list.
   */
  constructor(what: string, violations: readonly Violation[], { isListed = false, unlisted = 0 } = {}) {
    const told = violations.map(shortViolation);
    super(isListed ? what : `${what} ${paragraph(told, unlisted, 'It')}`);
    this.violations = told;
  }
}

/** Joins several errors into one, with a line for each. Returns a single error unchanged. */
export function joinErrors(errors: readonly SandboxError[]): SandboxError {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new SandboxError(
    `${errors.length} settings are wrong:\n  ${errors.map(({ message }) => message).join('\n  ')}`,
  );
}

/**
 * Waits for all steps. Rejects with the first error of another kind, or with one SandboxError that joins all
 * of them.
 */
export async function allOrErrors(steps: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(steps);
  // A promise can reject with any value.
  const reasons = outcomes.flatMap((outcome): readonly unknown[] =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  const sandboxErrors = reasons.filter((reason) => reason instanceof SandboxError);
  if (sandboxErrors.length < reasons.length)
    throw reasons.find((reason) => !(reason instanceof SandboxError));
  if (sandboxErrors.length > 0) throw joinErrors(sandboxErrors);
}
