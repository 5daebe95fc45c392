import { mayPass, type Attempt } from './attempt.ts';
import { waited } from './calls.ts';
import type { Knowledge } from './knowledge.ts';
import { nextKeystrokeOf } from './keystrokes.ts';
import { isOverLimit } from './limit-windows.ts';
import type { RecentElements } from './recent-elements.ts';

/** New calls of an operation that its workers may make while it is throttled: each learns it by itself. */
export const maxPressing = { calls: 5, perConnection: 2, connections: 10 };

/** A retry after this time is patient. A call that was in flight before is patient too… */
export const patientMs = 1000;
export const underWayMs = 100;

/** … unless the request was refused more often than this within a stretch, which growing pauses prevent. */
export const maxPatient = 10;

/** How long one stretch of refusals lasts: the window of all limits. */
export const stretchMs = 60_000;

/** Whether a refusal says that there is a limit. */
export function showsLimit({ entry, toWait }: Attempt): boolean {
  return entry.status === 429 || toWait !== null;
}

/** A minute that begins with a refused call. */
export interface Stretch {
  readonly first: Attempt;
  /** The calls that were refused although the client could know that the operation is throttled. */
  readonly pressed: Attempt[];
  /** Others, which it may have scheduled before: each is the retry of an earlier failure, after a pause. */
  readonly scheduled: Attempt[];
}

/** Returns the stretches of refusals of one operation, and which calls pressed on within them. */
export function stretchesOf(
  own: readonly Attempt[],
  { recent, knowledge }: { readonly recent: RecentElements; readonly knowledge: Knowledge },
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const beforeOf = new Map<string, Attempt>();
  const lastOf = new Map<string, Attempt>();
  const finalOf = new Map(own.map((attempt) => [attempt.request, attempt]));
  let refusals = new Map<string, number>();
  let successes = 0;
  const subjectOf = subjects(recent);
  for (const attempt of own) {
    const current = stretches.at(-1);
    const before = beforeOf.get(attempt.request);
    beforeOf.set(attempt.request, attempt);
    if (!isOverLimit(attempt)) {
      successes += 1;
      continue;
    }
    if (!showsLimit(attempt)) continue;
    if (current === undefined || attempt.at - current.first.at >= stretchMs) {
      stretches.push({ first: attempt, pressed: [], scheduled: [] });
      refusals = new Map();
      // The workers that had one before it began do not know more than those that have one later.
      successes = Math.min(successes, maxPressing.connections);
    }
    const subject = subjectOf(attempt);
    const last = lastOf.get(subject);
    lastOf.set(subject, attempt);
    const count = (refusals.get(subject) ?? 0) + 1;
    refusals.set(subject, count);
    const stretch = stretches.at(-1);
    if (stretch === undefined || stretch.first === attempt || !isKnown(attempt, stretch)) continue;
    const isPatient = last !== undefined && mayRetry(last, attempt) && count <= maxPatient;
    // A worker that waits sends its call again.
    if (last === undefined && successes > 0 && finalOf.get(attempt.request) !== attempt) successes -= 1;
    else if (!isPatient && !isCopy(attempt, knowledge))
      (isScheduled(before, attempt, stretch) ? stretch.scheduled : stretch.pressed).push(attempt);
  }
  return stretches;
}

/** Whether the client knew before the stretch that it would send the request again, and waited until then. */
function isScheduled(before: Attempt | undefined, attempt: Attempt, { first }: Stretch): boolean {
  if (before === undefined || !mayPass(before) || before.replied > first.replied) return false;
  return waited(before, attempt) >= Math.max(before.toWait ?? 0, underWayMs);
}

/** Whether the client may have sent a request again because it had no response yet. */
function isCopy(attempt: Attempt, knowledge: Knowledge): boolean {
  return knowledge.copiesOf(attempt).some(({ number }) => number < attempt.number);
}

/** Returns how to identify what refused calls ask for: a search with the next keystroke replaces the one before. */
function subjects(recent: RecentElements): (refused: Attempt) => string {
  let last: { readonly refused: Attempt; readonly subject: string } | null = null;
  return (refused) => {
    const isReplaced = last !== null && nextKeystrokeOf(last.refused, recent)(refused);
    const subject = last !== null && isReplaced ? last.subject : refused.request;
    last = { refused, subject };
    return subject;
  };
}

/** Whether a retry is patient. Without Retry-After, growing pauses can begin with short ones. */
function mayRetry(last: Attempt, attempt: Attempt): boolean {
  return last.toWait === null || waited(last, attempt) >= patientMs;
}

/** Whether the client could know that the operation is throttled when it sent the call. */
function isKnown({ entry, received }: Attempt, { first }: Stretch): boolean {
  return entry.connection === first.entry.connection || received - first.replied > underWayMs;
}
