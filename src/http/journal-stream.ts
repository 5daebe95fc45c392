import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerLimits } from '../base/server-limits.ts';
import { after, stopwatch } from '../sandbox/clock.ts';
import { InFlight } from '../sandbox/in-flight.ts';
import { toEntry, type StoredEntry } from '../sandbox/journal-entry.ts';
import { whenGone } from './server/when-gone.ts';
import { CapacityError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Slices } from '../sandbox/slices.ts';

/** A silent connection is taken for a dead one by some proxies. In milliseconds. */
const heartbeatMs = 15_000;

/** How many heartbeats a client may leave unread (5 minutes) until its stream is ended. */
const maxUnreadBeats = 20;

/** A connection that is full for longer than this has a client that does not read; a burst of calls alone fills one too. In milliseconds. */
const patienceMs = 1_000;

/** The journal streams of one server. */
export class JournalStreams {
  readonly #caps: ServerLimits;
  readonly #slices: Slices;
  readonly #open: InFlight;
  /** The streams of each sandbox, the oldest first. */
  readonly #streams = new Map<Sandbox, Set<JournalStream>>();
  readonly #texts = new EventTexts();

  constructor({ caps, slices }: Sandboxes) {
    this.#caps = caps;
    this.#slices = slices;
    this.#open = new InFlight(caps.journalStreams);
  }

  /**
   * Sends a sandbox's exchanges as server-sent events, as they happen, beginning behind the one that `Last-Event-ID` names. Ends when
   * the client hangs up or no longer reads, the sandbox is removed, or the server stops.
   *
   * @throws CapacityError if there are as many streams as there may be.
   */
  open(sandbox: Sandbox, request: IncomingMessage, response: ServerResponse): void {
    if (!this.#open.take(1) && !this.#makeRoomFor(sandbox)) {
      throw new CapacityError(
        `There are ${this.#open.used} journal streams, the maximum. End one. This is a limit of this server, not of the platform; --max journalStreams=N changes it.`,
      );
    }
    whenGone(response, () => this.#open.give(1));
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    if (request.method === 'HEAD') return void response.end();
    const stream = new JournalStream(sandbox, response, { maxBytes: this.#caps.streamBytes, slices: this.#slices, texts: this.#texts });
    const streams = this.#streams.get(sandbox) ?? new Set();
    this.#streams.set(sandbox, streams.add(stream));
    whenGone(response, () => {
      streams.delete(stream);
      if (streams.size === 0) this.#streams.delete(sandbox);
    });
    stream.begin(request.headers['last-event-id']);
  }

  /** Ends the oldest stream of the sandbox that has most, if it has more than this one would have. Returns false if there is none. */
  #makeRoomFor(sandbox: Sandbox): boolean {
    const own = this.#streams.get(sandbox)?.size ?? 0;
    let most: ReadonlySet<JournalStream> = new Set();
    for (const streams of this.#streams.values()) if (streams.size > most.size) most = streams;
    const [oldest] = most;
    if (oldest === undefined || most.size <= own + 1) return false;
    oldest.cutOff();
    // Its place is free in a moment; until then there is one more.
    this.#open.add(1);
    return true;
  }
}

/** What a stream uses of the server. */
interface StreamParts {
  /** Bytes of exchanges that may be recorded while the client does not read. */
  readonly maxBytes: number;
  readonly slices: Slices;
  readonly texts: EventTexts;
}

/**
 * One client that follows a journal. The stream holds no queue, only its place: the journal is the queue. When the connection can take
 * more, the stream reads the next exchange from the journal, so a client that does not read costs no more than one event.
 */
class JournalStream {
  readonly #sandbox: Sandbox;
  readonly #response: ServerResponse;
  readonly #parts: StreamParts;
  readonly #stopListening: () => void;
  #heartbeat: { cancel(): void };
  /** The place of the exchange that is sent next. */
  #place: number;
  /** When the connection could take no more, as `stopwatch` tells, and the place of the next exchange then; null while it can. */
  #full: { readonly at: number; readonly place: number } | null = null;
  #unreadBeats = 0;
  /** What is sent before the next exchange. */
  #isEmptied = false;
  #gap: { skipped?: number } | null = null;
  /** The wait for the next turn in which it sends. */
  #turn: { cancel(): void } | null = null;

  constructor(sandbox: Sandbox, response: ServerResponse, parts: StreamParts) {
    this.#sandbox = sandbox;
    this.#response = response;
    this.#parts = parts;
    this.#place = sandbox.journal.next;
    this.#heartbeat = after(heartbeatMs, () => this.#beat());
    this.#stopListening = sandbox.journal.listen({
      exchange: () => this.#sendSoon(),
      emptied: () => {
        this.#isEmptied = true;
        this.#gap = null;
        this.#place = sandbox.journal.next;
        this.#sendSoon();
      },
      ended: () => this.end(),
    });
    response.on('drain', () => this.#goOn());
    response.on('error', () => response.destroy());
    whenGone(response, () => this.#leave());
  }

  /** Begins behind the exchange of a request id, if there is one. */
  begin(lastEventId: string | string[] | undefined): void {
    if (typeof lastEventId === 'string' && lastEventId !== '') {
      const { journal } = this.#sandbox;
      const last = journal.placeOf(lastEventId);
      this.#place = last === undefined ? journal.oldest : last + 1;
      // How many are missing is not known: the exchange may be one of another run of the server.
      if (last === undefined) this.#gap = {};
    }
    this.#write(': exchanges, one event each\n\n');
    this.#send();
  }

  /** Sends what the connection takes at once, and ends. */
  end(): void {
    if (this.#response.writableEnded) return;
    this.#send();
    this.#response.end();
  }

  /** Ends at once, even if the client does not read. Clients that follow a journal connect again. */
  cutOff(): void {
    this.#response.req.socket.destroy();
  }

  /** In a turn of its own, so that the call that is recorded does not wait for those who watch. */
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
    const kept = journal.at(this.#place);
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

  /** The client has read. It gets everything from where it is, unless too much was recorded while it did not read. */
  #goOn(): void {
    const { journal } = this.#sandbox;
    const full = this.#full;
    this.#full = null;
    this.#unreadBeats = 0;
    if (full !== null && stopwatch() - full.at >= patienceMs && journal.bytesFrom(full.place) > this.#parts.maxBytes) {
      const place = journal.placeWithin(this.#parts.maxBytes);
      if (place > this.#place) this.#skipTo(place);
    }
    this.#send();
  }

  #beat(): void {
    if (this.#full !== null || this.#response.writableEnded) {
      this.#unreadBeats += 1;
      if (this.#unreadBeats >= maxUnreadBeats) return this.cutOff();
    } else {
      // A client that follows a sandbox uses it.
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

/** Characters of all texts that are remembered. */
const maxRemembered = 1_048_576;

/** The texts of the latest events, so that clients at the same place share them. */
class EventTexts {
  readonly #texts = new Map<StoredEntry, string>();
  #length = 0;

  of(kept: StoredEntry): string {
    const known = this.#texts.get(kept);
    if (known !== undefined) return known;
    const entry = toEntry(kept);
    const text = `id: ${entry.requestId}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
    this.#texts.set(kept, text);
    this.#length += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= maxRemembered) break;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
    return text;
  }
}
