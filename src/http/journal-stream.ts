import type { ServerResponse } from 'node:http';
import { after, stopwatch } from '../sandbox/clock.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import { whenGone } from './server/when-gone.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Slices } from '../sandbox/slices.ts';
import { BoundedMap } from '../base/bounded-map.ts';

/** The interval of heartbeats, in milliseconds. Some proxies close silent connections. */
const heartbeatMs = 15_000;

/** The number of unread heartbeats (5 minutes) after which a stream ends. */
const maxUnreadBeats = 20;

/**
 * If a connection is full for longer than this, in milliseconds, its client does not read. A short burst of
 * calls also fills it.
 */
const patienceMs = 1_000;

/** The parts of the server that a stream uses. */
interface StreamParts {
  /** The maximum number of bytes that may be appended while the client does not read. */
  readonly maxBytes: number;
  readonly slices: Slices;
  readonly texts: EventTexts;
}

/**
 * One client that follows a journal. The stream has no queue, only its position in the journal. When the
 * connection can take more, the stream reads the next entry from the journal, so that a client that does not
 * read occupies the memory of only one event.
 */
export class JournalStream {
  readonly #sandbox: Sandbox;
  readonly #response: ServerResponse;
  readonly #parts: StreamParts;
  readonly #stopListening: () => void;
  #heartbeat: { cancel(): void };
  /** The position of the next entry to send. */
  #place: number;
  /**
   * When the connection became full (by `stopwatch`), and the position of the next entry then; null if it is
   * not full.
   */
  #full: { readonly at: number; readonly place: number } | null = null;
  #unreadBeats = 0;
  /** The event to send before the next entry. */
  #isEmptied = false;
  #gap: { skipped?: number } | null = null;
  /** The timer of the next turn in which it sends. */
  #turn: { cancel(): void } | null = null;

  constructor(sandbox: Sandbox, response: ServerResponse, parts: StreamParts) {
    this.#sandbox = sandbox;
    this.#response = response;
    this.#parts = parts;
    this.#place = sandbox.journal.next;
    this.#heartbeat = after(heartbeatMs, () => this.#beat());
    this.#stopListening = sandbox.journal.listen({
      exchange: () => this.#sendSoon(),
      stored: () => this.#sendSoon(),
      emptied: () => {
        this.#isEmptied = true;
        this.#gap = null;
        // After a restore, the journal already has the entries of before.
        this.#place = sandbox.journal.oldest;
        this.#sendSoon();
      },
      ended: () => this.end(),
    });
    response.on('drain', () => this.#resume());
    response.on('error', () => response.destroy());
    whenGone(response, () => this.#leave());
  }

  /** Starts after the entry with a request id, if it exists. */
  begin(lastEventId: string | string[] | undefined): void {
    if (typeof lastEventId === 'string' && lastEventId !== '') {
      const { journal } = this.#sandbox;
      const last = journal.placeOf(lastEventId);
      this.#place = last === undefined ? journal.oldest : last + 1;
      // The number of missing entries is unknown: the id may be from an earlier run of the server.
      if (last === undefined) this.#gap = {};
    }
    this.#write(': exchanges, one event each\n\n');
    this.#send();
  }

  /** Sends as much as the connection takes at once, and ends. */
  end(): void {
    if (this.#response.writableEnded) return;
    this.#send();
    this.#response.end(this.#sandbox.journal.isOver ? 'event: removed\ndata: {}\n\n' : '');
  }

  /** Ends at once, even if the client does not read. Clients that follow a journal reconnect. */
  cutOff(): void {
    this.#response.req.socket.destroy();
  }

  /** Sends in a separate turn, so that the appended call does not wait for its followers. */
  #sendSoon(): void {
    if (this.#full === null) this.#turn ??= this.#parts.slices.next(() => this.#send());
  }

  #send(): void {
    this.#turn?.cancel();
    this.#turn = null;
    while (this.#full === null && !this.#response.writableEnded) {
      const event = this.#nextEvent();
      if (event === null) return;
      this.#write(event);
      if (this.#parts.slices.isOver()) return this.#sendSoon();
    }
  }

  #nextEvent(): string | null {
    const { journal } = this.#sandbox;
    if (this.#isEmptied) {
      this.#isEmptied = false;
      return 'event: emptied\ndata: {}\n\n';
    }
    if (this.#place < journal.oldest) this.#skipTo(journal.oldest);
    if (this.#gap !== null) {
      const event = `event: gap\ndata: ${JSON.stringify({ evicted: journal.evicted, ...this.#gap })}\n\n`;
      this.#gap = null;
      return event;
    }
    // What is not stored is missing after a crash, so a client that continues elsewhere must not know it.
    const kept = this.#place < journal.storedBefore ? journal.at(this.#place) : undefined;
    if (kept === undefined) return null;
    this.#place += 1;
    return this.#parts.texts.of(kept);
  }

  #skipTo(place: number): void {
    this.#gap = { skipped: (this.#gap?.skipped ?? 0) + place - this.#place };
    this.#place = place;
  }

  #write(text: string): void {
    if (!this.#response.write(text)) this.#full = { at: stopwatch(), place: this.#sandbox.journal.next };
  }

  /**
   * Continues after the client has read. It receives all further entries, unless too much was appended while
   * it did not read.
   */
  #resume(): void {
    const { journal } = this.#sandbox;
    const full = this.#full;
    this.#full = null;
    this.#unreadBeats = 0;
    if (
      full !== null &&
      stopwatch() - full.at >= patienceMs &&
      journal.bytesFrom(full.place) > this.#parts.maxBytes
    ) {
      const place = journal.placeWithin(this.#parts.maxBytes);
      if (place > this.#place) this.#skipTo(place);
    }
    // Many clients can have read at the same moment.
    if (this.#parts.slices.isOver()) this.#sendSoon();
    else this.#send();
  }

  #beat(): void {
    if (this.#full !== null || this.#response.writableEnded) {
      this.#unreadBeats += 1;
      if (this.#unreadBeats >= maxUnreadBeats) return this.cutOff();
    } else {
      // Following a sandbox counts as use: it does not expire, and a full server removes it last.
      this.#sandbox.touch();
      this.#write(': still here\n\n');
    }
    this.#heartbeat = after(heartbeatMs, () => this.#beat());
  }

  #leave(): void {
    this.#heartbeat.cancel();
    this.#turn?.cancel();
    this.#stopListening();
  }
}

/** The maximum number of characters of all cached texts. */
const maxRemembered = 1_048_576;

/** Caches the texts of the latest events, so that clients at the same position share them. */
export class EventTexts {
  readonly #form: (kept: StoredEntry) => { readonly requestId: string };
  readonly #texts = new BoundedMap<StoredEntry, string>(maxRemembered, ({ length }) => length);

  /** `form` returns the data of an event. */
  constructor(form: (kept: StoredEntry) => { readonly requestId: string }) {
    this.#form = form;
  }

  of(kept: StoredEntry): string {
    const known = this.#texts.get(kept);
    if (known !== undefined) return known;
    const entry = this.#form(kept);
    const text = `id: ${entry.requestId}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
    this.#texts.set(kept, text);
    return text;
  }
}
