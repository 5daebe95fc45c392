import { operationFacts } from '../../contract/generated/facts.ts';
import { costOf, RecentCalls, windowSeconds, type RecentCall } from './recent-calls.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import { CannotCalibrate } from './cannot-calibrate.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import { Acceptance } from './acceptance.ts';
import type { EarlierCalls } from './earlier-calls.ts';
import { Outage } from './outage.ts';
import { describeReply, resultOf, type Reply } from './reply.ts';
import { isThrottled, Patience } from './retry-after.ts';
import { ServiceClock } from './service-clock.ts';
import { shown } from './shown-text.ts';
import type { Time } from './time.ts';
import { Unreachable, type Request, type Upstream } from './upstream.ts';

/** Pause before a call that failed with a server error is repeated. */
const repeatSeconds = 1;

/** A call that the service accepts as long as it is up and accepts the key. */
export const harmless: Request = { operation: 'get-all-live-events' };

/** What came before. */
interface Before {
  /** The calls of a run that was interrupted. */
  readonly recent?: readonly RecentCall[];
  /** The calls of other commands. Null to take each refusal as a result, as `calibrate` has to. */
  readonly earlierCalls?: EarlierCalls | null;
  /** What to do after the command has stopped because it waited too long. */
  readonly onward?: string;
}

/** Sends one call at a time with a pause in between, and stays within the documented limits. */
export class Pace {
  readonly clock: ServiceClock;
  readonly #upstream: Upstream;
  readonly #time: Time;
  readonly #pauseSeconds: number;
  readonly #recent: RecentCalls;
  #lastAt = Number.NEGATIVE_INFINITY;
  #calls = 0;
  readonly #outage: Outage;
  readonly #patience: Patience;
  #throttled: Reply | 'taken' | null = null;
  readonly #mask: Mask;
  readonly #earlierCalls: EarlierCalls | null;
  readonly #acceptance = new Acceptance();
  /** When a call was last made regardless of the limits. */
  #atOnceAt = Number.NEGATIVE_INFINITY;

  constructor(
    upstream: Upstream,
    time: Time,
    pauseSeconds: number,
    mask: Mask,
    { recent = [], earlierCalls = null, onward = 'Run this command again later.' }: Before = {},
  ) {
    this.#upstream = upstream;
    this.#time = time;
    this.clock = new ServiceClock(time);
    this.#pauseSeconds = pauseSeconds;
    this.#mask = mask;
    this.#recent = new RecentCalls(() => time.now(), recent);
    this.#earlierCalls = earlierCalls;
    this.#patience = new Patience(upstream.base, onward);
    this.#outage = new Outage(upstream.base, () => this.#checkUp());
  }

  /** The calls of the last minute. */
  get recent(): readonly RecentCall[] {
    return this.#recent.all;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Returns the first response that throttled a call although the pace keeps the limits, once; otherwise null. */
  takeThrottled(): Reply | null {
    const reply = this.#throttled === 'taken' ? null : this.#throttled;
    if (reply !== null) this.#throttled = 'taken';
    return reply;
  }

  /** The URL of the service, before `/public/…`. */
  get base(): string {
    return this.#upstream.base;
  }

  /** The first call that succeeded. */
  get knownGood(): Request {
    return this.#acceptance.knownGood ?? harmless;
  }

  /** Whether a call has succeeded since the last one that did not. */
  get isSettled(): boolean {
    return this.#acceptance.isSettled;
  }

  /**
   * Makes a call within the limits. Repeats it once if it is throttled or fails with a server error, or reads only and
   * the connection drops. Rejects with Unreachable if there is still no response, and with CannotCalibrate if the
   * service is down, requires a long wait, or accepts no more.
   */
  async call(request: Request): Promise<Reply> {
    await this.#makeRoom(request);
    const reply = await this.#outage.watch(async () =>
      this.#repeated(request, await this.#sendAgain(request)),
    );
    if (this.#acceptance.isDoubtful(request, reply)) await this.requireAccepted();
    return reply;
  }

  /** Rejects with CannotCalibrate if the service no longer accepts the first call that it accepted. */
  async requireAccepted(): Promise<void> {
    if (this.#acceptance.knownGood === null) return;
    let reply = await this.#checked();
    if (resultOf(reply) === null && this.#time.now() < this.#atOnceAt + windowSeconds * 1000) {
      // A probe has exceeded a limit, which may be one of all operations.
      await this.#time.wait(
        windowSeconds,
        `${this.knownGood.operation} is refused, perhaps because of a limit that a probe has exceeded`,
      );
      reply = await this.#checked();
    }
    if (resultOf(reply) !== null) return this.#acceptance.confirm();
    const now = shown(describeReply(reply), this.#mask);
    const { operation } = this.knownGood;
    throw new CannotCalibrate(
      `${this.base} no longer accepts calls: ${operation} succeeded before, and now returns ${now}. No result was written.${this.adviceOn(this.knownGood, reply)} Run this command again when the service accepts them.`,
    );
  }

  /** Says that the service may have throttled a call; empty if its reply does not look so. */
  adviceOn(request: Request, reply: Reply): string {
    return this.#earlierCalls?.advice(request, reply) ?? '';
  }

  async #checked(): Promise<Reply> {
    await this.#makeRoom(this.knownGood);
    return this.#repeated(this.knownGood, await this.#sendAgain(this.knownGood));
  }

  /** Makes a call regardless of the limits, after at most a quarter of a second. */
  async callAtOnce(request: Request): Promise<Reply> {
    const reply = await this.#send(request, Math.min(this.#pauseSeconds, 0.25));
    this.#atOnceAt = this.#time.now();
    this.#acceptance.note(request, reply);
    return reply;
  }

  async read(url: string): Promise<Reply> {
    const read = async (): Promise<Reply> => {
      await this.#pause(this.#pauseSeconds);
      return this.#upstream.read(url);
    };
    return this.#onceMore(read);
  }

  /** Waits between the calls of a probe. */
  rest(seconds: number): Promise<void> {
    return this.#time.wait(seconds, 'the next call of a probe must be later');
  }

  /** Waits until no earlier call to an operation counts. */
  async settle(operation: OperationName): Promise<void> {
    const why = `${operation}: the next probe needs its whole limit`;
    await this.#waitUntil(this.#recent.clearAt(operation), why);
  }

  /** Makes a call. Repeats it if the connection is dropped, unless it writes: then it may have taken effect. */
  #sendAgain(request: Request): Promise<Reply> {
    const send = (): Promise<Reply> => this.#send(request, this.#pauseSeconds);
    return operationFacts[request.operation].writes ? send() : this.#onceMore(send);
  }

  /** Repeats a read if the connection was dropped, but not if the response took too long or was too large. */
  async #onceMore(read: () => Promise<Reply>): Promise<Reply> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unreachable) || !error.isDropped) throw error;
      await this.#time.wait(repeatSeconds);
      return read();
    }
  }

  /** Repeats a call once if it was throttled or failed with a server error, and once if earlier calls may count. */
  async #repeated(request: Request, reply: Reply): Promise<Reply> {
    const secondsLeft = isThrottled(reply) ? null : this.#earlierCalls?.secondsLeft(request, reply);
    if (typeof secondsLeft === 'number') {
      const what =
        reply.status === 200 ? 'the output reports an error' : `the service returned HTTP ${reply.status}`;
      const why = `${request.operation}: ${what}, perhaps because calls before this run have used up its limit`;
      await this.#time.wait(secondsLeft, why);
      return this.#repeated(request, await this.#send(request, this.#pauseSeconds));
    }
    if (!isThrottled(reply) && reply.status < 500) return reply;
    // A batch may exceed the documented limit by itself.
    if (reply.status === 429 && costOf(request) === 1) this.#throttled ??= reply;
    const seconds = isThrottled(reply) ? this.#patience.secondsToWait(reply, windowSeconds) : repeatSeconds;
    await this.#time.wait(seconds, `${request.operation}: the service returned HTTP ${reply.status}`);
    return this.#sendAgain(request);
  }

  async #checkUp(): Promise<Reply> {
    await this.#makeRoom(harmless);
    return this.#sendAgain(harmless);
  }

  async #send(request: Request, pauseSeconds: number): Promise<Reply> {
    await this.#pause(pauseSeconds);
    this.#calls += 1;
    const entry = { at: this.#time.now(), cost: costOf(request) };
    this.#recent.add(request.operation, entry);
    const reply = await this.#upstream.call(request);
    this.clock.note(reply, entry.at);
    if (reply.status === 429 && costOf(request) === 1) this.#recent.learnLimit(request.operation);
    return reply;
  }

  async #pause(seconds: number): Promise<void> {
    await this.#waitUntil(this.#lastAt + seconds * 1000, 'the pause between calls (--pace)');
    this.#lastAt = this.#time.now();
  }

  async #waitUntil(at: number, why: string): Promise<void> {
    const seconds = (at - this.#time.now()) / 1000;
    if (seconds > 0 && Number.isFinite(seconds)) await this.#time.wait(seconds, why);
  }

  /** Waits until the call is within the documented limit. */
  async #makeRoom(request: Request): Promise<void> {
    const { operation } = request;
    const limit = this.#recent.limitOf(operation);
    const why = `${operation}: its limit of ${limit} calls per minute is used up`;
    await this.#waitUntil(this.#recent.roomAt(request), why);
  }
}
