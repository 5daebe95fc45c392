import { operationFacts, type Records } from '../contract/generated/facts.ts';
import type { OwnedCollection } from '../operations/shared/operation.ts';
import { isNameable, type Asker, type MadeUp } from '../sandbox/made-up.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { School } from '../sandbox/sandbox.ts';
import { makesUpRecords, onUnknownId } from '../sandbox/unknown-id.ts';
import type { CallContext } from './call-context.ts';

/** A record that was made up for a writing operation. */
interface Given {
  readonly collection: OwnedCollection;
  readonly record: Records[OwnedCollection];
}

/**
 * What an exchange gets for identifiers that name no record of its school, where some are made up for them. Reading keeps nothing. What a
 * writing operation was given comes into being when it has gone well, with what it names.
 */
export class UnknownIds {
  readonly #context: CallContext;
  readonly #asker: Asker;
  readonly #madeUp: MadeUp;
  readonly #writes: boolean;
  #given: Given[] = [];

  private constructor(context: CallContext, school: School) {
    this.#context = context;
    this.#asker = { school, beginning: context.state.beginning };
    this.#madeUp = context.sandbox.madeUp;
    this.#writes = operationFacts[context.call.operation].writes;
  }

  /** Null where nothing is made up. */
  static of(context: CallContext, school: School): UnknownIds | null {
    return makesUpRecords(context.options) ? new UnknownIds(context, school) : null;
  }

  /** A record for an identifier; `like` is what is known of it. Undefined where there is none for such a collection. */
  record<N extends OwnedCollection>(collection: N, id: string, like: Partial<Records[N]>): Records[N] | undefined {
    if (!isNameable(collection)) return undefined;
    const standIn = this.#standIn(collection, id);
    // Just like one that is kept under its own id.
    if (standIn !== undefined) return this.#writes ? standIn : { ...standIn, id };
    onUnknownId(this.#context.assume);
    const made: Records[N] = this.#madeUp.record(collection, id, this.#asker);
    if (!this.#writes) return made;
    const kept = this.#isTaken(collection, id) ? this.#madeUp.standInId(collection, id, this.#asker) : id;
    const record = { ...made, ...like, id: kept };
    this.#given.push({ collection, record });
    return record;
  }

  /** The assignments of a product that may be made up. */
  *assignmentsOf(product: Records['products']): SlicedWork<readonly Records['assignments'][]> {
    const isKept = this.#context.state.collection('products').get(product.id) === product;
    return isKept
      ? yield* this.#context.state.collection('assignments').listing('product', product.id)
      : this.#madeUp.assignmentsOf(product, this.#asker);
  }

  /** Another element is to be processed. */
  begin(): void {
    this.#given = [];
  }

  /** The element went well: what it was given is remembered, as it has changed it. */
  keep(): void {
    for (const { collection, record } of this.#given) {
      this.#keep(collection, record);
      for (const [other, named] of this.#madeUp.namedBy(record, this.#asker)) this.#keep(other, named);
    }
  }

  #keep<N extends CollectionName>(collection: N, record: Records[N]): void {
    const { state } = this.#context;
    const id = this.#isTaken(collection, record.id) ? this.#madeUp.standInId(collection, record.id, this.#asker) : record.id;
    if (state.collection(collection).get(id) === undefined) state.put(collection, { ...record, id });
  }

  /** Whether a record of another school has the id. */
  #isTaken(collection: CollectionName, id: string): boolean {
    const record = this.#context.state.collection(collection).get(id);
    return record !== undefined && 'schoolId' in record && record.schoolId !== this.#asker.school.id;
  }

  /** What was kept for the school where another school has a record of the id. */
  #standIn<N extends CollectionName>(collection: N, id: string): Records[N] | undefined {
    if (!this.#isTaken(collection, id)) return undefined;
    return this.#context.state.collection(collection).get(this.#madeUp.standInId(collection, id, this.#asker));
  }
}
