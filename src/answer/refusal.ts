import type { Violation } from '../base/violation.ts';

/** Why a call was turned away before its operation ran. */
export type RefusalKind =
  | 'missing-key'
  | 'invalid-key'
  | 'too-many-sandboxes'
  | 'throttled'
  | 'bad-fault'
  | 'fault'
  | 'malformed'
  | 'too-large'
  | 'not-json'
  | 'invalid-parameters'
  | 'unknown-id'
  | 'server-limit'
  | 'server-busy'
  | 'internal-error';

/** A call turned away. */
export class Refusal {
  readonly kind: RefusalKind;
  /** The HTTP status, or `inside-body`: HTTP 200 with an error output per element. */
  readonly status: number | 'inside-body';
  readonly message: string;
  readonly violations: readonly Violation[];
  /** Name, value, name, value … */
  readonly headers: readonly string[];

  constructor(
    kind: RefusalKind,
    status: number | 'inside-body',
    message: string,
    { violations = [], headers = [] }: { violations?: readonly Violation[]; headers?: readonly string[] } = {},
  ) {
    this.kind = kind;
    this.status = status;
    this.message = message;
    this.violations = violations;
    this.headers = headers;
  }
}
