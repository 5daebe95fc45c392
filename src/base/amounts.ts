import { oldSpaceBytes, usedOldSpaceBytes } from './heap.ts';

const mib = 1_048_576;

const minMemoryBytes = mib;

const units: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: mib, GiB: 1024 * mib };

/**
 * Parses an amount of memory, a number of bytes or a text such as `256MiB`. Null if it is invalid or below 1
 * MiB.
 */
export function bytesIn(value: number | string): number | null {
  const [, digits = '', unit = ''] = /^(\d+)\s?(KiB|MiB|GiB|)$/.exec(String(value)) ?? [];
  const bytes = digits === '' ? Number.NaN : Number(digits) * (units[unit] ?? Number.NaN);
  return bytes >= minMemoryBytes && Number.isSafeInteger(bytes) ? bytes : null;
}

/** The memory that the server itself needs: its code, and the seeds that all sandboxes share. */
const ownBytes = 48 * mib;

/**
 * The default memory that all sandboxes share, in bytes: `maxMib`, but at most a quarter of the heap that the
 * server does not need itself.
 */
export function defaultMemoryBytes(maxMib: number, heapBytes = oldSpaceBytes()): number {
  return Math.min(maxMib * mib, Math.max(minMemoryBytes, Math.floor((heapBytes - ownBytes) / 4)));
}

/** A heap that is fuller than this is close to the end of the process. */
const fullPart = 0.85;

/** Joining or parsing something needs its memory twice for a moment. */
const copies = 2;

/** The use of the heap, in bytes: `used` may not exceed `max`. */
export interface HeapUse {
  readonly used: number;
  readonly max: number;
}

/** Returns the use of the heap with these bytes, none of which may be allocated yet. */
export function heapUse(bytes: number): HeapUse {
  return { used: usedOldSpaceBytes() + copies * bytes, max: Math.floor(oldSpaceBytes() * fullPart) };
}

/** Returns whether the heap has room for these bytes, none of which may be allocated yet. */
export function hasHeapFor(bytes: number): boolean {
  const { used, max } = heapUse(bytes);
  return used <= max;
}

/** An ISO 8601 duration without years and months, which have no fixed length. */
const duration = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Parses a duration to seconds. Null if it is invalid or zero. */
export function secondsIn(text: string): number | null {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = duration.exec(text) ?? [];
  const total =
    (((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return total > 0 && Number.isSafeInteger(total * 1000) ? total : null;
}
