/** People never wait so exactly as long as before so often, nor exactly twice as long. */
const fewest = { equal: 3, doubled: 4 };

/** The waits of a timer differ by this much at most on a busy machine. */
const spreadMs = 100;

export const equalWaitsRule = `${fewest.equal} of them came after the same wait (within ${spreadMs} ms), or ${fewest.doubled} after the same or a doubled one`;

/** Returns the members whose waits, in milliseconds, are those of a timer. */
export function ofTimer<T>(all: readonly T[], waitOf: (member: T) => number): readonly T[] {
  const equal = largestGroup(all, waitOf);
  const doubled = largestGroup(all, (member) => halved(waitOf(member)));
  if (doubled.length >= fewest.doubled && doubled.length > equal.length) return doubled;
  return equal.length >= fewest.equal ? equal : [];
}

/** Returns the most members of which the values are close together. */
function largestGroup<T>(all: readonly T[], valueOf: (member: T) => number): readonly T[] {
  const sorted = all.toSorted((one, other) => valueOf(one) - valueOf(other));
  let [first, start, length] = [0, 0, 0];
  for (const [place, member] of sorted.entries()) {
    for (let least = sorted[first]; least !== undefined; least = sorted[first]) {
      if (valueOf(member) - valueOf(least) <= spreadMs) break;
      first += 1;
    }
    if (place - first + 1 > length) [start, length] = [first, place - first + 1];
  }
  return sorted.slice(start, start + length);
}

/** Halves a wait until it is below 3 s: those of a timer that doubles them become equal. */
function halved(wait: number): number {
  return wait < 3000 ? wait : halved(wait / 2);
}
