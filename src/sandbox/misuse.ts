import { paragraph, type Violation } from '../contract/violation.ts';

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
