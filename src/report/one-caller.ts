import type { Step } from './calls.ts';

/** A person hardly sends a request again within this time. */
export const shortMs = 110;

/** The journal rounds times to milliseconds. */
const resolutionMs = 1;

type Run = readonly Step[];

/**
 * Returns a run without the quick retries that may be calls of other users: without a scope, on connections that are
 * open together.
 */
export function ofOneCaller(run: Run): Run {
  if (run[0]?.before.entry.scope !== null) return run;
  return burstsIn(run).flatMap((burst) => (mayBeOfMany(burst) ? [] : burst));
}

/** Divides a run at its longer pauses. */
function burstsIn(run: Run): readonly Run[] {
  const bursts: Step[][] = [];
  let isQuick = false;
  for (const step of run) {
    const wasQuick = isQuick;
    isQuick = step.pause <= shortMs;
    if (isQuick && wasQuick) bursts.at(-1)?.push(step);
    else bursts.push([step]);
  }
  return bursts;
}

function mayBeOfMany(burst: Run): boolean {
  const [first] = burst;
  if (first === undefined || first.pause > shortMs) return false;
  const connections = new Set(
    [first.before, ...burst.map(({ next }) => next)].map(({ entry }) => entry.connection),
  );
  return connections.size === burst.length + 1 && burst.every(areOpenTogether);
}

export function areOpenTogether({ before, next }: Step): boolean {
  const { connectionClosedAt } = before.entry;
  return (
    connectionClosedAt === null ||
    Date.parse(connectionClosedAt) > Date.parse(next.entry.connectionOpenedAt) + resolutionMs
  );
}
