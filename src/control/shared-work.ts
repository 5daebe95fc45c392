import type { Report } from '../report/report.ts';
import { inNextTurn } from '../sandbox/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { AbandonedError } from './work.ts';

interface Client<T> {
  readonly isGone: () => boolean;
  readonly settle: (result: Promise<T>) => void;
}

/**
 * Work whose result is the same for every client that waits for it. Clients that arrive while it is in
 * progress share the next one, so that many requests cost hardly more than two.
 */
export class SharedWork<T> {
  #last: Promise<unknown> = Promise.resolve();
  #next: Client<T>[] | null = null;

  /**
   * Does the work, or joins work that has not begun. `work` receives a function that returns whether every
   * client is gone. Each client continues in a turn of the event loop of its own, because it then sends the
   * result. Rejects with AbandonedError if the client is gone.
   */
  run(isGone: () => boolean, work: (areGone: () => boolean) => Promise<T>): Promise<T> {
    return new Promise<T>((settle) => {
      const client = { isGone, settle };
      if (this.#next !== null) return void this.#next.push(client);
      const clients: Client<T>[] = [client];
      this.#next = clients;
      const begin = (): Promise<T> => {
        this.#next = null;
        return work(areGone(clients));
      };
      const result = this.#last.then(begin, begin);
      // Without the result, which may be large: it is passed on to the clients, and so is a failure.
      this.#last = result.then(
        () => undefined,
        () => undefined,
      );
      void this.#last.then(() => release(clients.values(), result));
    });
  }
}

/** A client that is gone stays gone, so it is asked once. */
function areGone(clients: readonly Pick<Client<unknown>, 'isGone'>[]): () => boolean {
  let gone = 0;
  return () => {
    while (clients[gone]?.isGone() === true) gone += 1;
    return gone === clients.length;
  };
}

/** Passes the result on to one client after another. */
function release<T>(clients: Iterator<Client<T>>, result: Promise<T>): void {
  for (let next = clients.next(); next.done !== true; next = clients.next()) {
    const { isGone, settle } = next.value;
    if (!isGone()) {
      settle(result);
      return void inNextTurn(() => release(clients, result));
    }
    settle(Promise.reject(new AbandonedError('The client has disconnected.')));
  }
}

/** The reports in progress: one for each sandbox, and one on all of them. */
export class SharedReports {
  readonly ofAll = new SharedWork<Report>();
  readonly #perSandbox = new WeakMap<Sandbox, SharedWork<Report>>();
  readonly #texts = new WeakMap<Report, Map<string, string>>();

  of(sandbox: Sandbox): SharedWork<Report> {
    const known = this.#perSandbox.get(sandbox);
    if (known !== undefined) return known;
    const work = new SharedWork<Report>();
    this.#perSandbox.set(sandbox, work);
    return work;
  }

  /** Renders a report, or returns the text that another client has with the same `key`. */
  textOf(report: Report, key: string, render: () => string): string {
    const texts = this.#texts.get(report) ?? new Map<string, string>();
    this.#texts.set(report, texts);
    const text = texts.get(key) ?? render();
    texts.set(key, text);
    return text;
  }
}
