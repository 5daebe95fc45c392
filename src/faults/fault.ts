import type { SlicedWork } from '../base/sliced-work.ts';
import type { FaultyReply } from './faulty-reply.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { FailureKind } from '../base/failure-kind.ts';
import type { Given, Parameters } from './parameter.ts';

/** `before`: the affected elements have no effect. `after`: they take effect, and then the fault occurs. */
export type Phase = 'before' | 'after';

/**
 * Returns a number from 0 to 1, derived from the purpose, the random seed, the rule or fault, the operation
 * and the number of the call.
 */
export type Chance = (purpose: string) => number;

/**
 * Returns which elements of a batch a fault affects. `chosen` are those that its trigger selects, such as by
 * a magic identifier.
 */
export type Hits = (elements: number, chosen: readonly number[] | null) => readonly number[];

/** How an element fails: like an operation, or in a way that only faults have. */
export interface InjectedFailure {
  readonly kind: FailureKind | 'injected' | 'missing-output';
  readonly message: string;
}

/** The action of a fault with its parameters. */
export type Act =
  /** Delays the call or its reply. */
  | { readonly kind: 'wait'; readonly milliseconds: (chance: Chance) => number }
  /** Refuses the call: with an HTTP status, or with one error output per element. */
  | {
      readonly kind: 'refuse';
      readonly status: number | 'inside-body';
      readonly message: string;
      /** Name, value, name, value … */
      readonly headers: readonly string[];
    }
  /** Refuses the call as if it exceeded the rate limit. */
  | { readonly kind: 'throttle'; readonly retryAfterSeconds: number }
  /** Makes elements fail. `edit` then malforms their outputs. */
  | { readonly kind: 'fail'; readonly hits: Hits; readonly failure: InjectedFailure; readonly edit?: Edit }
  /** Changes the outputs of successful elements. */
  | { readonly kind: 'edit'; readonly hits: Hits; readonly edit: (operation: OperationName) => Edit }
  /** Changes the finished reply. */
  | { readonly kind: 'change'; readonly change: (reply: FaultyReply) => FaultyReply }
  /** Replaces the reply. */
  | { readonly kind: 'replace'; readonly change: (reply: FaultyReply) => FaultyReply };

/** The number of characters that the faults of one call may still add to its reply. */
export interface Room {
  left: number;
}

/** Changes the members of a reply (`{ "output": … }`). `hit` has the indexes of those to change. */
export type Edit = (
  members: readonly unknown[],
  hit: ReadonlySet<number>,
  room: Room,
) => readonly unknown[] | SlicedWork<readonly unknown[]>;

/** A way to fail. */
export interface Fault {
  readonly name: string;
  /** What the client sees, in a sentence or two. */
  readonly summary: string;
  readonly parameters: Parameters;
  /**
   * The default phase. By default no reply is a false success: if it looks successful, the operation took
   * effect.
   */
  readonly phase: Phase;
  /** Returns a message if the parameters are inconsistent, else null. */
  readonly conflict: (given: Readonly<Record<string, unknown>>) => string | null;
  readonly act: (given: Readonly<Record<string, unknown>>) => Act;
}

interface Definition<N extends string, P extends Parameters> {
  readonly name: N;
  readonly summary: string;
  readonly parameters: P;
  readonly phase: Phase;
  readonly conflict?: (given: Given<P>) => string | null;
  readonly act: (given: Given<P>) => Act;
}

export function defineFault<const N extends string, P extends Parameters>(
  definition: Definition<N, P>,
): Fault & { readonly name: N } {
  const { name, summary, parameters, phase, conflict = () => null, act } = definition;
  // Cast: the values always come from `readParameters` with these parameters.
  const typed = (given: Readonly<Record<string, unknown>>): Given<P> => given as Given<P>;
  return {
    name,
    summary,
    parameters,
    phase,
    conflict: (given) => conflict(typed(given)),
    act: (given) => act(typed(given)),
  };
}
