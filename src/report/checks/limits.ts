import { greatest, middle } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import type { Breach, Check } from '../check.ts';
import { copiesMs, Knowledge, mostCopies } from '../knowledge.ts';
import { hardlySlows, keptFor, neverWaits, throttledIn } from '../kept-pace.ts';
import { RecentElements } from '../recent-elements.ts';
import {
  maxPatient,
  maxPressing,
  patientMs,
  showsLimit,
  type Stretch,
  stretchesOf,
  stretchMs,
  underWayMs,
} from '../limit-stretches.ts';
import { betweenResets, crowdsWithin, documentedLimit, isOverLimit, mayBePaced } from '../limit-windows.ts';

/**
 * If more calls than this many times the documented limit come within a time, the client does not slow down. The
 * sandbox admits no more than this many times the limit in that time, unless it is reset, as between tests.
 */
const crowds = [
  { ms: 1000, times: 1.5, mostAdmitted: 1 },
  { ms: stretchMs, times: 3, mostAdmitted: 2 },
] as const;

/** A client that is paced for the documented limit sends no more than that many times as much in a minute. */
const beyond = 1.2;

/** Retries back off if their pauses grow by this median factor, in at least this many pairs, and few requests are given up. */
const backingOff = { times: 1.2, pairs: 5, retried: 0.8 };

export const limits: Check = {
  check: 'limits',
  title: 'Slows down at rate limits',
  rule: 'When an operation is throttled, the client must slow down.',
  details: [
    `The check fails if the client ignores refusals: within one minute, it sends more than ${maxPressing.calls} calls that are refused. For several connections, that number is ${maxPressing.perConnection} per connection, if that is more, but at most ${maxPressing.perConnection * maxPressing.connections}. Such a call is a new request, a retry within ${patientMs / 1000} s although the response had a Retry-After, or a retry after more than ${maxPatient} refusals of the same request. A search with the next keystroke counts as a retry. If the client never sent more calls within a minute than documented, only refused requests that it sent again count.`,
    `It fails if the client sent more than ${crowds[0].times} times the documented limit within ${crowds[0].ms / 1000} s, or more than ${crowds[1].times} times the limit within a minute.`,
    `It fails if the client continued at equal intervals, more than ${beyond} times as often as documented, and ignored the Retry-After of more than ${maxPatient} refusals in a minute.`,
    `It fails if all of this is true: the client sent at least ${keptFor.calls} more calls, most of which were refused; it sent more than ${beyond} times the documented number in a minute; it never paused for ${patientMs / 1000} s; and it retried refused requests within ${patientMs / 1000} s, as quickly as it repeats successful ones (within ${keptFor.percent} percent).`,
    "The check measures times in real time or on the sandbox's clock, whichever is longer.",
  ],
  exceptions: [
    'A new request that is refused after a successful one, if the client later sends the refused request again. Each worker of a pool sends its next request, and waits again.',
    'New requests of a client that never sent more calls within a minute than documented, such as a search box that searches when its user pauses. A sandbox can have lower limits. `retry-after` judges the retries of such a client.',
    'New requests within a second after the first refusal that stay within the documented limit. They may have been in flight, or waiting for a connection.',
    'Many calls at once, if the sandbox accepted more of them than is possible unless its limits were reset in between. They may come from several tests.',
    'A client that sent a request again before the time in Retry-After, if the check does not fail for a reason above. Another user or worker may have sent it.',
    `Copies of a slow read that the client may have sent before it had a response: at most ${mostCopies}, within ${copiesMs / 1000} s.`,
    'Retries of earlier failures, if the client had received the failed responses before the first refusal, and waited. It may have scheduled them before.',
    'A client that calls an operation hardly less often, although most calls are refused. Each of several workers may be waiting before its retries.',
    'Injected refusals.',
    'New requests that stay within the documented limit, if the refusals had no Retry-After, and the client retries with growing pauses. A sandbox can have lower limits.',
    'New requests and retries after refusals that have neither the status 429 nor a Retry-After. Such refusals look like any other failure.',
    'Fewer calls than the numbers above.',
  ],
  basis: 'The specification: each operation has a maximum number of requests in a window of one minute.',
  strength: 'must',
  occasion: 'calls beyond a rate limit',
  exercise: 'lp-sandbox exec --limits 0.1 -- CMD',
  ofFailures: true,
  *examine({ attempts, byOperation, isRegular }) {
    let occasions = 0;
    let most = 0;
    const early: Attempt[] = [];
    let isReset = false;
    let unknowable = 0;
    let isBackingOff = false;
    let isHardlySlower = false;
    const means = { recent: new RecentElements(), knowledge: new Knowledge(attempts) };
    const breaches: Breach[] = [];
    for (const own of byOperation.flatMap(betweenResets)) {
      const over = own.filter(isOverLimit);
      occasions += over.length;
      if (over.length === 0) continue;
      yield;
      unknowable += over.filter((attempt) => !showsLimit(attempt)).length;
      const mostPressing = mostPressingOf(own);
      const stretches = stretchesOf(own, means);
      most = greatest([
        most,
        ...stretches.map(({ pressed, scheduled }) => pressed.length + scheduled.length),
      ]);
      const pressing = stretches.find((stretch) => isPressing(stretch, own, mostPressing));
      early.push(...earlyRepeats(over).flat());
      const found = bursts(own, over);
      isReset ||= found.isReset;
      const throttled = throttledIn(own);
      isHardlySlower ||= throttled !== null && hardlySlows(throttled);
      const others = (): readonly Breach[] => [
        ...found.breaches,
        ...polls(over.filter(isRegular), own),
        ...keptPace(throttled, own),
      ];
      if (pressing !== undefined && mayBackOff(own, over)) {
        isBackingOff = true;
        continue;
      }
      breaches.push(...(pressing === undefined ? others().slice(0, 1) : [pressingBreach(pressing)]));
    }
    if (early.length > 0) return { occasions, breaches, notJudged: sentEarly(early) };
    if (isBackingOff) return { occasions, breaches, notJudged: backsOff };
    if (isReset) return { occasions, breaches, notJudged: wasReset };
    if (unknowable > 0) return { occasions, breaches, notJudged: looksLikeFailure };
    if (isHardlySlower) return { occasions, breaches, notJudged: hardlySlower };
    if (most === 0) return { occasions, breaches };
    const notJudged = `The client made ${most} more ${most === 1 ? 'call' : 'calls'} within a minute while an operation was throttled. They may have been in flight, scheduled before, or waiting for a connection, or be new requests within the documented limit.`;
    return { occasions, breaches, notJudged };
  },
};

function sentEarly(early: readonly Attempt[]): string {
  const times = `${early.length} ${early.length === 1 ? 'time' : 'times'}`;
  const by = early.every(({ entry }) => entry.scope !== null)
    ? 'Another worker may have sent it.'
    : 'Another user may have sent it. Give each user a scope.';
  return `The client sent a request again ${times} before the time in Retry-After. ${by}`;
}

const hardlySlower =
  'The client sent the calls of an operation hardly less often after the first refusal than before, and most of them were refused. Each request may have waited before it was sent again.';

const backsOff =
  'The new requests of the client stayed within the documented limit, and it retried the others with growing pauses. The limit of the sandbox is lower, and the refusals had no Retry-After.';

/** Whether a client sends no more new requests than documented, and backs off from refusals without Retry-After. */
function mayBackOff(own: readonly Attempt[], over: readonly Attempt[]): boolean {
  const limit = documentedLimit(own[0]?.entry.operation ?? '');
  if (limit === null || over.some(({ toWait }) => toWait !== null)) return false;
  const requests = [...groupBy(own, ({ request }) => request).values()];
  const fresh = requests.flatMap((same) => same.slice(0, 1));
  if (crowdsWithin(fresh, stretchMs, limit.requests).length > 0) return false;
  const refused = new Set(over);
  const failing = requests.filter(([first]) => first !== undefined && refused.has(first));
  const retried = failing.filter(({ length }) => length > 1);
  if (retried.some(({ length }) => length > maxPatient)) return false;
  const ratios = retried.flatMap((same) => {
    const pauses = same.slice(1).map((next, index) => waited(same[index] ?? next, next));
    return pauses.slice(1).map((pause, index) => pause / Math.max(1, pauses[index] ?? 1));
  });
  return (
    retried.length >= backingOff.retried * failing.length &&
    ratios.length >= backingOff.pairs &&
    (middle(ratios) ?? 0) >= backingOff.times
  );
}

const wasReset =
  'The client sent many calls at once, but the sandbox accepted more of them than is possible unless its limits were reset in between. They may come from several tests.';

const looksLikeFailure =
  'The refusals had neither the status 429 nor a Retry-After, so the client could not know that there was a limit.';

/** Returns how many calls a client may make in one stretch although it knows of the refusals. */
function mostPressingOf(own: readonly Attempt[]): number {
  const connections = new Set(own.map(({ entry }) => entry.connection)).size;
  return Math.max(
    maxPressing.calls,
    maxPressing.perConnection * Math.min(connections, maxPressing.connections),
  );
}

/** Whether the client kept sending although it knew that the operation was throttled. */
function isPressing({ first, pressed }: Stretch, own: readonly Attempt[], most: number): boolean {
  // If the clock moves, there can be a stretch for each call: most of them are decided without a look at all calls.
  if (pressed.length <= most || mayBePaced(pressed, own, most)) return false;
  const isLate = ({ received }: Attempt): boolean => received - first.replied > patientMs;
  const early = pressed.filter((attempt) => !isLate(attempt));
  return (mayHaveWaited(early, first, own) ? pressed.filter(isLate) : pressed).length > most;
}

/**
 * Whether calls soon after the first refusal may have been sent at once, and have waited for a connection: none of
 * them again, and with the others of the minute no more than documented. A sandbox can have lower limits.
 */
function mayHaveWaited(pressed: readonly Attempt[], first: Attempt, own: readonly Attempt[]): boolean {
  const limit = documentedLimit(first.entry.operation);
  if (limit === null || new Set(pressed.map(({ request }) => request)).size < pressed.length) return false;
  const last = pressed.at(-1) ?? first;
  const inMinute = own.filter(({ at }) => at > last.at - stretchMs && at <= last.at).length;
  return inMinute <= limit.requests;
}

function pressingBreach({ first, pressed }: Stretch): Breach {
  const message = `The client sent ${pressed.length} more calls while the operation was throttled, without slowing down.`;
  return { message, calls: [first, ...pressed] };
}

/** Finds calls that go on as before, more often than documented, although most of them are refused. */
function keptPace(throttled: ReturnType<typeof throttledIn>, own: readonly Attempt[]): readonly Breach[] {
  const limit = documentedLimit(own[0]?.entry.operation ?? '');
  if (throttled === null || limit === null || !neverWaits(throttled)) return [];
  if (crowdsWithin(own, stretchMs, beyond * limit.requests).length === 0) return [];
  const [first, ...others] = throttled.after.filter(isOverLimit);
  if (first === undefined) return [];
  const message = `The client sent ${throttled.after.length - 1} more calls at the same pace as before the operation was throttled, without slowing down.`;
  return [{ message, calls: [first, ...others] }];
}

/** Finds a request that comes at equal intervals, more often than documented, although Retry-After asks for longer ones. */
function polls(refused: readonly Attempt[], own: readonly Attempt[]): readonly Breach[] {
  const limit = documentedLimit(refused[0]?.entry.operation ?? '');
  if (limit === null || crowdsWithin(own, stretchMs, beyond * limit.requests).length === 0) return [];
  for (const early of earlyRepeats(refused)) {
    const [crowd] = crowdsWithin(early, stretchMs, maxPatient);
    if (crowd === undefined) continue;
    const message = `The client kept sending the request at equal intervals while it was refused, and ignored Retry-After more than ${maxPatient} times within a minute.`;
    return [{ message, calls: [crowd.last, ...early.filter((attempt) => attempt !== crowd.last)] }];
  }
  return [];
}

/** Returns the refused calls of each request that the client sent again before the time in Retry-After. */
function earlyRepeats(refused: readonly Attempt[]): readonly (readonly Attempt[])[] {
  return [...groupBy(refused, ({ request }) => request).values()].map((same) =>
    same.filter((attempt, index) => isTooEarly(attempt, same[index + 1])),
  );
}

/** Whether the client sent the request again before the time in Retry-After. */
function isTooEarly(refused: Attempt, next: Attempt | undefined): boolean {
  return next !== undefined && refused.toWait !== null && waited(refused, next) < refused.toWait - underWayMs;
}

/** Finds a burst beyond the documented limit, and whether there was one for which the sandbox must have been reset. */
function bursts(
  own: readonly Attempt[],
  over: readonly Attempt[],
): { readonly breaches: readonly Breach[]; readonly isReset: boolean } {
  const [first] = over;
  const limit = documentedLimit(first?.entry.operation ?? '');
  let isReset = false;
  if (first === undefined || limit === null) return { breaches: [], isReset };
  for (const { ms, times, mostAdmitted } of crowds) {
    const all = crowdsWithin(own, ms, times * limit.requests);
    const crowd = all.find(({ admitted }) => admitted <= mostAdmitted * limit.requests);
    if (crowd !== undefined) {
      const message = `The client sent ${crowd.count} calls within ${ms / 1000} s; the documented limit is ${limit.requests} in ${limit.windowSeconds} s.`;
      return { breaches: [{ message, calls: [crowd.last, first] }], isReset };
    }
    isReset ||= all.length > 0;
  }
  return { breaches: [], isReset };
}
