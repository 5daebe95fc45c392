import type { Attempt } from './attempt.ts';
import { between } from './calls.ts';

export function isOverLimit({ entry }: Attempt): boolean {
  return entry.outcome === 'throttled';
}

/** Calls that came within a time of each other. */
interface Crowd {
  readonly last: Attempt;
  readonly count: number;
  /** How many of them the sandbox admitted. */
  readonly admitted: number;
}

/** Returns the calls with which more than `most` came within a time. */
export function crowdsWithin(own: readonly Attempt[], ms: number, most: number): readonly Crowd[] {
  const crowds: Crowd[] = [];
  let [oldest, admitted] = [0, 0];
  for (const [place, last] of own.entries()) {
    if (!isOverLimit(last)) admitted += 1;
    for (let first = own[oldest]; first !== undefined && between(first, last) > ms; first = own[oldest]) {
      oldest += 1;
      if (!isOverLimit(first)) admitted -= 1;
    }
    const count = place - oldest + 1;
    if (count > most) crowds.push({ last, count, admitted });
  }
  return crowds;
}
