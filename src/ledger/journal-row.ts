import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { joined } from '../base/wire-text.ts';
import { realMoment } from '../sandbox/clock.ts';
import { durationOf, type ConnectionTimes, type StoredEntry } from '../sandbox/journal-entry.ts';

/** What a row of the journal has. What entries share is there once, and they have its place in the list. */
interface JournalRow {
  /** How many entries there were up to the last of them since the journal was cleared. */
  readonly total: number;
  readonly entries: readonly RowEntry[];
  readonly connections: readonly ConnectionTimes[];
  readonly headers: readonly StoredEntry['requestHeaders'][];
  readonly texts: readonly string[];
}

type RowEntry = Omit<StoredEntry, 'connection' | 'requestHeaders' | 'request' | 'response'> & {
  readonly connection: number;
  readonly requestHeaders: number;
  readonly request: number;
  readonly response: number;
};

/** About as much of each entry is not shared, in characters. */
const ownChars = 500;

/**
 * Converts entries to text. Their times become those of the real clock, which other processes know.
 * Clients repeat themselves, and storing all of every entry took half of the processor time of a read (`npm run
 * bench:hosted`, calls at the owner).
 */
export class RowText {
  readonly #entries: RowEntry[] = [];
  readonly #connections = new Map<ConnectionTimes, number>();
  readonly #headers = new Map<StoredEntry['requestHeaders'], number>();
  readonly #texts = new Map<string, number>();
  #chars = 0;

  get count(): number {
    return this.#entries.length;
  }

  /** About as many as the text will have. */
  get chars(): number {
    return this.#chars + ownChars * this.#entries.length;
  }

  add(entry: StoredEntry): void {
    this.#entries.push({
      ...entry,
      ...timesOf(entry, realMoment),
      connection: placeIn(this.#connections, entry.connection),
      requestHeaders: placeIn(this.#headers, entry.requestHeaders),
      request: this.#placeOf(entry.request),
      response: this.#placeOf(entry.response),
    });
  }

  #placeOf(text: string): number {
    const known = this.#texts.size;
    const place = placeIn(this.#texts, text);
    if (place === known) this.#chars += text.length;
    return place;
  }

  /** `total` is the number of entries up to the last of these since the journal was cleared. */
  text(total: number): string {
    const row: JournalRow = {
      total,
      entries: this.#entries,
      connections: [...this.#connections.keys()].map((one) => timesIn(one, realMoment)),
      headers: [...this.#headers.keys()],
      texts: [...this.#texts.keys()],
    };
    return JSON.stringify(row);
  }
}

const deflate = promisify(deflateRaw);

/**
 * Compresses the text of a row, outside the thread that answers calls. PostgreSQL writes every byte to its log before it
 * confirms the next change, and entries are alike: a row takes a tenth of its text.
 */
export function packed(text: string): Promise<Buffer> {
  return deflate(text, { level: 1 });
}

export function unpacked(row: Buffer): string {
  return inflateRawSync(row).toString('utf8');
}

function placeIn<T>(places: Map<T, number>, value: T): number {
  const known = places.get(value);
  if (known !== undefined) return known;
  places.set(value, places.size);
  return places.size - 1;
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
    // Only `RowText` writes rows.
    const { total, entries, connections, headers, texts } = JSON.parse(row) as JournalRow;
    this.#total = total;
    const lists = headers.map((list) => this.#sharedHeaders(list));
    for (const entry of entries)
      this.entries.push({
        ...entry,
        ...timesOf(entry, stopwatchTime),
        connection: this.#connectionOf(entry, at(connections, entry.connection)),
        requestHeaders: at(lists, entry.requestHeaders),
        request: at(texts, entry.request),
        response: joined(at(texts, entry.response)),
      });
  }

  #connectionOf({ address, port }: RowEntry, real: ConnectionTimes): ConnectionTimes {
    const name = `${address} ${port} ${real.openedMs}`;
    const times = timesIn(real, stopwatchTime);
    const known = this.#connections.get(name) ?? times;
    known.closedMs = times.closedMs;
    this.#connections.set(name, known);
    return known;
  }

  #sharedHeaders(list: readonly string[]): readonly string[] {
    const text = list.join('\n');
    if (this.#headers?.text !== text) this.#headers = { text, list };
    return this.#headers.list;
  }
}

function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error(`A row of the journal lacks value ${place}.`);
  return found;
}

/** Converts a time of the real clock to one of `stopwatch`. */
function stopwatchTime(real: number): number {
  return real - realMoment(0);
}

function timesIn({ openedMs, closedMs }: ConnectionTimes, timeOf: (time: number) => number): ConnectionTimes {
  return { openedMs: timeOf(openedMs), closedMs: closedMs === null ? null : timeOf(closedMs) };
}

/** Converts the times of an entry, apart from those of its connection. */
function timesOf(
  entry: Pick<StoredEntry, 'delivery' | 'receivedMs' | 'durationUs'>,
  timeOf: (time: number) => number,
): Pick<StoredEntry, 'delivery' | 'receivedMs'> {
  const { delivery } = entry;
  const receivedMs = timeOf(entry.receivedMs);
  // Converted on its own, its distance from the other time would be rounded differently.
  return { receivedMs, delivery: delivery && { ...delivery, endedMs: receivedMs + durationOf(entry) } };
}
