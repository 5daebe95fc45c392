import { distance } from 'fastest-levenshtein';

/** Longer names are unlikely typos, and comparing them is slow. */
const maxNameLength = 80;

/**
 * Returns the known name that `name` is most likely a typo of, or undefined. Ignores case, dashes,
 * underscores and spaces.
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  return likelyTypos(name, known)[0]?.candidate;
}

/** Returns the known names that `name` may be a typo of, the closest first, with the number of wrong letters. */
export function likelyTypos(
  name: string,
  known: readonly string[],
): readonly { readonly candidate: string; readonly steps: number }[] {
  if (name.length > maxNameLength) return [];
  const plain = normalize(name);
  const most = maxTypos(plain);
  return (
    known
      .filter((candidate) => candidate !== name && candidate.length <= 2 * maxNameLength)
      .map((candidate) => ({ candidate, steps: distance(plain, normalize(candidate)) }))
      // Ignores candidates so short that every letter would be wrong.
      .filter(({ candidate, steps }) => steps <= most && steps < normalize(candidate).length)
      .toSorted((one, other) => one.steps - other.steps)
  );
}

/** Returns ` Did you mean "…"?`, or an empty text if no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const best = closest(name, known);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Returns how many letters may be wrong; two swapped letters count as two. */
function maxTypos(name: string): number {
  return name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 4));
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}
