import { operationFacts, type Records } from '../contract/generated/facts.ts';
import type { OwnedCollection } from '../sandbox/owned-collection.ts';
import { isNameable, type Asker, type MadeUp } from '../sandbox/made-up.ts';
import type { ChildOfProduct } from '../sandbox/indexes.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import type { School } from '../sandbox/sandbox.ts';
import { makesUpRecords, onUnknownId } from '../sandbox/unknown-id.ts';
import type { CallContext } from './call-context.ts';

/** A record that was synthesized for a writing operation. */
interface SynthesizedRecord {
  readonly collection: OwnedCollection;
  readonly record: Records[OwnedCollection];
}

/**
 * Synthesizes records for identifiers that match no record of the school. Reading operations store nothing.
 * If a writing operation succeeds, its records are stored, with the records that they refer to.
 */
export class UnknownIds {
  readonly #context: CallContext;
  readonly #asker: Asker;
  readonly #madeUp: MadeUp;
  readonly #writes: boolean;
  #synthesized: SynthesizedRecord[] = [];

  private constructor(context: CallContext, school: School) {
    this.#context = context;
    this.#asker = { school, beginning: context.state.beginning };
    this.#madeUp = context.sandbox.madeUp;
    this.#writes = operationFacts[context.call.operation].writes;
  }

  /** Returns null if the sandbox does not synthesize records. */
  static of(context: CallContext, school: School): UnknownIds | null {
    return makesUpRecords(context.options) ? new UnknownIds(context, school) : null;
  }

  /**
   * Returns a record for an identifier, with the known fields `like`. Undefined if records of the collection
   * are not synthesized.
   */
  record<N extends OwnedCollection>(
    collection: N,
    id: string,
    like: Partial<Records[N]>,
  ): Records[N] | undefined {
    if (!isNameable(collection)) return undefined;
    const standIn = this.#standIn(collection, id);
    // It must look like a record that is stored under its own id.
    if (standIn !== undefined) return this.#writes ? standIn : { ...standIn, id };
    onUnknownId(this.#context.assume);
    const made: Records[N] = this.#madeUp.record(collection, id, this.#asker);
    if (!this.#writes) return made;
    const storedId = this.#isTaken(collection, id) ? this.#madeUp.standInId(collection, id, this.#asker) : id;
    const record = { ...made, ...like, id: storedId };
    this.#synthesized.push({ collection, record });
    return record;
  }

  /** Returns the children of a product that is synthesized, or null if it is stored. */
  childrenOf<N extends ChildOfProduct>(
    collection: N,
    product: Records['products'],
  ): readonly Records[N][] | null {
    const isStored = this.#context.state.collection('products').get(product.id) === product;
    return isStored ? null : this.#madeUp.childrenOf(collection, product, this.#asker);
  }

  /** Starts another element. */
  begin(): void {
    this.#synthesized = [];
  }

  /** Stores the records of a successful element, including its changes. */
  store(): void {
    for (const { collection, record } of this.#synthesized) {
      this.#store(collection, record);
      for (const [other, named] of this.#madeUp.namedBy(record, this.#asker)) this.#store(other, named);
    }
  }

  #store<N extends CollectionName>(collection: N, record: Records[N]): void {
    const { state } = this.#context;
    const id = this.#isTaken(collection, record.id)
      ? this.#madeUp.standInId(collection, record.id, this.#asker)
      : record.id;
    if (state.collection(collection).get(id) === undefined) state.put(collection, { ...record, id });
  }

  /** Returns whether a record of another school has the id. */
  #isTaken(collection: CollectionName, id: string): boolean {
    const record = this.#context.state.collection(collection).get(id);
    return record !== undefined && 'schoolId' in record && record.schoolId !== this.#asker.school.id;
  }

  /** Returns the record that is stored for the school in place of another school's record with this id. */
  #standIn<N extends CollectionName>(collection: N, id: string): Records[N] | undefined {
    if (!this.#isTaken(collection, id)) return undefined;
    return this.#context.state
      .collection(collection)
      .get(this.#madeUp.standInId(collection, id, this.#asker));
  }
}
