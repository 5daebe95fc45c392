import { eachBeyond, type Beyond } from '../../contract/beyond.ts';
import type { SeenOutput } from '../../contract/envelope.ts';
import { resultSchemas } from '../../contract/generated/result-schemas.js';
import type { OperationName } from '../../contract/operation-types.ts';
import { maxLatencyMs } from '../../faults/latencies.ts';
import type { NewFaultRule } from '../../faults/rule.ts';

/** How a call went, apart from its data. */
export interface Course {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly failure: 'timeout' | 'failed' | null;
  /** The seconds of Retry-After. Null if there is none, or it is a date. */
  readonly retryAfter: number | null;
  /** How long the response took, in milliseconds. Null if it is unknown. */
  readonly tookMs: number | null;
}

/** A way to fail or to be unusual, and how many calls of an operation had it. */
interface Incident {
  readonly operation: OperationName;
  readonly fault: NewFaultRule['fault'];
  readonly with: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** The counts, as plain data. It has no times, so that the same calls give the same state. */
export interface IncidentState {
  readonly calls: readonly (readonly [OperationName, number])[];
  readonly incidents: readonly Incident[];
}

/** How long an operation takes, for `--latency-from`. */
export interface RecordedLatency {
  readonly operation: OperationName;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Failures, unusual values and latencies as rules. */
export interface RecordedScenario {
  readonly summary: string;
  readonly rules: readonly object[];
}

/** The maximum of the fault `http-error`, in seconds. */
const maxRetryAfter = 86_400;

/** The latest times of an operation that are kept; more do not change percentiles much. */
const maxTimes = 2000;

/** The faults that show what a service sends beyond the contract. */
const faultOf: { readonly [K in Beyond['kind']]?: NewFaultRule['fault'] } = {
  field: 'extra-fields',
  value: 'unknown-enum-values',
  null: 'null-fields',
};

/** Counts failures, unusual values and latencies. It keeps only numbers, so none of the service's texts. */
export class Incidents {
  readonly #calls = new Map<OperationName, number>();
  readonly #incidents = new Map<string, Incident>();
  readonly #times = new Map<OperationName, number[]>();

  observe(
    operation: OperationName,
    { status, failure, retryAfter, tookMs }: Course,
    outputs: readonly SeenOutput[],
  ): void {
    this.#calls.set(operation, (this.#calls.get(operation) ?? 0) + 1);
    if (tookMs !== null) this.#addTime(operation, tookMs);
    const waits = retryAfter === null ? {} : { 'retry-after': Math.min(retryAfter, maxRetryAfter) };
    if (failure !== null) this.#count(operation, failure === 'timeout' ? 'timeout' : 'reset', {});
    else if (status === 429) this.#count(operation, 'http-error', { status, ...waits });
    // A refusal of the request is none of the service's failures: the sandbox refuses the same request.
    else if (status !== null && status >= 500 && status <= 599)
      this.#count(operation, 'http-error', { status, ...waits });
    else for (const fault of unusualIn(operation, outputs)) this.#count(operation, fault, {});
  }

  /** Returns the scenario; null if nothing failed and nothing was unusual. */
  scenario(): RecordedScenario | null {
    if (this.#incidents.size === 0) return null;
    const left = new Map(this.#calls);
    const rules = this.#ordered().map((incident, at) => {
      const { operation, fault, with: parameters, calls } = incident;
      const remaining = left.get(operation) ?? calls;
      left.set(operation, remaining - calls);
      return {
        id: `recorded-${at + 1}`,
        operation,
        fault,
        ...(Object.keys(parameters).length === 0 ? {} : { with: parameters }),
        // A rule counts only the calls that no earlier rule affected.
        when: { probability: shareOf(calls, remaining) },
      };
    });
    return {
      summary: 'The failures and the unusual values of a recording, as often as they occurred.',
      rules,
    };
  }

  latencies(): readonly RecordedLatency[] {
    return [...this.#times].map(([operation, times]) => {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number): number =>
        Math.min(maxLatencyMs, sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
      return { operation, count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
    });
  }

  state(): IncidentState {
    return {
      calls: [...this.#calls],
      incidents: [...this.#incidents.values()],
    };
  }

  restore({ calls, incidents }: IncidentState): void {
    for (const [operation, count] of calls) this.#calls.set(operation, count);
    for (const one of incidents) this.#incidents.set(keyOf(one), one);
  }

  /** Failures first, because a failed call has no values. Then the rare values, which frequent ones would hide. */
  #ordered(): readonly Incident[] {
    const shapes = new Set<string>(Object.values(faultOf));
    return [...this.#incidents.values()].toSorted(
      (one, other) =>
        Number(shapes.has(one.fault)) - Number(shapes.has(other.fault)) || one.calls - other.calls,
    );
  }

  #addTime(operation: OperationName, tookMs: number): void {
    const times = this.#times.get(operation) ?? [];
    this.#times.set(operation, times);
    times.push(tookMs);
    if (times.length > maxTimes) times.shift();
  }

  #count(operation: OperationName, fault: Incident['fault'], parameters: Incident['with']): void {
    const one = { operation, fault, with: parameters, calls: 0 };
    const known = this.#incidents.get(keyOf(one)) ?? one;
    this.#incidents.set(keyOf(one), { ...known, calls: known.calls + 1 });
  }
}

function keyOf({ operation, fault, with: parameters }: Incident): string {
  return JSON.stringify([operation, fault, parameters]);
}

/** Returns the faults that make a sandbox send what the outputs have beyond the contract. */
function unusualIn(operation: OperationName, outputs: readonly SeenOutput[]): ReadonlySet<Incident['fault']> {
  const found = new Set<Incident['fault']>();
  for (const output of outputs) {
    if (output.status !== 'ok') continue;
    eachBeyond(resultSchemas[operation], output.data, '', ({ kind }) => {
      const fault = faultOf[kind];
      if (fault !== undefined) found.add(fault);
    });
  }
  return found;
}

/** Returns a probability: at most four decimals, and never 0. */
function shareOf(calls: number, of: number): number {
  return of <= calls ? 1 : Math.max(0.0001, Math.round((10_000 * calls) / of) / 10_000);
}
