import type { Reply } from './reply.ts';
import type { Time } from './time.ts';

/** A Date header is truncated to the second. */
const secondMs = 1000;

/** Date headers further apart than this come from a clock that jumps, or from several. */
const toleranceMs = 3000;

/** The service's clock, as its Date headers show it. */
export class ServiceClock {
  readonly #time: Time;
  /** By how much the service's clock is ahead of ours at least, by each reply: the least and the greatest. */
  #leastAhead = Number.POSITIVE_INFINITY;
  #greatestAhead = Number.NEGATIVE_INFINITY;
  /** By how much it is ahead at most, by the reply that shows the least. */
  #atMostAhead = Number.POSITIVE_INFINITY;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Whether a reply has shown the service's time. */
  get isKnown(): boolean {
    return Number.isFinite(this.#greatestAhead);
  }

  /** Why no conclusion can be drawn from the service's time; null if its clock is steady. */
  get doubt(): string | null {
    if (!this.isKnown) return 'the service sends no Date header, so the time on its clock is not known';
    const apartMs = this.#greatestAhead - this.#atMostAhead;
    return apartMs <= toleranceMs
      ? null
      : `the Date headers of the service differ by ${Math.round(apartMs / 1000)} s from one reply to another, so the time on its clock is not known`;
  }

  /** Returns the service's time in milliseconds since 1970; the latest one if its replies differ. */
  latest(): number {
    return this.#time.now() + this.#ahead(this.#greatestAhead);
  }

  /** Returns the service's time in milliseconds since 1970; the earliest one if its replies differ. */
  earliest(): number {
    return this.#time.now() + this.#ahead(this.#leastAhead);
  }

  /** Notes the Date header of a reply to a request that was sent at a time on our clock. */
  note({ header }: Reply, sentAt: number): void {
    const date = Date.parse(header('date') ?? '');
    if (Number.isNaN(date)) return;
    // The service may have set it at any time between the request and the end of its reply.
    const atLeast = date - this.#time.now();
    this.#leastAhead = Math.min(this.#leastAhead, atLeast);
    this.#greatestAhead = Math.max(this.#greatestAhead, atLeast);
    this.#atMostAhead = Math.min(this.#atMostAhead, date + secondMs - sentAt);
  }

  /**
   * Waits until the service's clock reaches a second of the current minute, or of the next one if that has passed.
   * Returns when that minute began, on our clock: it does not jump.
   */
  async waitForSecond(second: number): Promise<number> {
    const [ours, theirs] = [this.#time.now(), this.latest()];
    const minute = Math.floor(theirs / 60_000) * 60_000;
    const at = minute + second * 1000 >= theirs ? minute : minute + 60_000;
    const began = at - (theirs - ours);
    await this.waitForMoment(began + second * 1000);
    return began;
  }

  /** Waits until our clock shows a time. */
  async waitForMoment(at: number): Promise<void> {
    const seconds = (at - this.#time.now()) / 1000;
    if (seconds > 0) await this.#time.wait(seconds, 'the next call must come at another time of a minute');
  }

  /** Whether our clock is past a time. */
  isPast(at: number): boolean {
    return this.#time.now() > at;
  }

  #ahead(ahead: number): number {
    return Number.isFinite(ahead) ? ahead : 0;
  }
}
