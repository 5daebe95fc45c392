import type { Reply } from './reply.ts';
import type { Time } from './time.ts';

/** The service's clock, as its Date headers show it. */
export class ServiceClock {
  readonly #time: Time;
  /** Difference between the service's clock and ours, in milliseconds. */
  #ahead = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Returns the service's time in milliseconds since 1970, to the second. */
  now(): number {
    return this.#time.now() + this.#ahead;
  }

  note({ header }: Reply): void {
    const date = Date.parse(header('date') ?? '');
    if (!Number.isNaN(date)) this.#ahead = date - this.#time.now();
  }

  /** Waits until the clock reaches a second of the current minute, or of the next one if that has passed. */
  async waitForSecond(second: number): Promise<number> {
    const now = this.now();
    const minute = Math.floor(now / 60_000) * 60_000;
    const at = minute + second * 1000 >= now ? minute + second * 1000 : minute + (60 + second) * 1000;
    await this.waitForMoment(at);
    return at - second * 1000;
  }

  /** Waits until the clock shows a time. */
  async waitForMoment(at: number): Promise<void> {
    const seconds = (at - this.now()) / 1000;
    if (seconds > 0) await this.#time.wait(seconds, 'the next call must come at another time of a minute');
  }
}
