import type { Report } from '../report/report.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/**
 * Work whose result is the same for every client that waits for it. Clients that arrive while it is in
 * progress share the next one, so that many requests cost hardly more than two.
 */
export class SharedWork<T> {
  #last: Promise<unknown> = Promise.resolve();
  #next: { readonly result: Promise<T>; readonly clients: (() => boolean)[] } | null = null;

  /**
   * Does the work, or joins work that has not begun. `work` receives a function that returns whether every
   * client is gone.
   */
  run(isGone: () => boolean, work: (areGone: () => boolean) => Promise<T>): Promise<T> {
    if (this.#next !== null) {
      this.#next.clients.push(isGone);
      return this.#next.result;
    }
    const clients = [isGone];
    const begin = (): Promise<T> => {
      this.#next = null;
      return work(() => areGone(clients));
    };
    const result = this.#last.then(begin, begin);
    this.#last = result;
    this.#next = { result, clients };
    return result;
  }
}

function areGone(clients: (() => boolean)[]): boolean {
  while (clients.at(-1)?.() === true) clients.pop();
  return clients.length === 0;
}

/** The reports in progress: one for each sandbox, and one on all of them. */
export class SharedReports {
  readonly ofAll = new SharedWork<Report>();
  readonly #perSandbox = new WeakMap<Sandbox, SharedWork<Report>>();

  of(sandbox: Sandbox): SharedWork<Report> {
    const known = this.#perSandbox.get(sandbox);
    if (known !== undefined) return known;
    const work = new SharedWork<Report>();
    this.#perSandbox.set(sandbox, work);
    return work;
  }
}
