import { after } from '../../sandbox/clock.ts';
import type { Child } from '../child.ts';
import type { Invocation } from '../command.ts';

/** Milliseconds that a program has to end when it is asked to. */
const graceMs = 2000;

/** The programs that run, each with all that it has started. */
export class Groups {
  readonly #signal: Invocation['signalGroup'];
  /** What ends the wait of those that were asked to end. */
  readonly #running = new Map<Child, { cancel(): void } | null>();
  #isEnding = false;

  constructor(signalGroup: Invocation['signalGroup']) {
    this.#signal = signalGroup;
  }

  add(child: Child): void {
    this.#running.set(child, null);
    // It was on its way when all were ended.
    if (this.#isEnding) this.end(child);
  }

  /** Asks a program to end, and all that it has started; then makes them. */
  end(child: Child): void {
    if ((this.#running.get(child) ?? null) !== null) return;
    this.#signal(child.pid, 'SIGTERM');
    this.#running.set(
      child,
      after(graceMs, () => this.#kill(child)),
    );
  }

  /** Ends all, and whatever is added from now on. */
  endAll(): void {
    this.#isEnding = true;
    for (const child of this.#running.keys()) this.end(child);
  }

  /** The program has ended: what it left behind ends too, and is in no later run's way. */
  remove(child: Child): void {
    this.#running.get(child)?.cancel();
    this.#running.delete(child);
    this.#kill(child);
  }

  #kill({ pid }: Child): void {
    this.#signal(pid, 'SIGKILL');
  }
}
