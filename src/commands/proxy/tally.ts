import { oneLine } from '../../base/escape.ts';
import { sentence, type Violation } from '../../base/violation.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { requestIdOf } from '../../sandbox/journal-entry.ts';

/** Maximum length of a line. */
const maxLineChars = 2000;

/** Maximum number of different requests outside the contract to print. */
const maxOthers = 20;

/** Prints findings while a proxy runs, and sums them up at the end. */
export class Tally {
  readonly #err: (text: string) => void;
  readonly #others = new Map<string, number>();
  #calls = 0;
  #brokenRequests = 0;
  #brokenResponses = 0;
  #differing = 0;
  #unanswered = 0;
  #unchecked = 0;

  constructor(err: (text: string) => void) {
    this.#err = err;
  }

  readonly exchange = ({ kept, answered, unchecked }: PassedExchange): void => {
    const { violations, responseViolations = [], responseDifferences = [], refusal } = kept;
    this.#calls += 1;
    if (violations.length > 0) this.#brokenRequests += 1;
    if (responseViolations.length > 0) this.#brokenResponses += 1;
    if (responseDifferences.length > 0) this.#differing += 1;
    if (answered === null && refusal !== 'request-violation') this.#unanswered += 1;
    if (unchecked.length > 0) this.#unchecked += 1;
    const name = `${requestIdOf(kept.sandboxId, kept.number)} ${kept.operation}`;
    this.#tell(name, 'request', violations);
    this.#tell(name, 'response', responseViolations);
    this.#tell(name, 'response', responseDifferences, '≠');
    if (refusal === 'upstream-timeout' || refusal === 'upstream-failed')
      this.#line(`✗ ${name}: no response from the service (${refusal}, HTTP ${kept.status})`);
    for (const what of unchecked) this.#line(`– ${name}: ${what}`);
  };

  readonly passedBy = (method: string, path: string, status: number): void => {
    // A path is client input of any length.
    const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
    const request = `${method} ${shown}`;
    const before = this.#others.get(request) ?? 0;
    if (before === 0 && this.#others.size >= maxOthers) return;
    this.#others.set(request, before + 1);
    if (before === 0)
      this.#line(`– ${request} is not in the contract; it was forwarded unchecked and returned ${status}`);
  };

  /** Returns a summary in one line. */
  summary(upstream: string): string {
    const others = [...this.#others.values()].reduce((sum, count) => sum + count, 0);
    const parts = [
      `${this.#brokenRequests} with an invalid request`,
      `${this.#brokenResponses} with an invalid response`,
      ...(this.#differing === 0
        ? []
        : [`${this.#differing} with a response that differs from the sandbox's assumptions`]),
      ...(this.#unanswered === 0 ? [] : [`${this.#unanswered} without a response from the service`]),
      ...(this.#unchecked === 0 ? [] : [`${this.#unchecked} not fully checked`]),
    ];
    const calls = `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const rest =
      others === 0
        ? ''
        : ` ${others} other ${others === 1 ? 'request was' : 'requests were'} forwarded unchecked.`;
    return `${calls} for ${upstream}: ${parts.join(', ')}.${rest}\n`;
  }

  #tell(
    name: string,
    side: 'request' | 'response',
    violations: readonly Violation[],
    sign: '✗' | '≠' = '✗',
  ): void {
    const [first] = violations;
    if (first === undefined) return;
    const more = violations.length === 1 ? '' : ` (and ${violations.length - 1} more)`;
    this.#line(`${sign} ${name} ${side}: ${sentence(first, `the ${side}`)}${more}`);
  }

  /**
   * Prints one line without control characters, because input from clients and services must not control the
   * terminal.
   */
  #line(text: string): void {
    this.#err(`${oneLine(text, maxLineChars)}\n`);
  }
}
