import type { AssumptionName, OptionOf } from '../../assumptions.ts';
import type { OperationName, Parameters, Result } from '../../contract/operation-types.ts';
import type { FailureKind } from '../../base/failure-kind.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { School } from '../../sandbox/sandbox.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { State } from '../../sandbox/state.ts';
import type { View } from '../../sandbox/views.ts';

/** How one element failed. */
interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Thrown by an operation; becomes the error output of its element. */
export class OperationFailed extends Error implements Failure {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A parameter that the operation cannot do without, whatever the reading of the specification. */
export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new OperationFailed('invalid', `The parameter ${name} is needed here, but missing.`);
  return value;
}

/** The collections whose records belong to a school, or to several. */
export type OwnedCollection = { [N in keyof Records]: Records[N] extends OneOwner | Owners ? N : never }[keyof Records];
type OneOwner = { readonly schoolId: string };
type Owners = { readonly schoolIds: readonly string[] };

/** What operations are given. Each names the few of these that it uses. */
export interface Services {
  /** The caller's school. */
  readonly school: School;
  readonly state: State;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly now: number;
  /** Where the client reached this server, without a slash at the end. */
  readonly origin: string;
  readonly sandboxId: string;
  /** The chosen option of an assumption. */
  readonly assume: <N extends AssumptionName>(name: N) => OptionOf<N>;
  /**
   * The school's own record, or OperationFailed. `what` names the kind of record in the message; `like` is what the caller takes it for,
   * in case that a record has to be made up.
   */
  readonly find: <N extends OwnedCollection>(collection: N, id: string, what: string, like?: Partial<Records[N]>) => Records[N];
  /** The assignments of a product that was found. */
  readonly assignmentsOf: (product: Records['products']) => SlicedWork<readonly Records['assignments'][]>;
  /** How a record looks in an answer. */
  readonly show: <R extends object, V extends object>(record: R, view: View<R, V>) => V;
  /** The same for a list, however long it is. */
  readonly showingAll: <R extends object, V extends object>(records: readonly R[], view: View<R, V>) => SlicedWork<readonly V[]>;
  /** An id that no record of the collection has. */
  readonly newId: (collection: OwnedCollection) => string;
  /** A secret of the sandbox for a purpose: 64 hexadecimal digits. */
  readonly secret: (...purpose: readonly string[]) => string;
}

/** An operation: parameters that fit the contract in, the result out, in slices if it reads long lists, or OperationFailed. */
export type Operation<N extends OperationName, Uses extends keyof Services> = (
  parameters: Parameters<N>,
  services: Pick<Services, Uses>,
) => Result<N> | SlicedWork<Result<N>>;
