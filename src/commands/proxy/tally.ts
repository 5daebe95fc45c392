import { sentence, type Violation } from '../../base/violation.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { requestIdOf } from '../../sandbox/journal-entry.ts';

/** Requests that are no calls, told one by one. */
const maxOthers = 20;

/** What a proxy tells while it runs, and what it has come to at the end. */
export class Tally {
  readonly #err: (text: string) => void;
  readonly #others = new Map<string, number>();
  #calls = 0;
  #brokenRequests = 0;
  #brokenResponses = 0;
  #unanswered = 0;
  #unchecked = 0;

  constructor(err: (text: string) => void) {
    this.#err = err;
  }

  readonly exchange = ({ kept, answered, unchecked }: PassedExchange): void => {
    const { violations, responseViolations = [], refusal } = kept;
    this.#calls += 1;
    if (violations.length > 0) this.#brokenRequests += 1;
    if (responseViolations.length > 0) this.#brokenResponses += 1;
    if (answered === null && refusal !== 'request-violation') this.#unanswered += 1;
    if (unchecked.length > 0) this.#unchecked += 1;
    const name = `${requestIdOf(kept.sandboxId, kept.number)} ${kept.operation}`;
    this.#tell(name, 'request', violations);
    this.#tell(name, 'response', responseViolations);
    if (refusal === 'upstream-timeout' || refusal === 'upstream-failed')
      this.#line(`✗ ${name}: no reply of the upstream (${refusal}, HTTP ${kept.status})`);
    for (const what of unchecked) this.#line(`– ${name}: ${what}`);
  };

  readonly passedBy = (method: string, path: string, status: number): void => {
    // A path is the client's own words, and may hold anything.
    const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
    const request = `${method} ${shown}`;
    const before = this.#others.get(request) ?? 0;
    if (before === 0 && this.#others.size >= maxOthers) return;
    this.#others.set(request, before + 1);
    if (before === 0) this.#line(`– ${request} is no call of the contract; it was passed on unchecked, and answered with ${status}`);
  };

  /** What it has come to, in a line or two. */
  summary(upstream: string): string {
    const others = [...this.#others.values()].reduce((sum, count) => sum + count, 0);
    const parts = [
      `${this.#brokenRequests} whose request broke the contract`,
      `${this.#brokenResponses} whose response did`,
      ...(this.#unanswered === 0 ? [] : [`${this.#unanswered} without a reply of the upstream`]),
      ...(this.#unchecked === 0 ? [] : [`${this.#unchecked} not checked in full`]),
    ];
    const calls = `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const rest = others === 0 ? '' : ` ${others} other ${others === 1 ? 'request was' : 'requests were'} passed on unchecked.`;
    return `${calls} for ${upstream}: ${parts.join(', ')}.${rest}\n`;
  }

  #tell(name: string, side: 'request' | 'response', violations: readonly Violation[]): void {
    const [first] = violations;
    if (first === undefined) return;
    const more = violations.length === 1 ? '' : ` (and ${violations.length - 1} more)`;
    this.#line(`✗ ${name} ${side}: ${sentence(first, `the ${side}`)}${more}`);
  }

  /** Nothing of what clients and services send may move the cursor of a terminal. */
  #line(text: string): void {
    this.#err(`${text.replaceAll(/\p{Cc}+/gu, ' ')}\n`);
  }
}
