import type { AssumptionName } from '../../../assumptions.ts';
import { groupBy } from '../../../base/group-by.ts';
import { allDomains, leavesOf, type Leaf, type Prediction } from './ask.ts';

/** A prediction as data: the last node is asked first. A node is a response, or a question with a node per option. */
export type StoredPrediction = readonly StoredNode[];
type StoredNode = string | { readonly ask: AssumptionName; readonly next: Readonly<Record<string, number>> };

/** Returns a prediction as data, in which equal parts occur once. */
export function storedPrediction(prediction: Prediction): StoredPrediction {
  const nodes: StoredNode[] = [];
  const places = new Map<string, number>();
  const place = (node: StoredNode): number => {
    const text = JSON.stringify(node);
    const known = places.get(text) ?? nodes.push(node) - 1;
    places.set(text, known);
    return known;
  };
  const build = (leaves: readonly Leaf[], depth: number): number => {
    const [first] = leaves;
    const name = first === undefined ? undefined : [...first.given.keys()][depth];
    if (first === undefined || name === undefined) return place(first?.expected ?? '');
    const byOption = groupBy(leaves, ({ given }) => given.get(name) ?? '');
    const next = [...byOption].map(([option, some]) => [option, build(some, depth + 1)] as const);
    return place({ ask: name, next: Object.fromEntries(next) });
  };
  build(leavesOf(prediction, allDomains()), 0);
  return nodes;
}

export function predictionOf(nodes: StoredPrediction): Prediction {
  return (ask) => {
    let node = nodes.at(-1);
    while (typeof node === 'object') node = nodes[node.next[ask(node.ask)] ?? -1];
    return node ?? '';
  };
}
