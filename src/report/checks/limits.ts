import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import type { Breach, Check } from '../check.ts';

/** New calls of an operation that its workers may make while it is throttled: each learns it by itself. */
const maxPressing = { calls: 5, perConnection: 2, connections: 10 };

/** A retry after this time is not pressing, and neither is a call that was under way before. */
const patientMs = 1000;
const underWayMs = 100;

/** A burst of so many times the documented limit, within this time, exceeds it however windows are counted. */
const burst = { ms: 1000, times: 1.5 };

/** How long one stretch of refusals lasts: the window of all limits. */
const stretchMs = 60_000;

export const limits: Check = {
  check: 'limits',
  title: 'Slows down at rate limits',
  rule:
    'When an operation is throttled, the client must not press on at full speed. The check fails if, within one minute, more than ' +
    `${maxPressing.calls} calls (or ${maxPressing.perConnection} for each connection) that were refused are new requests, or retries within ${patientMs / 1000} s; or if the client sent more than ${burst.times} times the documented limit within ${burst.ms / 1000} s. ` +
    "Injected refusals do not count. The check uses the sandbox's clock.",
  basis: 'The specification: each operation has a maximum number of requests in a window of one minute.',
  strength: 'must',
  occasion: 'calls beyond a rate limit',
  exercise: 'lp-sandbox exec --limits 0.1 -- CMD',
  examine: ({ byOperation }) => {
    const refused = byOperation.map((own) => own.filter(isOverLimit));
    const breaches = byOperation.flatMap((own, place) => {
      const over = refused[place] ?? [];
      return over.length === 0 ? [] : [...pressing(own, over), ...bursts(own, over)].slice(0, 1);
    });
    return { occasions: refused.flat().length, breaches };
  },
};

function isOverLimit({ entry }: Attempt): boolean {
  return entry.outcome === 'throttled';
}

/** Finds a stretch in which the client kept sending although it knew that the operation was throttled. */
function pressing(own: readonly Attempt[], over: readonly Attempt[]): readonly Breach[] {
  const connections = new Set(own.map(({ entry }) => entry.connection)).size;
  const most = Math.max(
    maxPressing.calls,
    maxPressing.perConnection * Math.min(connections, maxPressing.connections),
  );
  const lastOf = new Map<string, Attempt>();
  let start: Attempt | null = null;
  let pressed: Attempt[] = [];
  for (const attempt of over) {
    const before = lastOf.get(attempt.request);
    lastOf.set(attempt.request, attempt);
    if (start === null || attempt.at - start.at >= stretchMs) {
      start = attempt;
      pressed = [];
      continue;
    }
    const isKnown =
      attempt.entry.connection === start.entry.connection || attempt.received - start.replied > underWayMs;
    const isPatient = before !== undefined && waited(before, attempt) >= patientMs;
    if (isKnown && !isPatient) pressed.push(attempt);
    if (pressed.length > most) {
      const message = `The client sent ${pressed.length} more calls while the operation was throttled, without slowing down.`;
      return [{ message, calls: [start, ...pressed] }];
    }
  }
  return [];
}

/** Finds a burst beyond the documented limit. */
function bursts(own: readonly Attempt[], over: readonly Attempt[]): readonly Breach[] {
  const [first] = over;
  const operation = first?.entry.operation ?? '';
  const limit = isOperationName(operation) ? operationFacts[operation].limit : null;
  if (first === undefined || limit === null) return [];
  let oldest = 0;
  for (const [place, attempt] of own.entries()) {
    while ((own[oldest]?.at ?? Infinity) < attempt.at - burst.ms) oldest += 1;
    const count = place - oldest + 1;
    if (count <= burst.times * limit.requests) continue;
    const message = `The client sent ${count} calls within ${burst.ms / 1000} s; the documented limit is ${limit.requests} in ${limit.windowSeconds} s.`;
    return [{ message, calls: [attempt, first] }];
  }
  return [];
}
