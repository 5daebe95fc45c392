import { after } from '../../sandbox/clock.ts';
import type { Child } from '../child.ts';
import type { Invocation } from '../command.ts';

/** Time for a program to exit after SIGTERM. */
const graceMs = 2000;

/** The running programs, each with its process group. */
export class Groups {
  readonly #signal: Invocation['signalGroup'];
  /** The pending SIGKILL of programs that received SIGTERM. */
  readonly #running = new Map<Child, { cancel(): void } | null>();
  #isEnding = false;

  constructor(signalGroup: Invocation['signalGroup']) {
    this.#signal = signalGroup;
  }

  add(child: Child): void {
    this.#running.set(child, null);
    // It was started while all programs were being ended.
    if (this.#isEnding) this.end(child);
  }

  /** Sends SIGTERM to a program's group, then SIGKILL after the grace period. */
  end(child: Child): void {
    if ((this.#running.get(child) ?? null) !== null) return;
    this.#signal(child.pid, 'SIGTERM');
    this.#running.set(
      child,
      after(graceMs, () => this.#kill(child)),
    );
  }

  /** Ends all programs, including those added later. */
  endAll(): void {
    this.#isEnding = true;
    for (const child of this.#running.keys()) this.end(child);
  }

  /** Removes a program that has ended, and kills what it left behind so that it cannot affect later runs. */
  remove(child: Child): void {
    this.#running.get(child)?.cancel();
    this.#running.delete(child);
    this.#kill(child);
  }

  #kill({ pid }: Child): void {
    this.#signal(pid, 'SIGKILL');
  }
}
