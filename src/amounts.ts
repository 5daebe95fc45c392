import { getHeapStatistics } from 'node:v8';
import { Misuse } from './sandbox/misuse.ts';

const mib = 1_048_576;

/** The least that all journals may share. */
const leastJournalMemory = mib;

const units: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: mib, GiB: 1024 * mib };

/** The bytes that all journals may share: a number, or a text such as `256MiB`. Throws Misuse. */
export function readJournalMemory(value: number | string): number {
  const [, digits = '', unit = ''] = /^(\d+)\s?(KiB|MiB|GiB|)$/.exec(String(value)) ?? [];
  const bytes = digits === '' ? Number.NaN : Number(digits) * (units[unit] ?? Number.NaN);
  if (bytes >= leastJournalMemory && Number.isSafeInteger(bytes)) return bytes;
  throw new Misuse(
    `--journal-memory must be a number of bytes, or a size such as 64MiB or 1GiB, from 1MiB on, but is ${JSON.stringify(value)}.`,
  );
}

/** What all journals may share by default: 256 MiB, but no more than a quarter of what the process may use. */
export function standardJournalMemory(): number {
  return Math.min(256 * mib, Math.floor(getHeapStatistics().heap_size_limit / 4));
}

/** A duration (ISO 8601) without years and months, which have no fixed length. */
const duration = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The seconds after which an idle sandbox expires; null for never. Throws Misuse. */
export function readIdleExpiry(text: string): number | null {
  if (text === 'off') return null;
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = duration.exec(text) ?? [];
  const total = (((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  if (total > 0 && Number.isSafeInteger(total * 1000)) return total;
  throw new Misuse(`--idle-expiry must be an ISO 8601 duration such as PT30M or P14D, or off, but is ${JSON.stringify(text)}.`);
}
