import { distance } from 'fastest-levenshtein';

/** Longer names are nobody's slip of the finger, and comparing them costs. */
const longest = 80;

/** The known name that the given one most likely stands for, or undefined. Case, dashes and underscores count for nothing. */
export function closest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined;
  const plain = plainly(name);
  const ranked = known
    .filter((candidate) => candidate !== name)
    .map((candidate) => ({ candidate, steps: distance(plain, plainly(candidate)) }))
    .toSorted((one, other) => one.steps - other.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= slipsIn(plain) ? best.candidate : undefined;
}

/** ` Did you mean "…"?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const best = closest(name, known);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** How many letters may be wrong; two that swapped places count as two. */
function slipsIn(name: string): number {
  return name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 4));
}

function plainly(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}
