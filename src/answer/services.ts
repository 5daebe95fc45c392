import type { SlicedWork } from '../base/sliced-work.ts';
import { quoted } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import { OperationFailed, type Services } from '../operations/shared/operation.ts';
import type { ChildOfProduct, IndexName } from '../sandbox/indexes.ts';
import type { Views } from '../sandbox/views.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { State } from '../sandbox/state.ts';
import type { CallContext } from './call-context.ts';
import { addHints } from './hints.ts';
import { generatedIdHint, idHint, newIdHint, ownersOf, partIdHint } from './id-hint.ts';
import { listOrderOf } from './list-order.ts';
import type { UnknownIds } from './unknown-ids.ts';
import { dropField } from './validate.ts';

/** Returns the services for the operation of a call, limited to the caller's school and sandbox. */
export function servicesFor(
  context: CallContext,
  school: School,
  { views, grow }: { readonly views: Views; readonly grow: (bytes: number) => void },
  unknownIds: UnknownIds | null,
): Services {
  const { sandbox, state, assume, now, call } = context;
  const { random } = sandbox;
  const place = { state, school, maySearch: context.maySearchForHint };
  return {
    school,
    state,
    assume,
    order: listOrderOf(context),
    now,
    show: views.show,
    showing: (record, view) => views.showing(record, view, grow),
    showingAll: (records, view) => views.showingAll(records, view, grow),
    showingEach: (records, view) => views.showingEach(records, view, grow),
    showingPlain: views.showingPlain,
    origin: call.origin,
    sandboxId: sandbox.id,
    secret: random.secret,
    find: (collection, id, pointer, what, like = {}) => {
      const record = state.collection(collection).get(id);
      // Another school's record must look exactly like one that does not exist.
      if (record === undefined || !ownersOf(record).includes(school.id)) {
        const synthesized = unknownIds?.record(collection, id, like);
        if (synthesized !== undefined) {
          addIdHint(context, pointer, generatedIdHint(id, collection, place));
          return synthesized;
        }
        throw new OperationFailed(
          'not-found',
          pointer,
          `The school has no ${what} with the identifier ${quoted(id)}.${idHint(id, collection, place)}`,
        );
      }
      return record;
    },
    childrenOf: (collection, product) => childrenOf(collection, product, { state, unknownIds }),
    hintAtNew: (collection, id, pointer) => addIdHint(context, pointer, newIdHint(id, collection, place)),
    dropField: (pointer, why) => dropField(context, pointer, why),
    partIdHint: (id, inQuiz) => {
      if (!context.maySearchForHint()) return '';
      const hint = inQuiz();
      return hint === '' ? partIdHint(id, place) : hint;
    },
    newId: (collection) => {
      for (let number = 0; ; number += 1) {
        const id = random.hex(24, collection, state.collection(collection).changes.size, number);
        if (state.collection(collection).get(id) === undefined) return id;
      }
    },
  };
}

function* childrenOf<N extends ChildOfProduct>(
  collection: N,
  product: Records['products'],
  { state, unknownIds }: { readonly state: State; readonly unknownIds: UnknownIds | null },
): SlicedWork<readonly Records[N][]> {
  // A synthesized product can have the id of another school's product, so its children are never looked up.
  const synthesized = unknownIds?.childrenOf(collection, product) ?? null;
  // Cast: `ChildOfProduct` has exactly the collections with this index.
  return synthesized ?? (yield* state.collection(collection).list('product' as IndexName<N>, product.id));
}

/** Adds a hint about an identifier, unless it is empty. `pointer` is its place in the parameters of the element. */
function addIdHint(context: CallContext, pointer: string, message: string): void {
  if (message !== '') addHints(context, () => [{ pointer: `${context.pointer}${pointer}`, message }]);
}
