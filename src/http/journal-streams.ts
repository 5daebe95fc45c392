import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerLimits } from '../base/server-limits.ts';
import { InFlight } from '../sandbox/in-flight.ts';
import { whenGone } from './server/when-gone.ts';
import { CapacityError } from '../base/errors.ts';
import type { FollowedJournal } from '../control/route.ts';
import { toEntry } from '../sandbox/journal-entry.ts';
import { toSummary } from '../sandbox/journal-summary.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Slices } from '../sandbox/slices.ts';
import { JournalStream, EventTexts } from './journal-stream.ts';

/** The journal streams of one server. */
export class JournalStreams {
  readonly #caps: ServerLimits;
  readonly #slices: Slices;
  readonly #open: InFlight;
  /** The streams of each sandbox, oldest first. */
  readonly #streams = new Map<Sandbox, Set<JournalStream>>();
  readonly #texts = new EventTexts(toEntry);
  readonly #summaries = new EventTexts(toSummary);

  constructor({ caps, slices }: Sandboxes) {
    this.#caps = caps;
    this.#slices = slices;
    this.#open = new InFlight(caps.journalStreams);
  }

  /**
   * Sends the journal entries of a sandbox as server-sent events, starting after the one in `Last-Event-ID`.
   * Ends when the client disconnects or stops reading, the sandbox is deleted, or the server stops.
   *
   * @throws CapacityError if the maximum number of streams is open.
   */
  open({ sandbox, isSummary }: FollowedJournal, request: IncomingMessage, response: ServerResponse): void {
    if (!this.#open.take(1) && !this.#makeRoomFor(sandbox)) {
      throw new CapacityError(
        `There are already ${this.#open.used} journal streams, the maximum. Close one. This is a limit of this server, not of the platform; --max journalStreams=N changes it.`,
      );
    }
    whenGone(response, () => this.#open.give(1));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') return void response.end();
    const stream = new JournalStream(sandbox, response, {
      maxBytes: this.#caps.streamBytes,
      slices: this.#slices,
      texts: isSummary ? this.#summaries : this.#texts,
    });
    const streams = this.#streams.get(sandbox) ?? new Set();
    this.#streams.set(sandbox, streams.add(stream));
    whenGone(response, () => {
      streams.delete(stream);
      if (streams.size === 0) this.#streams.delete(sandbox);
    });
    stream.begin(request.headers['last-event-id']);
  }

  /**
   * Ends the oldest stream of the sandbox with the most streams, if it has more than this one would have.
   * Returns false if not.
   */
  #makeRoomFor(sandbox: Sandbox): boolean {
    const own = this.#streams.get(sandbox)?.size ?? 0;
    let most: ReadonlySet<JournalStream> = new Set();
    for (const streams of this.#streams.values()) if (streams.size > most.size) most = streams;
    const [oldest] = most;
    if (oldest === undefined || most.size <= own + 1) return false;
    oldest.cutOff();
    // It ends a moment later; until then there is one stream too many.
    this.#open.add(1);
    return true;
  }
}
