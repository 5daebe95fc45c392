import { packageVersion } from '../../base/package-files.ts';
import { isObject } from '../../base/is-object.ts';
import { SandboxError } from '../../base/errors.ts';
import { parseKnown } from '../../base/parse-known.ts';
import type { CountedBeyond } from '../../contract/beyond-counts.ts';
import { parseJson } from '../../contract/envelope.ts';
import { maskedSights, type CountedSight } from './departures.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import type { Reading } from './model/infer.ts';
import { predictionOf, storedPrediction, type StoredPrediction } from './model/stored-prediction.ts';
import type { RecentCall } from './recent-calls.ts';
import type { Finding } from './probe.ts';
import { goodElement, type School } from './school.ts';
import { shown } from './shown-text.ts';

/** What a calibration has found so far. */
export interface Progress {
  /** The findings of the probes that have finished, by name. */
  readonly finished: ReadonlyMap<string, Finding>;
  readonly school: Partial<School>;
  readonly calls: number;
  /** The calls of the last minute, which count toward the limits. */
  readonly recent: readonly RecentCall[];
  /** What the service sent beyond the contract. */
  readonly beyond: readonly CountedBeyond[];
  /** What assumptions do not cover. */
  readonly sights: readonly CountedSight[];
}

/** The probe that finds a member of the school again, if it must not be stored. */
const finders: { readonly [N in keyof School]?: string } = {
  sessions: 'live-events',
  productIds: 'live-events',
  presets: 'preset-pages',
  library: 'library-pages',
  folders: 'library-folders',
  recorded: 'recording',
  good: 'an-identifier',
};

interface Stored {
  readonly version: string;
  readonly upstream: string;
  readonly calls: number;
  readonly recent: readonly RecentCall[];
  readonly beyond: readonly CountedBeyond[];
  readonly sights: readonly CountedSight[];
  readonly finished: Readonly<Record<string, StoredFinding>>;
  readonly school: Partial<School>;
}

type StoredReading = Omit<Reading, 'expected'> & { readonly expected: StoredPrediction };
type StoredFinding = Omit<Finding, 'readings'> & { readonly readings: readonly StoredReading[] };

/** Returns the text of a checkpoint. It has no part of a key: what contains one is found again. */
export function checkpointText(upstream: string, progress: Progress, mask: Mask): string {
  const { finished, school, calls, recent, beyond, sights } = progress;
  const { messages = [], openValues = [], ...found } = school;
  const members = Object.entries(found);
  const isSafe = (value: unknown): boolean => mask(JSON.stringify(value)) === JSON.stringify(value);
  const lost = new Set(members.filter(([, value]) => !isSafe(value)).map(([name]) => name));
  const again = new Set(Object.entries(finders).flatMap(([name, probe]) => (lost.has(name) ? [probe] : [])));
  const kept = [...finished].filter(([name]) => !again.has(name));
  const stored: Stored = {
    version: packageVersion(),
    upstream: mask(upstream),
    calls,
    recent,
    beyond: maskedBeyond(beyond, mask),
    sights: maskedSights(sights, mask),
    finished: Object.fromEntries(kept.map(([name, finding]) => [name, storedFinding(finding, mask)])),
    school: {
      ...Object.fromEntries(members.filter(([name]) => !lost.has(name))),
      messages: messages.map(({ tells, words }) => ({ tells, words: shown(words, mask) })),
      openValues: openValues
        .filter(({ probe }) => !again.has(probe))
        .map(({ value, ...one }) => ({ ...one, value: mask(value) })),
    },
  };
  return JSON.stringify(stored);
}

/** A service may send a part of a key as the name of a field, or as a value. */
export function maskedBeyond(beyond: readonly CountedBeyond[], mask: Mask): readonly CountedBeyond[] {
  return beyond.map(({ pointer, place, value, ...one }) => ({
    ...one,
    pointer: mask(pointer),
    place: mask(place),
    value: value === null ? null : mask(value),
  }));
}

function storedFinding({ readings, missing, lacking = {} }: Finding, mask: Mask): StoredFinding {
  const whys = Object.entries(lacking).map(([name, why]) => [name, shown(why, mask)]);
  return {
    readings: readings.map(({ about, words, seen, expected, ownForm }) => ({
      about,
      words: shown(words, mask),
      seen: isPredicted(seen, expected) ? seen : mask(seen),
      expected: storedPrediction(expected),
      ...(ownForm === undefined ? {} : { ownForm: { ...ownForm, text: mask(ownForm.text) } }),
    })),
    ...(missing === undefined ? {} : { missing: shown(missing, mask) }),
    lacking: Object.fromEntries(whys),
  };
}

/** Words of ours are not masked. */
function isPredicted(seen: string, expected: Reading['expected']): boolean {
  return storedPrediction(expected).includes(seen);
}

/** The members of a checkpoint that are objects or lists. */
const wholes = ['recent', 'beyond', 'sights', 'finished', 'school'] as const;

/** Reads a checkpoint. Throws SandboxError if it belongs to another service or version, or is incomplete. */
export function readCheckpoint(text: string, upstream: string, file: string): Progress {
  const stored = parseJson(text);
  const advice = 'Run calibrate without --resume.';
  if (!isObject(stored))
    throw new SandboxError(
      `${file} is not valid JSON. It holds what calibrate has found so far, and is cut off or changed. ${advice}`,
    );
  if (stored['version'] !== packageVersion())
    throw new SandboxError(`${file} is not a checkpoint of this version. ${advice}`);
  if (stored['upstream'] !== upstream)
    throw new SandboxError(
      `${file} is a checkpoint of another service, ${String(stored['upstream'])}. ${advice}`,
    );
  const missing = wholes.find((name) => typeof stored[name] !== 'object' || stored[name] === null);
  if (missing !== undefined)
    throw new SandboxError(`${file} is not a whole checkpoint: ${missing} is missing. ${advice}`);
  const { finished, school, calls, recent, beyond, sights } = parseKnown<Stored>(text);
  const { good } = school;
  return {
    calls,
    recent,
    beyond,
    sights,
    finished: new Map(
      Object.entries(finished).map(([name, finding]) => [
        name,
        {
          ...finding,
          readings: finding.readings.map((one) => ({ ...one, expected: predictionOf(one.expected) })),
        },
      ]),
    ),
    school:
      good === undefined || good === null
        ? school
        : { ...school, good: goodElement(good.operation, good.field, good.id) },
  };
}
