import type { SlicedWork } from '../base/sliced-work.ts';
import type { FaultyReply } from './faulty-reply.ts';
import type { OperationName } from '../contract/operation-types.ts';
import type { FailureKind } from '../base/failure-kind.ts';
import type { Given, Parameters } from './parameter.ts';

/** `before`: nothing of what the fault hits takes effect. `after`: it takes effect, and then the fault strikes. */
export type Phase = 'before' | 'after';

/** A number from 0 up to 1 for a purpose: it follows from the random seed, what fires, the operation and the number of the call. */
export type Chance = (purpose: string) => number;

/** Which elements of a batch a fault hits. `chosen` are those that its trigger is about, such as those that carry its identifier. */
export type Hits = (elements: number, chosen: readonly number[] | null) => readonly number[];

/** How an element is made to fail: as an operation does, or in a way of its own. */
export interface InjectedFailure {
  readonly kind: FailureKind | 'injected' | 'missing-output';
  readonly message: string;
}

/** What a fault does, with its parameters settled. */
export type Act =
  /** Holds the call, or its reply, up. */
  | { readonly kind: 'wait'; readonly milliseconds: (chance: Chance) => number }
  /** Turns the call away: with an HTTP status, or with an error output per element. */
  | {
      readonly kind: 'refuse';
      readonly status: number | 'inside-body';
      readonly message: string;
      /** Name, value, name, value … */
      readonly headers: readonly string[];
    }
  /** Turns the call away as one over the rate limit. */
  | { readonly kind: 'throttle'; readonly retryAfterSeconds: number }
  /** Makes elements fail. `edit` then puts the outputs of those out of form. */
  | { readonly kind: 'fail'; readonly hits: Hits; readonly failure: InjectedFailure; readonly edit?: Edit }
  /** Changes the outputs of elements that are well. */
  | { readonly kind: 'edit'; readonly hits: Hits; readonly edit: (operation: OperationName) => Edit }
  /** Changes the reply as it is about to leave. */
  | { readonly kind: 'change'; readonly change: (reply: FaultyReply) => FaultyReply }
  /** Puts another reply in its place, whatever it was. */
  | { readonly kind: 'replace'; readonly change: (reply: FaultyReply) => FaultyReply };

/** How much longer the faults of one call may make its reply, in characters. */
export interface Room {
  left: number;
}

/** Changes the members of a reply, `{ "output": … }` each; `hit` are the numbers of those to be changed. */
export type Edit = (
  members: readonly unknown[],
  hit: ReadonlySet<number>,
  room: Room,
) => readonly unknown[] | SlicedWork<readonly unknown[]>;

/** One way to fail. */
export interface Fault {
  readonly name: string;
  /** What the client sees, in a sentence. */
  readonly summary: string;
  readonly parameters: Parameters;
  /** The phase where none is asked for. By default no reply lies: what looks like a success has taken effect. */
  readonly phase: Phase;
  /** Values of parameters that do not go together; null where they do. */
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

export function defineFault<const N extends string, P extends Parameters>(definition: Definition<N, P>): Fault & { readonly name: N } {
  const { name, summary, parameters, phase, conflict = () => null, act } = definition;
  // Only values that `readParameters` made from these parameters get here.
  const settled = (given: Readonly<Record<string, unknown>>): Given<P> => given as Given<P>;
  return { name, summary, parameters, phase, conflict: (given) => conflict(settled(given)), act: (given) => act(settled(given)) };
}
