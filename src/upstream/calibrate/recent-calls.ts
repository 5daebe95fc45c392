import { operationFacts } from '../../contract/generated/facts.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import type { Request } from './upstream.ts';

/** A call that counts toward the limit of its operation. */
export interface RecentCall {
  readonly operation: OperationName;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cost: number;
}

type Sent = Omit<RecentCall, 'operation'>;

/** Slightly more than a window of one minute. */
export const windowSeconds = 61;
/** Used if the specification documents no limit: the lowest documented limit. */
const lowestLimit = 15;

/** The calls that count toward the limits, and the limits as far as they are known. */
export class RecentCalls {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #sent = new Map<OperationName, readonly Sent[]>();
  readonly #lowerLimits = new Map<OperationName, number>();

  constructor(now: () => number, earlier: readonly RecentCall[]) {
    this.#now = now;
    this.#startedAt = now();
    for (const { operation, ...call } of earlier) this.add(operation, call);
  }

  add(operation: OperationName, call: Sent): void {
    this.#sent.set(operation, [...(this.#sent.get(operation) ?? []), call]);
  }

  /** The calls of the last minute. */
  get all(): readonly RecentCall[] {
    return [...this.#sent.keys()].flatMap((operation) =>
      this.of(operation).map(({ at, cost }) => ({ operation, at, cost })),
    );
  }

  /** The calls of the last minute to an operation. */
  of(operation: OperationName): readonly Sent[] {
    const since = this.#now() - windowSeconds * 1000;
    return (this.#sent.get(operation) ?? []).filter(({ at }) => at > since);
  }

  /**
   * Returns when no call to an operation before now counts any more. In the first minute, calls of other commands
   * may count.
   */
  clearAt(operation: OperationName): number {
    return (this.of(operation).at(-1)?.at ?? this.#startedAt) + windowSeconds * 1000;
  }

  /**
   * A limit that throttles a call is lower than the calls of the last minute. In the first minute, other commands
   * may have used it up, so nothing is learned.
   */
  learnLimit(operation: OperationName): void {
    const counting = this.of(operation);
    const last = counting.at(-1);
    if (last === undefined || last.at < this.#startedAt + windowSeconds * 1000) return;
    const allowed = counting.reduce((sum, { cost }) => sum + cost, -1);
    this.#lowerLimits.set(operation, Math.max(1, Math.min(allowed, this.limitOf(operation))));
  }

  /**
   * Returns when there is room for a call, counting elements as a service may. A batch that never fits has room when
   * nothing else counts.
   */
  roomAt(request: Request): number {
    const { operation } = request;
    const allowed = Math.max(0, this.limitOf(operation) - costOf(request));
    const counting = this.of(operation);
    let used = counting.reduce((sum, { cost }) => sum + cost, 0);
    let roomAt = this.#now();
    for (const { at, cost } of counting) {
      if (used <= allowed) break;
      used -= cost;
      roomAt = at + windowSeconds * 1000;
    }
    return roomAt;
  }

  limitOf(operation: OperationName): number {
    return this.#lowerLimits.get(operation) ?? operationFacts[operation].limit?.requests ?? lowestLimit;
  }
}

/** How much a call counts toward a limit, if elements count. */
export function costOf({ elements }: Request): number {
  return Math.max(1, elements?.length ?? 1);
}
