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
 * beside those before it. An option that explains one call, but spoils another that was equal, is not the service's.
 */
export async function soundOptions(
  twin: Twin,
  calls: readonly ComparedCall[],
  candidates: readonly OtherOption[],
): Promise<readonly OtherOption[]> {
  const repeated = calls.slice(0, maxRepeated);
  const chosen: OtherOption[] = [];
  let now = await costsUnder(twin, repeated, chosen);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of candidates) {
      if (chosen.some(({ assumption }) => assumption === one.assumption)) continue;
      const next = await costsUnder(twin, repeated, [...chosen, one]);
      if (next === null || now === null || !isBetter(next, now)) continue;
      chosen.push(one);
      now = next;
    }
  }
  return chosen;
}

/** Whether the calls differ less, and each one that did not differ still does not. */
function isBetter(next: readonly number[], now: readonly number[]): boolean {
  return total(next) < total(now) && next.every((cost, at) => cost === 0 || now[at] !== 0);
}

function total(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** Returns how much each call differs; null if the options cannot be combined. */
async function costsUnder(
  twin: Twin,
  calls: readonly ComparedCall[],
  options: readonly OtherOption[],
): Promise<readonly number[] | null> {
  const costs: number[] = [];
  for (const { request, before, seen } of calls) {
    const reply = await twin.callWith(request, before, options);
    if (reply === null) return null;
    costs.push(
      aspectsOf(request.operation, seen, reply).reduce((sum, { aspect }) => sum + weights[aspect], 0),
    );
  }
  return costs;
}
