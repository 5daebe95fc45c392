import type { AssumptionName, OptionOf, Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { State } from '../sandbox/state.ts';
import type { Violation } from '../base/violation.ts';
import type { InFlight } from '../sandbox/in-flight.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Slices } from '../sandbox/slices.ts';
import { requestIdOf } from '../sandbox/journal-entry.ts';
import type { Sandbox, School } from '../sandbox/sandbox.ts';
import { weightOfText } from '../base/weight.ts';
import type { Call } from './call.ts';

const none: readonly never[] = Object.freeze([]);

/** One call on its way to a reply: whose it is, and which assumptions it met. */
export class CallContext {
  readonly call: Call;
  readonly sandbox: Sandbox;
  /** Null where the key named no school. */
  readonly school: School | null;
  /** The key as it may be shown and kept; null where none came. */
  readonly shownKey: string | null;
  /** The sandbox's world when the call came: it finishes in this one, whatever takes its place meanwhile. */
  readonly state: State;
  readonly options: Options;
  readonly checks: ParameterChecks;
  /** Why the key could not open a sandbox of its own; null where it need not. */
  readonly full: string | null;
  /** Running number within the sandbox. */
  readonly number: number;
  /** The sandbox's time when the call came. */
  readonly arrivedAt: number;
  #now: number;
  /** The assumptions that shaped the reply, in the order in which they were asked. */
  readonly assumed: AssumptionName[] = [];

  /** What the client got wrong against the contract. */
  violations: readonly Violation[] = none;

  /** Divides long work. */
  readonly slices: Slices;
  readonly #largeReplies: InFlight;
  #reservedBytes = 0;
  readonly #waitingCalls: InFlight;
  #waitingBytes = 0;
  #bodyWeight: number | null = null;
  /** Bytes of the outcomes so far. */
  outcomeBytes = 0;

  constructor(call: Call, sandboxes: Sandboxes) {
    const { sandbox, school, shownKey, full } = sandboxes.identify(call.header('service-api-key'));
    this.slices = sandboxes.slices;
    this.#largeReplies = sandboxes.largeReplies;
    this.#waitingCalls = sandboxes.waitingCalls;
    this.call = call;
    this.sandbox = sandbox;
    this.school = school;
    this.shownKey = shownKey;
    this.full = full ?? null;
    this.state = sandbox.state;
    this.options = sandbox.options;
    this.checks = sandbox.checks;
    this.number = sandbox.nextNumber();
    this.arrivedAt = sandbox.clock.now();
    this.#now = this.arrivedAt;
  }

  /** The sandbox's time at which the call is answered. */
  get now(): number {
    return this.#now;
  }

  /** Counts bytes of a large reply in advance; false if this server has no room for them. */
  reserve(bytes: number): boolean {
    if (!this.#largeReplies.take(bytes)) return false;
    this.#reservedBytes += bytes;
    return true;
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** Nothing of the reply is in memory any more. */
  releaseReserved(): void {
    this.#largeReplies.give(this.#reservedBytes);
    this.#reservedBytes = 0;
  }

  /** Counts the memory of a call that is about to wait; false if this server has no room for it. */
  reserveWaiting({ isRequired }: { readonly isRequired: boolean }): boolean {
    this.#bodyWeight ??= weightOfText(this.call.body);
    const growth = this.#bodyWeight + this.outcomeBytes - this.#waitingBytes;
    if (growth <= 0) return true;
    if (isRequired) this.#waitingCalls.add(growth);
    else if (!this.#waitingCalls.take(growth)) return false;
    this.#waitingBytes += growth;
    return true;
  }

  releaseWaiting(): void {
    this.#waitingCalls.give(this.#waitingBytes);
    this.#waitingBytes = 0;
  }

  /** A call that was held up is answered as of now. */
  goOn(): void {
    this.#now = this.sandbox.clock.now();
  }

  get requestId(): string {
    return requestIdOf(this.sandbox.id, this.number);
  }

  /** The chosen option of an assumption, noted as one that shaped the reply. */
  readonly assume = <N extends AssumptionName>(name: N): OptionOf<N> => {
    if (!this.assumed.includes(name)) this.assumed.push(name);
    return this.options[name];
  };
}
