import type { AssumptionName, OptionOf } from '../../assumptions.ts';
import type { OperationName, Parameters, Result } from '../../contract/operation-types.ts';
import type { FailureKind } from '../../base/failure-kind.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { ChildOfProduct } from '../../sandbox/indexes.ts';
import type { OwnedCollection } from '../../sandbox/owned-collection.ts';
import type { School } from '../../sandbox/sandbox.ts';
import type { MaybeSliced, SlicedWork } from '../../base/sliced-work.ts';
import type { Violation } from '../../base/violation.ts';
import type { State } from '../../sandbox/state.ts';
import type { Views } from '../../sandbox/views.ts';
import type { ListOrder } from './list-order.ts';

/** Becomes the error output of its element, which begins with the place: the `pointer` into the parameters. */
export class OperationFailed extends Error implements Violation {
  readonly kind: FailureKind;
  readonly pointer: string;

  constructor(kind: FailureKind, pointer: string, message: string) {
    super(message);
    this.kind = kind;
    this.pointer = pointer;
  }
}

/** Returns a parameter that the operation requires even if validation does not. Throws OperationFailed. */
export function needed<T>(value: T | undefined, pointer: string): T {
  if (value === undefined) throw new OperationFailed('invalid', pointer, missingMessage);
  return value;
}

export const missingMessage = 'is required, but missing.';

/** The services for operations. Each operation declares those that it uses. */
export interface Services extends Pick<
  Views,
  'show' | 'showing' | 'showingAll' | 'showingEach' | 'showingPlain'
> {
  /** The caller's school. */
  readonly school: School;
  readonly state: State;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly now: number;
  /** The origin of this server as the client sees it, without a slash at the end. */
  readonly origin: string;
  readonly sandboxId: string;
  /** Returns the chosen option of an assumption. */
  readonly assume: <N extends AssumptionName>(name: N) => OptionOf<N>;
  /** Null if lists have the order in which they are stored. */
  readonly order: ListOrder | null;
  /**
   * Returns the record of the school that the parameter at `pointer` identifies. Throws OperationFailed if there
   * is none; the message calls it `what`. A synthesized record gets the fields `like`.
   */
  readonly find: <N extends OwnedCollection>(
    collection: N,
    id: string,
    pointer: string,
    what: string,
    like?: Partial<Records[N]>,
  ) => Records[N];
  /** Returns the children of a product from `find`. Never list by its id, which can be another school's. */
  readonly childrenOf: <N extends ChildOfProduct>(
    collection: N,
    product: Records['products'],
  ) => SlicedWork<readonly Records[N][]>;
  /** Adds a hint if the identifier of a record that the operation creates looks like a mistake. */
  readonly hintAtNew: (collection: OwnedCollection, id: string, pointer: string) => void;
  /** Adds a hint that a field is not stored, or throws OperationFailed if unknown fields are refused. */
  readonly dropField: (pointer: string, why: string) => void;
  /** Returns a hint, or an empty text, for a part that the quiz does not have. `inQuiz` looks in the quiz. */
  readonly partIdHint: (id: string, inQuiz: () => string) => string;
  /** Returns an unused id of the collection. */
  readonly newId: (collection: OwnedCollection) => string;
  /** Returns a secret of the sandbox for a purpose: 64 hexadecimal digits. */
  readonly secret: (...purpose: readonly string[]) => string;
}

/** Returns the result for valid parameters, in slices if it reads long lists. Throws OperationFailed. */
export type Operation<N extends OperationName, Uses extends keyof Services> = (
  parameters: Parameters<N>,
  services: Pick<Services, Uses>,
) => MaybeSliced<Result<N>>;
