import type { Known } from './known.ts';
import { Pace, type Time } from './pace.ts';
import type { Finding, Probe, Scene } from './probe.ts';
import { throttleReadings } from './probes/throttling.ts';
import { emptySchool } from './school.ts';
import { maskOf, Unreachable, type Keys, type Upstream } from './upstream.ts';
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
}

/** The service, the time, and a callback. */
export interface Outside {
  readonly upstream: Upstream;
  readonly time: Time;
  /** Called before each probe. A rejection stops the calibration. */
  readonly before?: (probe: Probe) => Promise<void> | void;
}

export interface Calibration extends Judgement {
  readonly calls: number;
}

/**
 * Runs the probes in order and returns the verdicts. Rejects with Unreachable if the service is not
 * reachable, and with CannotCalibrate if it cannot be calibrated.
 */
export async function calibrate(
  { probes, known, keys, pauseSeconds, stamp }: Plan,
  { upstream, time, before }: Outside,
): Promise<Calibration> {
  const pace = new Pace(upstream, time, pauseSeconds);
  const mask = maskOf(keys);
  const scene: Scene = { pace, known, keys, mask, stamp, school: emptySchool() };
  const done: Done[] = [];
  let failures = 0;
  for (const { probe, leftOut } of probes) {
    if (leftOut !== null) {
      done.push({ probe, came: leftOut });
      continue;
    }
    await before?.(probe);
    try {
      done.push({ probe, came: await runProbe(probe, scene) });
      if (probe.calls > 0) failures = 0;
    } catch (error) {
      // One failure may be a large body that was cut off; a second one means that the service is down.
      failures += 1;
      if (!(error instanceof Unreachable) || failures > 1 || done.length === 0) throw error;
      done.push({ probe, came: error.message });
    }
  }
  return { ...withTemplates(judge(done, mask), readingsOf(done), mask), calls: pace.calls };
}

/** Runs a probe, and adds the readings of the first call that was throttled within the documented limits. */
async function runProbe(probe: Probe, scene: Scene): Promise<Finding> {
  const finding = await probe.run(scene);
  const throttled = scene.pace.takeThrottled();
  if (throttled === null) return finding;
  const readings = throttleReadings('a call within the documented limits', throttled);
  return { ...finding, readings: [...finding.readings, ...readings] };
}
