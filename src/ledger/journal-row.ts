import { realMoment } from '../sandbox/clock.ts';
import { durationOf, type ConnectionTimes, type StoredEntry } from '../sandbox/journal-entry.ts';

/** What a row of the journal has: entries, and how many there were up to the last of them since the journal was cleared. */
interface JournalRow {
  readonly total: number;
  readonly entries: readonly StoredEntry[];
}

/** Converts entries to text. Their times become those of the real clock, which other processes know. */
export function rowOf(entries: readonly StoredEntry[], total: number): string {
  return JSON.stringify({
    total,
    entries: entries.map((entry) => withTimes(entry, timesIn(entry.connection, realMoment), realMoment)),
  });
}

/** The entries of a journal while they are read again. */
export class ReadEntries {
  readonly entries: StoredEntry[] = [];
  #total = 0;
  /** Calls on one connection share its times, and calls one after another often their headers. */
  readonly #connections = new Map<string, ConnectionTimes>();
  #headers: { readonly text: string; readonly list: readonly string[] } | null = null;

  /** The number of entries that were evicted before the first of these. */
  get evicted(): number {
    return this.#total - this.entries.length;
  }

  add(row: string): void {
    // Only `rowOf` writes rows.
    const { total, entries } = JSON.parse(row) as JournalRow;
    this.#total = total;
    for (const entry of entries)
      this.entries.push({
        ...withTimes(entry, this.#connectionOf(entry), stopwatchTime),
        requestHeaders: this.#headersOf(entry),
      });
  }

  #connectionOf({ address, port, connection }: StoredEntry): ConnectionTimes {
    const name = `${address} ${port} ${connection.openedMs}`;
    const times = timesIn(connection, stopwatchTime);
    const known = this.#connections.get(name) ?? times;
    known.closedMs = times.closedMs;
    this.#connections.set(name, known);
    return known;
  }

  #headersOf({ requestHeaders }: StoredEntry): readonly string[] {
    const text = requestHeaders.join('\n');
    if (this.#headers?.text !== text) this.#headers = { text, list: requestHeaders };
    return this.#headers.list;
  }
}

/** Converts a time of the real clock to one of `stopwatch`. */
function stopwatchTime(real: number): number {
  return real - realMoment(0);
}

function timesIn({ openedMs, closedMs }: ConnectionTimes, timeOf: (time: number) => number): ConnectionTimes {
  return { openedMs: timeOf(openedMs), closedMs: closedMs === null ? null : timeOf(closedMs) };
}

function withTimes(
  entry: StoredEntry,
  connection: ConnectionTimes,
  timeOf: (time: number) => number,
): StoredEntry {
  const { delivery } = entry;
  const receivedMs = timeOf(entry.receivedMs);
  return {
    ...entry,
    receivedMs,
    // Converted on its own, its distance from the other time would be rounded differently.
    delivery: delivery && { ...delivery, endedMs: receivedMs + durationOf(entry) },
    connection,
  };
}
