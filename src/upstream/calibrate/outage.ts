import { CannotCalibrate } from './cannot-calibrate.ts';
import type { Reply } from './reply.ts';
import { Unreachable } from './upstream.ts';

/** Calls in a row that fail with a server error, or get no response, before the service is checked. */
const maxFailures = 3;

/** Tells an outage from calls that fail one by one, such as those on a connection that a gateway closes. */
export class Outage {
  readonly #base: string;
  readonly #callHarmless: () => Promise<Reply>;
  #failures = 0;

  /** `callHarmless` makes a call that the service accepts as long as it is up. */
  constructor(base: string, callHarmless: () => Promise<Reply>) {
    this.#base = base;
    this.#callHarmless = callHarmless;
  }

  /**
   * Makes a call. Rejects with CannotCalibrate after too many failures in a row if even a harmless call fails.
   * Otherwise the service fails only for some calls.
   */
  async watch(call: () => Promise<Reply>): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await call();
    } catch (error) {
      if (error instanceof Unreachable) await this.#note(true);
      throw error;
    }
    await this.#note(reply.status >= 500);
    return reply;
  }

  async #note(hasFailed: boolean): Promise<void> {
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    if (this.#failures < maxFailures) return;
    this.#failures = 0;
    const failure = await failureOf(this.#callHarmless());
    if (failure === null) return;
    throw new CannotCalibrate(
      `${this.#base} is down: its last ${maxFailures + 1} calls failed, at last with: ${failure}. Run this command again later.`,
    );
  }
}

/** Returns why a call failed; null if it did not. */
async function failureOf(called: Promise<Reply>): Promise<string | null> {
  try {
    const { status } = await called;
    return status < 500 ? null : `HTTP ${status}`;
  } catch (error) {
    if (error instanceof Unreachable) return error.message.replace(/\.$/, '');
    throw error;
  }
}
