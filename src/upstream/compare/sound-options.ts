import { aspectsOf, type Aspect } from './aspects.ts';
import type { Dispute } from './try-options.ts';
import type { OtherOption, Twin } from './twin.ts';

/** A call that both sides got, and the reply of the service. */
export type ComparedCall = Pick<Dispute, 'request' | 'before' | 'seen'>;

/** The maximum number of calls that are repeated to check an option: a recording can have very many. */
const maxRepeated = 400;

/** How often the candidates are tried: an option may show only together with a later one. */
const rounds = 2;

/** A coarse difference hides finer ones, so it counts for more than what may appear instead. */
const weights: Readonly<Record<Aspect['aspect'], number>> = {
  status: 4,
  body: 4,
  outputs: 3,
  header: 1,
  encoding: 1,
  shape: 1,
};

/**
 * Returns the candidates that are right for all calls together: each makes the sandbox more like the service,
 * beside those before it. An option that explains one call, but spoils others, is not the service's.
 */
export async function soundOptions(
  twin: Twin,
  calls: readonly ComparedCall[],
  candidates: readonly OtherOption[],
): Promise<readonly OtherOption[]> {
  const repeated = calls.slice(0, maxRepeated);
  const chosen: OtherOption[] = [];
  let cost = await costUnder(twin, repeated, chosen);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of candidates) {
      if (chosen.some(({ assumption }) => assumption === one.assumption)) continue;
      const next = await costUnder(twin, repeated, [...chosen, one]);
      if (next >= cost) continue;
      chosen.push(one);
      cost = next;
    }
  }
  return chosen;
}

async function costUnder(
  twin: Twin,
  calls: readonly ComparedCall[],
  options: readonly OtherOption[],
): Promise<number> {
  let cost = 0;
  for (const { request, before, seen } of calls) {
    const reply = await twin.callWith(request, before, options);
    if (reply === null) return Number.POSITIVE_INFINITY;
    for (const { aspect } of aspectsOf(seen, reply)) cost += weights[aspect];
  }
  return cost;
}
