import type { Records } from '../contract/generated/facts.ts';
import { notOnly } from './shared/not-only.ts';
import { needed, OperationFailed, type Operation } from './shared/operation.ts';

/** Lists the assignments of a course product (specification, endpoint 8). */
export const listAssignments: Operation<
  'list-assignments',
  'find' | 'childrenOf' | 'showingAll' | 'assume' | 'order'
> = function* ({ courseIdentifier = {} }, { find, childrenOf, showingAll, assume, order }) {
  const { type = 'product-id', digitalProductId } = courseIdentifier;
  if (type !== 'product-id' && assume('courseIdentifierTypes') === 'product-id-only') {
    throw new OperationFailed('invalid', '/courseIdentifier/type', notOnly('product-id', type));
  }
  const product = find('products', needed(digitalProductId, idPointer), idPointer, 'product');
  const stored = yield* childrenOf('assignments', product);
  const assignments = order === null ? stored : yield* order.of(stored);
  return {
    productId: product.id,
    productTitle: product.title,
    assignments: yield* showingAll(assignments, view),
  };
};

const idPointer = '/courseIdentifier/digitalProductId';

function view({ id, assignmentTitle }: Records['assignments']) {
  return { assignmentId: id, assignmentTitle };
}
