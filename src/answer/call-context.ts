import type { AssumptionName, OptionOf, Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { State } from '../sandbox/state.ts';
import type { Violation } from '../base/violation.ts';
import type { InFlight } from '../sandbox/in-flight.ts';
import type { Shortage } from '../base/shortage.ts';
import type { SharedLimitName } from './server-limit.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Slices } from '../sandbox/slices.ts';
import { requestIdOf, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandbox, School } from '../sandbox/sandbox.ts';
import { weightOfHeaders, weightOfText } from '../base/weight.ts';
import type { Call } from './call.ts';

const none: readonly never[] = Object.freeze([]);

/** The maximum number of unknown identifiers of a call for whose hints records are searched. */
const maxHintSearches = 50;

/** One call in progress: its sandbox, its school, and the assumptions that affect its reply. */
export class CallContext {
  readonly call: Call;
  readonly sandbox: Sandbox;
  /** Null if the key matches no school. */
  readonly school: School | null;
  /** The masked key; null if the call has none. */
  readonly shownKey: string | null;
  /** The label at the end of the key. */
  readonly label: string | null;
  /**
   * The state when the call arrived. The call finishes with it, even if the sandbox gets a new state
   * meanwhile.
   */
  readonly state: State;
  readonly options: Options;
  readonly checks: ParameterChecks;
  /** Why no sandbox could be created for the key; null if none was needed. */
  readonly full: string | null;
  /** Sequence number within the sandbox. */
  readonly number: number;
  /** The sandbox's time when the call arrived. */
  readonly arrivedAt: number;
  #now: number;
  /** The assumptions that affected the reply, in the order in which they were read. */
  readonly assumed: AssumptionName[] = [];

  /** Where the request does not match the contract. */
  violations: readonly Violation[] = none;

  /**
   * Near misses that did not fail the call: fields that the operation ignores, and identifiers that look
   * wrong.
   */
  hints: readonly Violation[] = none;

  /** JSON Pointer to the parameters of the element that runs. */
  pointer = '';

  /** Divides long work. */
  readonly slices: Slices;
  readonly #largeReplies: InFlight;
  #hintSearches = 0;
  #reservedBytes = 0;
  readonly #waitingCalls: InFlight;
  #waitingBytes = 0;
  #bodyWeight: number | null = null;
  /** Whether its body has a key beyond the part that the journal stores; null before the search for it. */
  hasDistantKey: boolean | null = null;
  /** Whether the counters of the call were stored with its changes. */
  areCountsKept = false;
  /** Whether the call was interrupted, so that its client may have disconnected. */
  isInterrupted = false;
  /** Its journal entry, once it is written. */
  journaled: StoredEntry | null = null;
  /** Bytes of the outcomes so far. */
  outcomeBytes = 0;

  constructor(call: Call, sandboxes: Sandboxes) {
    const { sandbox, school, shownKey, label, full } = sandboxes.identify(call.header('service-api-key'));
    this.slices = sandboxes.slices;
    this.#largeReplies = sandboxes.largeReplies;
    this.#waitingCalls = sandboxes.waitingCalls;
    this.call = call;
    this.sandbox = sandbox;
    this.school = school;
    this.shownKey = shownKey;
    this.label = label ?? null;
    this.full = full ?? null;
    this.state = sandbox.state;
    this.options = sandbox.options;
    this.checks = sandbox.checks;
    this.number = sandbox.nextNumber();
    this.arrivedAt = sandbox.clock.now();
    this.#now = this.arrivedAt;
  }

  /** The sandbox's time of the reply. */
  get now(): number {
    return this.#now;
  }

  /** Reserves bytes for a large reply. Returns false if this server has no room for them. */
  reserve(bytes: number): boolean {
    if (!this.#largeReplies.take(bytes)) return false;
    this.#reservedBytes += bytes;
    return true;
  }

  /** What the body exceeded, or the last reservation that failed. */
  shortageOf(name: SharedLimitName): Shortage {
    const { bodyShortage } = this.call;
    if (bodyShortage !== null) return bodyShortage;
    return (name === 'waitingCallsBytes' ? this.#waitingCalls : this.#largeReplies).shortage;
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** Frees the reserved bytes when the reply is no longer in memory. */
  releaseReserved(): void {
    this.#largeReplies.give(this.#reservedBytes);
    this.#reservedBytes = 0;
  }

  /** Reserves memory for a call that is about to wait. Returns false if this server has no room for it. */
  reserveWaiting({ isRequired }: { readonly isRequired: boolean }): boolean {
    this.#bodyWeight ??= weightOfText(this.call.body) + weightOfHeaders(this.call.headers);
    const growth = this.#bodyWeight + this.outcomeBytes - this.#waitingBytes;
    if (growth <= 0) return true;
    if (isRequired) this.#waitingCalls.add(growth);
    else if (!this.#waitingCalls.take(growth)) return false;
    this.#waitingBytes += growth;
    return true;
  }

  /** Also counts a reply that a fault holds back. */
  holdReply(bytes: number): void {
    this.outcomeBytes += bytes;
    this.reserveWaiting({ isRequired: true });
  }

  releaseWaiting(): void {
    this.#waitingCalls.give(this.#waitingBytes);
    this.#waitingBytes = 0;
  }

  /** Whether records may be searched for one more hint: a batch can have thousands of unknown identifiers. */
  readonly maySearchForHint = (): boolean => {
    this.#hintSearches += 1;
    return this.#hintSearches <= maxHintSearches;
  };

  /** Sets the time of the reply to the current time, after a delay. */
  updateTime(): void {
    this.#now = this.sandbox.clock.now();
  }

  get requestId(): string {
    return requestIdOf(this.sandbox.id, this.number);
  }

  /** Returns the chosen option of an assumption, and lists the assumption in the reply. */
  readonly assume = <N extends AssumptionName>(name: N): OptionOf<N> => {
    if (!this.assumed.includes(name)) this.assumed.push(name);
    return this.options[name];
  };
}
