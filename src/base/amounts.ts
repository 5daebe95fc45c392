import { getHeapStatistics } from 'node:v8';

const mib = 1_048_576;

/** The least that all sandboxes may share. */
const leastMemory = mib;

const units: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: mib, GiB: 1024 * mib };

/** Returns the bytes that all sandboxes may share, from a number or a text such as `256MiB`; null if it is no such amount. */
export function bytesIn(value: number | string): number | null {
  const [, digits = '', unit = ''] = /^(\d+)\s?(KiB|MiB|GiB|)$/.exec(String(value)) ?? [];
  const bytes = digits === '' ? Number.NaN : Number(digits) * (units[unit] ?? Number.NaN);
  return bytes >= leastMemory && Number.isSafeInteger(bytes) ? bytes : null;
}

/** What all sandboxes may share by default, in bytes: so many MiB, but no more than a quarter of what the process may use. */
export function standardMemory(maxMib: number): number {
  return Math.min(maxMib * mib, Math.floor(getHeapStatistics().heap_size_limit / 4));
}

/** A duration (ISO 8601) without years and months, which have no fixed length. */
const duration = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Returns the seconds of a duration; null if it is none, or of no length. */
export function secondsIn(text: string): number | null {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = duration.exec(text) ?? [];
  const total = (((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return total > 0 && Number.isSafeInteger(total * 1000) ? total : null;
}
