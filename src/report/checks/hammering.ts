import { greatest, middle } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { judgedWithoutCopies, ofCopies } from '../copied-reads.ts';
import { ofOneCaller, shortMs } from '../one-caller.ts';
import { openRuns } from '../retry-pauses.ts';
import {
  inOperation,
  inScopes,
  judgedByClient,
  seconds,
  type Breach,
  type Check,
  type Examination,
} from '../check.ts';
import { ofDoubt } from '../retried-calls.ts';

/**
 * A client that draws its pauses at random may draw a short one, but hardly ever only short ones. With pauses
 * from 0 to 200 ms, 400 ms and so on, each of these limits fails fewer than 1 client in 10,000. A timer of 100 ms
 * fires slightly later.
 */
const limits = [
  { steps: 3, ms: 5, share: 1 },
  { steps: 5, ms: 15, share: 0.9 },
  { steps: 10, ms: 75, share: 0.9 },
  { steps: 14, ms: 110, share: 1 },
  { steps: 20, ms: 10, share: 0.6 },
  { steps: 20, ms: 110, share: 0.9 },
] as const;

/** Longer pauses can be those of a client that begins with short ones, and waits longer each time. */
const canGrow = { ms: limits[1].ms, times: 1.4 };

/** If this share of the pauses is short, the others do not show that a client pauses: it may retry in two places. */
const mostlyShort = 0.5;

/**
 * In a scope, a test may call one record in a loop, such as until its circuit breaker opens. These show that the
 * client retries: different requests in one scope, different ones in all scopes, or tries of a single one.
 */
const noLoop = { inScope: 3, inAll: 5, tries: 30 };

/** Shorter pauses are shown as immediate. */
const shownMs = 10;

export const hammering: Check = {
  check: 'hammering',
  title: 'Pauses before each retry',
  rule:
    'If a call fails without Retry-After (a 5xx, no response, or an incomplete response), the client must pause before it sends the request again. ' +
    'The first retry of a request may be immediate, because the server may just have closed an idle connection.',
  details: [
    'The check counts all retries of a request except the first. It does so for all failures together, for those of each kind, and for those in each operation.',
    ...limits.map(
      ({ steps, ms, share }) =>
        `It fails if there are ${steps} or more, ${share === 1 ? 'all' : `${share * 100} percent`} of them at most ${ms} ms after the failure.`,
    ),
    "The check measures pauses in real time or on the sandbox's clock, whichever is longer.",
  ],
  exceptions: [
    ofDoubt,
    ofCopies,
    'Without a scope, quick retries on connections that are open together, none of which carries two such retries. They may come from several users.',
    `Within a scope, quick retries of fewer than ${noLoop.inScope} different requests, if all scopes together have fewer than ${noLoop.inAll}, and the scope has none that is sent more than ${noLoop.tries} times. A test may request a record in a loop until a circuit breaker opens.`,
    `If the client retries quickly in only one operation: retries of fewer than ${noLoop.inAll} different requests (${noLoop.inScope} within a scope), and retries after more than ${canGrow.ms} ms.`,
    `Fewer than ${limits[0].steps} retries after the first. Several workers share the failures of a scenario such as \`silent-outage\`, so that hardly any request fails twice. Under \`long-outage\`, each request fails several times.`,
    `Pauses of more than ${canGrow.ms} ms that grow by a median factor of at least ${canGrow.times}.`,
  ],
  basis:
    'Good practice: a client that retries without pauses prolongs the failure of the service. RFC 9110, section 10.2.4, describes 503 as temporary overload.',
  strength: 'should',
  occasion: 'retries after such a failure',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  ofFailures: true,
  ofRetries: true,
  examine: (calls) => judgedWithoutCopies(calls, (runsOf) => withoutOthers(runsOf(calls))),
};

/** Judges the retries that are certainly those of one caller. */
function* withoutOthers(all: readonly Run[]): SlicedWork<Examination> {
  yield;
  const runs = all.map(ofOneCaller).filter(({ length }) => length > 0);
  const judged = withoutLoops(judgeRuns(runs));
  if (runs.flat().length === all.flat().length) return judged;
  const { breaches, notJudged } = judgeRuns(all);
  return breaches.length > 0 || notJudged !== undefined ? { notJudged: mayBeOthers, ...judged } : judged;
}

const mayBeOthers =
  'Many requests were sent again at once, each on a connection of its own. They may come from several users. Give each user a scope.';

const mayBeLoop =
  'A few requests were sent again at once in a scope. A test may request a record in a loop, such as until a circuit breaker opens.';

/** Leaves out breaches in scopes that have so few different requests that they may be loops of tests. */
function withoutLoops(examination: Examination): Examination {
  const inScope = inScopes(examination.breaches);
  if (requestsIn(inScope) >= noLoop.inAll) return examination;
  const few = [...groupBy(inScope, ({ calls: [{ client }] }) => client).values()].filter(
    (own) => requestsIn(own) < noLoop.inScope && !own.some(({ calls }) => calls.length > noLoop.tries),
  );
  const loops = new Set(few.flat());
  if (loops.size === 0) return examination;
  const breaches = examination.breaches.filter((breach) => !loops.has(breach));
  return { notJudged: mayBeLoop, ...examination, breaches };
}

/** Returns the number of different requests, whatever their scopes. */
function requestsIn(breaches: readonly Breach[]): number {
  return new Set(breaches.map(({ calls: [{ client, request }] }) => request.slice(client.length))).size;
}

function judgeRuns(runs: readonly Run[]): Examination {
  return judgedByClient(runs, clientOf, judgeClient);
}

/** Judges the retries of one client, which may pause after one kind of failure only, or in some operations only. */
function judgeClient(own: readonly Run[]): Examination {
  const judged = judge(own);
  if (judged.breaches.length > 0) return judged;
  const { breaches } = judgedByClient(own, kindOf, judge);
  if (breaches.length > 0) return { ...judged, breaches };
  const { occasions: _, ...inOperations } = judgedByClient(own, operationOf, judgeOperation);
  return { ...judged, ...inOperations };
}

/**
 * Judges the retries of one operation, although the client pauses in others. Only those at once count: longer pauses
 * may be the first of growing ones.
 */
function judgeOperation(own: readonly Run[]): Examination {
  const { occasions, breaches } = judge(own, canGrow.ms);
  const [first] = breaches;
  if (first === undefined) return { occasions, breaches };
  const { operation, scope } = first.calls[0].entry;
  if (requestsIn(breaches) < (scope === null ? noLoop.inAll : noLoop.inScope))
    return { occasions, breaches: [], notJudged: fewInOperation(operation) };
  return { occasions, breaches: breaches.map((breach) => inOperation(breach, operation)) };
}

function fewInOperation(operation: string): string {
  return `The client sent requests of ${operation} again at once, but too few different ones to show a habit.`;
}

function clientOf([first]: Run): string {
  return first?.before.client ?? '';
}

function operationOf(run: Run): string {
  return run[0]?.before.entry.operation ?? '';
}

/** Runs with one kind of failure have it, others belong to several. */
function kindOf(run: Run): string {
  return [clientOf(run), ...new Set(run.map(({ before }) => before.ending))].join(' ');
}

/** Judges the retries of one client. */
function judge(runs: readonly Run[], maxMs = Infinity): Examination {
  const occasions = runs.flat().length;
  // The first retry of a request may be immediate.
  const steps = runs.flatMap((run) => run.slice(1));
  const exceeded = limits.filter(({ steps: fewest, ms, share }) => {
    if (ms > maxMs) return false;
    const quick = steps.filter(({ pause }) => pause <= ms).length;
    return steps.length >= fewest && quick >= steps.length * share;
  });
  const mayGrow = exceeded.length > 0 && areGrowing(runs);
  if (exceeded.some(({ ms }) => ms <= canGrow.ms || !mayGrow))
    return { occasions, breaches: runs.filter(hasQuick).flatMap(breachIn) };
  if (mayGrow) return { occasions, breaches: [], notJudged: shortButGrowing };
  const quick = steps.filter(({ pause }) => pause <= shortMs).length;
  if (quick >= steps.length * mostlyShort && quick > 0) {
    const notJudged = `Many pauses are short, but there are too few retries after the first (${steps.length}), or too many of their pauses are longer.${adviceFor(steps)}`;
    return { occasions, breaches: [], notJudged };
  }
  const isEnough = steps.length >= limits[0].steps || runs.filter(isPatient).length >= limits[0].steps;
  if (isEnough) return { occasions, breaches: [] };
  const notJudged = `Only ${steps.length} requests had a second retry; ${limits[0].steps} are needed.${adviceFor(steps)}`;
  return { occasions, breaches: [], notJudged };
}

/** Workers share the failures of most scenarios, so that hardly any request fails twice. */
function adviceFor(steps: Run): string {
  const advice =
    ' If the client has several workers, use the scenario long-outage, in which each request fails several times.';
  return steps.length < limits[2].steps ? advice : '';
}

const shortButGrowing = 'Most pauses are short, but they grow.';

/** Whether one of the further retries of a request was quick. */
function hasQuick(run: Run): boolean {
  return run.slice(1).some(({ pause }) => pause <= shortMs);
}

/**
 * Whether later pauses of a request are longer than earlier ones, of the same requests and over all requests. A
 * busy machine makes single pauses longer, but not the second ones, and the third ones again.
 */
function areGrowing(runs: readonly Run[]): boolean {
  const [first = 0, second = 0, third] = [0, 1, 2].map((retry) => usualPause(runs, retry));
  const ratios = runs.flatMap((run) =>
    run.slice(1).map(({ pause }, index) => pause / Math.max(1, run[index]?.pause ?? 0)),
  );
  return (
    ratios.length >= limits[0].steps &&
    (middle(ratios) ?? 0) >= canGrow.times &&
    second > first &&
    (third === undefined || third > second)
  );
}

/** The pause in the middle before a retry: 0 is the first. */
function usualPause(runs: readonly Run[], retry: number): number | undefined {
  return middle(
    runs.flatMap((run) => {
      const step = run[retry];
      return step === undefined ? [] : [step.pause];
    }),
  );
}

function isPatient([first]: Run): boolean {
  return (first?.pause ?? 0) > shortMs;
}

type Run = ReturnType<typeof openRuns>[number];

function breachIn(steps: Run): readonly Breach[] {
  const [first] = steps;
  if (first === undefined) return [];
  const longest = Math.max(greatest(steps.map(({ pause }) => pause)), shownMs);
  const times = steps.length === 1 ? 'once' : `${steps.length} times`;
  const message = `The client retried the request ${times} within ${seconds(longest)} of each failure.`;
  return [{ message, calls: [first.before, ...steps.map(({ next }) => next)] }];
}
