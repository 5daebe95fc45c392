import type { Violation } from '../base/violation.ts';
import type { RefusalKind } from '../sandbox/outcomes.ts';

/** The refusal of a call. */
export class Refusal {
  readonly kind: RefusalKind;
  /** The HTTP status, or `inside-body` for HTTP 200 with one error output per element. */
  readonly status: number | 'inside-body';
  readonly message: string;
  readonly violations: readonly Violation[];
  /** Name, value, name, value … */
  readonly headers: readonly string[];

  constructor(
    kind: RefusalKind,
    status: number | 'inside-body',
    message: string,
    {
      violations = [],
      headers = [],
    }: { violations?: readonly Violation[]; headers?: readonly string[] } = {},
  ) {
    this.kind = kind;
    this.status = status;
    this.message = message;
    this.violations = violations;
    this.headers = headers;
  }
}
