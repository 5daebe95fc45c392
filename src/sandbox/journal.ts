import type { AssumptionName } from '../assumptions.ts';
import { fromWire, type WireText } from './wire-text.ts';

/** What became of one element. */
type ElementOutcome = 'ok' | 'error';

/** A fault that hit a call. */
export interface InjectedFault {
  readonly fault: string;
  readonly phase: 'before' | 'after';
  /** The rule that let it loose; null where the call asked for it itself. */
  readonly rule: string | null;
}

/** One exchange with a client, for people and programs to read; the key is nowhere whole. */
export interface JournalEntry {
  readonly requestId: string;
  /** The sandbox's time when the call came, ISO 8601. */
  readonly at: string;
  /** Real milliseconds from the end of the request to the reply. */
  readonly durationMs: number;
  readonly operation: string;
  /** The school's slug; null where the key named none. */
  readonly school: string | null;
  /** The key, shortened; null where none came. */
  readonly key: string | null;
  readonly address: string;
  /** 0 where a fault kept any from being sent. */
  readonly status: number;
  /**
   * `client-gone` where the client did not wait for its turn, `fault` where faults were injected, the kind of refusal,
   * `element-error` where an output is an error, else `ok`.
   */
  readonly outcome: string;
  /** What became of each element; none where the operation did not run, or nothing of it took effect. */
  readonly outcomes: readonly ElementOutcome[];
  readonly faults: readonly InjectedFault[];
  readonly assumed: readonly AssumptionName[];
  readonly request: string;
  readonly response: string;
}

/** The same as it is kept: made for every call, so it holds what is at hand and is put into words when somebody reads it. */
export interface KeptExchange extends Omit<JournalEntry, 'requestId' | 'at' | 'durationMs' | 'outcome' | 'outcomes' | 'response'> {
  readonly sandboxId: string;
  /** Of the exchange within its sandbox. */
  readonly number: number;
  readonly durationUs: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The kind of refusal, or `client-gone`; null where the operation ran. */
  readonly refusal: string | null;
  readonly elements: readonly { readonly ok: boolean }[];
  readonly response: WireText;
}

/** The id of an exchange: its sandbox and a running number. */
export function requestIdOf(sandboxId: string, number: number): string {
  return `${sandboxId}-${number}`;
}

export function toEntry({ sandboxId, number, at, durationUs, refusal, elements, response, ...rest }: KeptExchange): JournalEntry {
  const outcomes = elements.map(({ ok }) => (ok ? 'ok' : 'error'));
  const outcome =
    rest.faults.length > 0 && refusal !== 'client-gone' ? 'fault' : (refusal ?? (outcomes.includes('error') ? 'element-error' : 'ok'));
  return {
    ...rest,
    requestId: requestIdOf(sandboxId, number),
    at: new Date(at).toISOString(),
    durationMs: durationUs / 1000,
    outcome,
    outcomes,
    response: fromWire(response),
  };
}

/** What the journal keeps at most, per sandbox. */
const maxEntries = 2000;
const maxCharacters = 16 * 1024 * 1024;

/** The exchanges of one sandbox, newest last, bounded by number and size: the oldest make room. */
export class Journal {
  /** A ring: the exchange of number n stands at n modulo the length. */
  readonly #ring: (KeptExchange | undefined)[] = [];
  #oldest = 0;
  #next = 0;
  #characters = 0;

  record(exchange: KeptExchange): void {
    if (this.#next - this.#oldest >= maxEntries) this.#evict();
    this.#ring[this.#next % maxEntries] = exchange;
    this.#next += 1;
    this.#characters += size(exchange);
    while (this.#characters > maxCharacters) this.#evict();
  }

  /** The exchanges kept, newest last. */
  list(filter: { readonly operation?: string; readonly outcome?: string } = {}): readonly JournalEntry[] {
    const entries: JournalEntry[] = [];
    for (let number = this.#oldest; number < this.#next; number += 1) {
      const kept = this.#ring[number % maxEntries];
      if (kept === undefined || (filter.operation ?? kept.operation) !== kept.operation) continue;
      const entry = toEntry(kept);
      if ((filter.outcome ?? entry.outcome) === entry.outcome) entries.push(entry);
    }
    return entries;
  }

  #evict(): void {
    const kept = this.#ring[this.#oldest % maxEntries];
    if (kept !== undefined) this.#characters -= size(kept);
    this.#ring[this.#oldest % maxEntries] = undefined;
    this.#oldest += 1;
  }
}

function size({ request, response }: KeptExchange): number {
  return request.length + response.length;
}
