import { SandboxError } from '../../base/errors.ts';
import { derivedId, newToken } from '../../sandbox/random.ts';
import type { Settings } from '../../server/server.ts';
import { readKnown, type Known } from '../../upstream/calibrate/known.ts';
import type { Probe } from '../../upstream/calibrate/probe.ts';
import { probes } from '../../upstream/calibrate/probes/index.ts';
import type { Keys } from '../../upstream/calibrate/upstream.ts';
import type { ComparePlan } from '../../upstream/compare/compare.ts';
import { exampleCalls } from '../../upstream/compare/example-calls.ts';
import { keyCalls } from '../../upstream/compare/key-calls.ts';
import { mistakeCalls } from '../../upstream/compare/mistake-calls.ts';
import type { PlannedCall } from '../../upstream/compare/planned-call.ts';
import { recordedCalls } from '../../upstream/compare/recorded-calls.ts';
import type { Given, Invocation } from '../command.ts';
import { readDifferenceWishes, type DifferenceWishes } from '../difference-flags.ts';
import { readRecordingFrom } from '../recording-file.ts';
import { readPace, readServiceKeys } from '../service-flags.ts';
import { readSettings } from '../settings.ts';
import { isOfTwin } from '../twin-flags.ts';
import { readUpstreamUrl } from '../upstream-url.ts';

/** The options of the command. */
export interface CompareWishes extends Omit<ComparePlan, 'keys'> {
  readonly upstream: string;
  /** The keys of the service. */
  readonly keys: Keys;
  readonly settings: Settings;
  /** The slug of the sandbox's school; null for the first one. */
  readonly school: string | null;
  readonly report: DifferenceWishes;
}

/** Rejects with SandboxError for usage errors. */
export async function readCompareWishes({
  given,
  environment,
}: Pick<Invocation, 'given' | 'environment'>): Promise<CompareWishes> {
  const known = given.get('known')?.at(-1);
  const keys = readKeys(given, environment);
  return {
    report: readDifferenceWishes(given),
    upstream: readUpstreamUrl(given, 'to compare with').href.replace(/\/+$/, ''),
    keys,
    settings: await readSettings(given, environment, isOfTwin),
    pauseSeconds: readPace(given),
    school: given.get('school')?.at(-1) ?? null,
    known: known === undefined ? noneKnown : await readKnown(known),
    calls: [...(await readCalls(given)), ...keyCalls(keys)],
    allowsWrites: given.has('allow-writes'),
    probes: given.has('no-probes') ? null : probePlan(given),
    exceedsLimits: given.has('rate-limits'),
  };
}

const noneKnown: Known = {};

async function readCalls(given: Given): Promise<readonly PlannedCall[]> {
  const source = given.get('calls')?.at(-1);
  if (source === undefined) return [...exampleCalls(), ...mistakeCalls()];
  const calls = recordedCalls(await readRecordingFrom(source, '--calls'));
  if (calls.length === 0) throw new SandboxError(`${source} has no call under /public/ to send.`);
  return [...calls, ...mistakeCalls()];
}

/** Returns the probes of calibrate, each with the reason to skip it, if any. */
function probePlan(given: Given): ComparePlan['probes'] {
  const leftOut = ({ writes, waits, isForDepartures }: Probe): string | null => {
    if (isForDepartures === true) return 'compare sends such calls anyway';
    if (waits !== undefined && !given.has('rate-limits')) return 'needs --rate-limits';
    return writes !== undefined && !given.has('allow-writes') ? 'writes: needs --allow-writes' : null;
  };
  return {
    probes: probes.map((probe) => ({ probe, leftOut: leftOut(probe) })),
    stamp: derivedId(newToken()).slice(0, 8),
  };
}

function readKeys(given: Given, environment: NodeJS.ProcessEnv): Keys {
  const keys = readServiceKeys(given, environment);
  if (keys.own !== '') return keys;
  throw new SandboxError('compare needs an API key: set UPSTREAM_API_KEY or --api-key.');
}
