import { maskedBeyond, type Progress } from './checkpoint.ts';
import type { Options } from '../../assumptions.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import { EarlierCalls } from './earlier-calls.ts';
import { Departures, departuresIn, type Departure } from './departures.ts';
import type { Known } from './known.ts';
import { Pace } from './pace.ts';
import type { Time } from './time.ts';
import type { Finding, Probe, Scene } from './probe.ts';
import { throttleReadings } from './probes/throttling.ts';
import { emptySchool } from './school.ts';
import { maskOf, Unreachable, type Keys, type Upstream } from './upstream.ts';
import { BeyondCounts, type CountedBeyond } from '../../contract/beyond-counts.ts';
import { withTemplates, type Judgement } from './templates.ts';
import { judge, readingsOf, type Done } from './verdict.ts';

/** What to run and how. */
export interface Plan {
  /** Every probe, with the reason to skip it; null if it runs. */
  readonly probes: readonly { readonly probe: Probe; readonly leftOut: string | null }[];
  readonly known: Known;
  readonly keys: Keys;
  readonly pauseSeconds: number;
  readonly stamp: string;
  /** What an interrupted run has found. Its probes do not run again. */
  readonly earlier?: Progress | null;
  /**
   * How the service throttles, as an earlier calibration has found: its calls may have used up a limit. Null or
   * absent if it is not known.
   */
  readonly throttleReply?: Options['throttleReply'] | null;
  /** Masks the texts of the service; all of `keys` if absent. */
  readonly mask?: Mask;
}

/** The service, the time, and a callback. */
export interface Outside {
  readonly upstream: Upstream;
  readonly time: Time;
  /** Called after each probe with what was found so far. */
  readonly after?: (progress: Progress) => void;
  /** Called before each probe. A rejection stops the calibration. */
  readonly before?: (probe: Probe) => Promise<void> | void;
}

export interface Calibration extends Judgement {
  readonly calls: number;
  /** What the service sends beyond the contract. `source` is the probe that saw it first. */
  readonly beyond: readonly CountedBeyond[];
  /** What the service does that no option does. */
  readonly departures: readonly Departure[];
}

/**
 * Runs the probes in order and returns the verdicts. Rejects with Unreachable if the first probe gets no response,
 * and with CannotCalibrate if the service cannot be calibrated.
 */
export async function calibrate(
  {
    probes,
    known,
    keys,
    pauseSeconds,
    stamp,
    earlier = null,
    throttleReply = null,
    mask = maskOf(keys),
  }: Plan,
  { upstream, time, before, after }: Outside,
): Promise<Calibration> {
  const beyond = new BeyondCounts(earlier?.beyond);
  const departures = new Departures(earlier?.sights);
  let current = '';
  const counting = counted(upstream, { beyond, departures, probe: () => current });
  const pace = new Pace(counting, time, pauseSeconds, mask, {
    recent: earlier?.recent ?? [],
    earlierCalls: throttleReply === null ? null : new EarlierCalls({ throttleReply }, () => time.now()),
    onward: 'To continue, run the same command with --resume.',
  });
  const scene: Scene = { pace, known, keys, mask, stamp, school: { ...emptySchool(), ...earlier?.school } };
  const finished = new Map(earlier?.finished);
  const done: Done[] = [];
  const earlierCalls = earlier?.calls ?? 0;
  for (const { probe, leftOut } of probes) {
    if (leftOut !== null) {
      done.push({ probe, came: leftOut });
      continue;
    }
    const found = finished.get(probe.name);
    if (found !== undefined) {
      done.push({ probe, came: found });
      continue;
    }
    await before?.(probe);
    current = probe.name;
    try {
      const finding = await runProbe(probe, scene);
      done.push({ probe, came: finding });
      if (isStored(probe)) finished.set(probe.name, finding);
      const calls = earlierCalls + pace.calls;
      // If the service refuses everything from now on, the last findings are wrong.
      if (pace.isSettled)
        after?.({
          finished,
          school: scene.school,
          calls,
          recent: pace.recent,
          beyond: beyond.all(),
          sights: departures.all(),
        });
    } catch (error) {
      // The pace checks whether the service is down. Without the first probe, nothing shows that it is one.
      if (!(error instanceof Unreachable) || done.length === 0) throw error;
      done.push({ probe, came: error.message });
    }
  }
  if (!pace.isSettled) await pace.requireAccepted();
  const judgement = withTemplates(judge(done, mask), readingsOf(done), mask);
  return {
    ...judgement,
    calls: earlierCalls + pace.calls,
    beyond: maskedBeyond(beyond.all(), mask),
    departures: departuresIn(departures.all(), judgement, mask),
  };
}

interface Counts {
  readonly beyond: BeyondCounts;
  readonly departures: Departures;
  /** Returns the name of the current probe. */
  readonly probe: () => string;
}

/** Returns a service whose responses are counted. */
function counted(upstream: Upstream, { beyond, departures, probe }: Counts): Upstream {
  return {
    ...upstream,
    call: async (request) => {
      const reply = await upstream.call(request);
      const { operation, path = `/public/${operation}` } = request;
      departures.note(request, reply);
      if (reply.status === 200 && path === `/public/${operation}`)
        beyond.add(operation, reply.outputs ?? [], probe());
      return reply;
    },
  };
}

/** A resumed run checks the service again, and concludes again from everything that was found. */
function isStored({ tells, calls, name }: Probe): boolean {
  return calls > 0 && (tells.length > 0 || name === 'an-identifier');
}

/** Runs a probe, and adds the readings of the first call that was throttled although the pace keeps the limits. */
async function runProbe(probe: Probe, scene: Scene): Promise<Finding> {
  const finding = await probe.run(scene);
  const throttled = scene.pace.takeThrottled();
  if (throttled === null) return finding;
  const readings = throttleReadings('a throttled call', throttled);
  return { ...finding, readings: [...finding.readings, ...readings] };
}
