import { paragraph, type Violation } from './violation.ts';

/** Something that a person asked for and cannot have: a wrong flag, name or file. Its message says what to do instead. */
export class Misuse extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** There is nothing of the name that was given. */
export class NotThere extends Misuse {}

/** What was asked for is at odds with what there is. */
export class Conflict extends Misuse {}

/** There is no room for more. */
export class Full extends Misuse {}

/** What was sent does not fit; `violations` says where. */
export class Unfit extends Misuse {
  readonly violations: readonly Violation[];

  /** `what` is put before the violations, unless it tells them already. `untold` is how many there are beside those in the list. */
  constructor(what: string, violations: readonly Violation[], telling: 'to tell' | 'told already' = 'to tell', untold = 0) {
    super(telling === 'told already' ? what : `${what} ${paragraph(violations, untold, 'It')}`);
    this.violations = violations;
  }
}

/** Returns one error for several: the only one as it is, several in lines of their own. */
export function misuseFrom(errors: readonly Misuse[]): Misuse {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new Misuse(`${errors.length} settings are wrong:\n  ${errors.map(({ message }) => message).join('\n  ')}`);
}

/** Waits for all steps. Rejects with one Misuse for all that cannot be had, or with the first error that is none. */
export async function untilAllHad(steps: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(steps);
  // What a promise rejects with may be anything.
  const reasons: readonly unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const misuses = reasons.filter((reason) => reason instanceof Misuse);
  if (misuses.length < reasons.length) throw reasons.find((reason) => !(reason instanceof Misuse));
  if (misuses.length > 0) throw misuseFrom(misuses);
}
