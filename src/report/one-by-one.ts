import type { Breach } from './check.ts';

/**
 * Returns breaches of different requests that do not overlap in time: a page that refreshes itself sends its requests
 * together.
 */
export function oneByOne(breaches: readonly Breach[]): readonly Breach[] {
  const found: Breach[] = [];
  const requests = new Set<string>();
  let end = -Infinity;
  for (const breach of breaches.toSorted((one, other) => endOf(one) - endOf(other))) {
    const [{ request, received }] = breach.calls;
    if (received <= end || requests.has(request)) continue;
    found.push(breach);
    requests.add(request);
    end = endOf(breach);
  }
  return found;
}

function endOf({ calls }: Breach): number {
  return (calls.at(-1) ?? calls[0]).received;
}
