import { messageOf } from '../base/message-of.ts';

/** Says once in the log what is wrong with the database, although the server tries again several times a second. */
export class OutageWarnings {
  readonly #warn: (message: string) => void;
  /** What was said since the last success. */
  readonly #said = new Set<string>();
  #isLost = false;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  lost(): void {
    this.#isLost = true;
    this.#say('The connection to the database of --data is lost. The server connects again.');
  }

  notConnected(error: unknown): void {
    const reason = messageOf(error).replace(/\.$/, '');
    this.#say(`The server cannot connect to the database of --data: ${reason}. It tries again.`);
  }

  refused(error: unknown): void {
    this.#say(`The database of --data refuses a statement. The server tries again: ${messageOf(error)}`);
  }

  succeeded(): void {
    if (this.#isLost) this.#warn('The server is connected to the database of --data again.');
    this.#isLost = false;
    this.#said.clear();
  }

  #say(message: string): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.#warn(message);
  }
}
