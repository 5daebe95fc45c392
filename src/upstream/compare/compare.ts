import type { Plan as CalibrationPlan } from '../calibrate/calibrate.ts';
import type { Known } from '../calibrate/known.ts';
import type { Pace } from '../calibrate/pace.ts';
import type { Time } from '../calibrate/time.ts';
import type { Scene } from '../calibrate/probe.ts';
import { serviceCheck } from '../calibrate/probes/service-check.ts';
import { emptySchool } from '../calibrate/school.ts';
import { maskOf, type Keys, type Request, type Upstream } from '../calibrate/upstream.ts';
import { merged, type DifferenceReport, type SkippedCall } from '../difference-report/report.ts';
import type { Aspect, Replied } from './aspects.ts';
import { callBoth, type BothRequests } from './call-both.ts';
import { Explainer, type Causes, type CausesByAspect } from './explain.ts';
import { openPointDifferences, probeBoth, type OpenPoints } from './open-points.ts';
import { isOneOf, isPossible, onlyCauses } from './right-causes.ts';
import { Lacking, type PlannedCall, type SideData } from './planned-call.ts';
import { candidatesIn, resolveCauses, type Open } from './resolve-causes.ts';
import { soundOptions, type ComparedCall } from './sound-options.ts';
import { collectionNames } from '../../sandbox/seed.ts';
import { discover } from './stand-ins.ts';
import type { Dispute } from './try-options.ts';
import { recordsOf } from './twin-records.ts';
import { replyTo, type Twin } from './twin.ts';
import type { Verdict } from '../calibrate/verdict.ts';

/** What to compare. */
export interface ComparePlan {
  readonly calls: readonly PlannedCall[];
  readonly allowsWrites: boolean;
  readonly known: Known;
  /** The probes of calibrate; null to leave them out. */
  readonly probes: Pick<CalibrationPlan, 'probes' | 'stamp'> | null;
  /** Whether the probes may exceed the documented rate limits. */
  readonly exceedsLimits: boolean;
  readonly pauseSeconds: number;
  readonly keys: { readonly service: Keys; readonly sandbox: Keys };
}

export interface Sides {
  readonly upstream: Upstream;
  /** Calls the service within its rate limits. */
  readonly pace: Pace;
  readonly twin: Twin;
  readonly time: Time;
  readonly hosts: readonly [service: string, sandbox: string];
  /** Called before each call. A rejection stops the comparison. */
  readonly before?: (name: string) => void;
}

/**
 * Sends the same calls to the service and to the sandbox, one at a time, and returns where they differ. Rejects
 * with CannotCalibrate if the service is down, redirects calls or refuses the key.
 */
export async function compare(plan: ComparePlan, sides: Sides): Promise<DifferenceReport> {
  const { pace, twin, hosts } = sides;
  const service: Pick<Upstream, 'call'> = { call: (request) => pace.call(request) };
  await checkService(plan, pace);
  const data = await sideData(plan, sides, service);
  const found: Found = { disputes: [], calls: [], compared: new Map(), skipped: [] };
  const comparing = { twin, explainer: new Explainer(twin), service, found };
  for (const planned of plan.calls) {
    const { operation, call } = planned;
    const requests = requestsOf(planned, plan.allowsWrites, data);
    if (typeof requests === 'string') {
      found.skipped.push({ operation, call, why: requests });
      continue;
    }
    sides.before?.(`${operation} ${call}`);
    await compareCall(planned, requests, comparing);
  }
  const probed = await openPoints(plan, sides, service);
  if (!pace.isSettled) await pace.requireAccepted();
  const open = await explained(comparing, probed?.service ?? []);
  const points = probed === null ? [] : openPointDifferences(probed, twin);
  return {
    title: `${hosts[0]} compared with a sandbox`,
    sides: ['service', hosts[1]],
    compared: [...found.compared.values()],
    differences: merged([...resolveCauses(open, twin.options), ...points]),
    skipped: [...found.skipped, ...notCompared(plan, probed)],
  };
}

/** Names the assumptions that only the probes of rate limits compare, if these did not run. */
function notCompared(
  { probes, exceedsLimits }: ComparePlan,
  probed: OpenPoints | null,
): readonly SkippedCall[] {
  if (probes === null || probed === null || exceedsLimits) return [];
  const told = new Set(
    probes.probes.flatMap(({ probe: { waits, tells } }) => (waits === undefined ? [] : tells)),
  );
  const names = probed.service.flatMap(({ name, left }) => (told.has(name) && left.length > 1 ? [name] : []));
  if (names.length === 0) return [];
  const why = `not compared without --rate-limits: ${names.join(', ')}`;
  return [{ operation: 'all', call: 'open points', why }];
}

/** A call that the sides answered in different ways. */
interface Disputed {
  readonly planned: PlannedCall;
  readonly dispute: Dispute;
  readonly causes: CausesByAspect;
}

/** Runs the probes of calibrate that find out whether there is a service. */
async function checkService({ known, keys: { service: keys } }: ComparePlan, pace: Pace): Promise<void> {
  const scene: Scene = { pace, known, keys, mask: maskOf(keys), stamp: '', school: emptySchool() };
  for (const { run } of serviceCheck) await run(scene);
}

/** What was found so far. */
interface Found {
  readonly disputes: Disputed[];
  readonly calls: ComparedCall[];
  readonly compared: Map<string, DifferenceReport['compared'][number]>;
  readonly skipped: SkippedCall[];
}

/** What every call needs. */
interface Comparing {
  readonly twin: Twin;
  readonly explainer: Explainer;
  readonly service: Pick<Upstream, 'call'>;
  readonly found: Found;
}

async function compareCall(
  planned: PlannedCall,
  requests: BothRequests,
  { twin, explainer, service, found }: Comparing,
): Promise<void> {
  const { operation, call } = planned;
  const name = `${operation} ${call}`;
  found.compared.set(name, { operation, call, count: (found.compared.get(name)?.count ?? 0) + 1 });
  const compared = await callBoth(requests, twin, service);
  const { before, seen, aspects } = compared;
  // A call that writes holds a copy of the state, so it is kept only if the sides differ.
  if (before === null || aspects.length > 0) found.calls.push({ request: requests.sandbox, before, seen });
  if (aspects.length > 0)
    found.disputes.push({ planned, dispute: compared, causes: await explainer.causesOf(compared) });
}

/** Explains the differences: first each call by itself, then with the options that explain the others. */
async function explained(
  { twin, explainer, found }: Comparing,
  verdicts: readonly Verdict[],
): Promise<readonly Open[]> {
  const known = found.disputes.map((one) => ({
    ...one,
    causes: onlyCauses(one.causes, isPossible(verdicts)),
  }));
  const candidates = candidatesIn(known.flatMap(openIn), twin.options);
  const options = await soundOptions(twin, found.calls, candidates);
  const again: Disputed[] = [];
  for (const one of known) {
    const causes = await explainer.again(one.dispute, onlyCauses(one.causes, isOneOf(options)), options);
    again.push({ ...one, causes: onlyCauses(causes, isPossible(verdicts)) });
  }
  const more = candidatesIn(again.flatMap(openIn), twin.options);
  const sound = await soundOptions(twin, found.calls, [...options, ...more]);
  return again.flatMap((one) => openIn({ ...one, causes: onlyCauses(one.causes, isOneOf(sound)) }));
}

function openIn({ planned, dispute, causes }: Disputed): readonly Open[] {
  return dispute.aspects.map((aspect) => openOf(planned, aspect, causes.get(aspect)));
}

function openOf({ operation, call }: PlannedCall, aspect: Aspect, causes: Causes | undefined): Open {
  const { aspect: kind, place, left, right } = aspect;
  return {
    id: [kind, operation, call, ...(place === '' ? [] : [place])].join(':'),
    operation,
    call,
    what: place === '' ? kind : `${kind} ${place}`,
    left,
    right,
    count: 1,
    explanation: null,
    causes: causes ?? { options: [], assumption: null },
  };
}

interface BothData {
  readonly service: SideData;
  readonly sandbox: SideData;
}

async function sideData(
  { known }: ComparePlan,
  { pace, twin }: Sides,
  service: Pick<Upstream, 'call'>,
): Promise<BothData> {
  const ask = (request: Request): Promise<Replied> => replyTo(service, request);
  const own = (request: Request): Promise<Replied> => twin.call(request);
  const { state } = twin.sandbox;
  return {
    service: { standIns: await discover(ask, known, () => pace.clock.latest()), has: () => true },
    sandbox: {
      standIns: await discover(own, recordsOf(twin, known), () => twin.sandbox.clock.now()),
      has: (id) => collectionNames.some((name) => state.collection(name).get(id) !== undefined),
    },
  };
}

/** Returns the call as each side gets it, or the reason to skip it. */
function requestsOf(
  { writes, request }: PlannedCall,
  allowsWrites: boolean,
  { service, sandbox }: BothData,
): BothRequests | string {
  if (writes && !allowsWrites) return 'writes: needs --allow-writes';
  try {
    return { service: request(service), sandbox: request(sandbox) };
  } catch (error) {
    if (error instanceof Lacking) return error.message;
    throw error;
  }
}

async function openPoints(
  { probes, known, keys, exceedsLimits, pauseSeconds }: ComparePlan,
  { upstream, pace, twin, time, before }: Sides,
  { call }: Pick<Upstream, 'call'>,
): Promise<OpenPoints | null> {
  if (probes === null) return null;
  // The calls so far count toward the limits, too.
  if (exceedsLimits)
    await time.wait(windowSeconds, 'the calls so far count toward the limits that the probes exceed');
  const paced: Upstream = { base: upstream.base, call, read: (url) => pace.read(url) };
  const plan = { ...probes, known, keys: keys.service, pauseSeconds: exceedsLimits ? pauseSeconds : 0 };
  const outside = {
    upstream: exceedsLimits ? upstream : paced,
    time,
    before: (probe: { readonly name: string }) => before?.(probe.name),
  };
  const twinPlan = { known: recordsOf(twin, known), keys: keys.sandbox };
  return probeBoth(plan, outside, { twin, twinPlan });
}

/** Slightly more than the window of the rate limits. */
const windowSeconds = 61;
