import { BoundedMap } from '../../base/bounded-map.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { DirectRequest } from '../server/direct-request.ts';

/** So many forwarded requests one after another show that the load balancer sends the sandbox to another replica. */
const minForwarded = 16;
/** How long the other replica has to take it, in milliseconds. */
const movingMs = 1000;
const maxMoving = 10_000;
/** A request with a larger body may not be sent again, in bytes. */
const maxBodyBytes = 65_536;

/**
 * Gives sandboxes to the replica that the load balancer sends their requests to. It may be another one from the start,
 * because the request that creates a sandbox does not name it, or after replicas were added or replaced.
 */
export class Moves {
  readonly #sandboxes: Sandboxes;
  /** The forwarded requests since the last one from a client. A sandbox that was created here has none at first. */
  readonly #forwarded = new WeakMap<Sandbox, number>();
  /** When the sandboxes were given away. */
  readonly #given = new BoundedMap<string, number>(maxMoving);

  constructor(sandboxes: Sandboxes) {
    this.#sandboxes = sandboxes;
  }

  /** Notes that a sandbox is here because of a request to it. */
  noteTaken(id: string): void {
    const sandbox = this.#sandboxes.get(id);
    if (sandbox !== undefined && !this.#forwarded.has(sandbox)) this.#forwarded.set(sandbox, 0);
  }

  /** Whether a sandbox was given to the replicas that forward requests to it, and should not be taken again. */
  isMoving(id: string): boolean {
    const givenAt = this.#given.get(id);
    return givenAt !== undefined && stopwatch() - givenAt < movingMs;
  }

  /** Counts a request to a sandbox. Returns true if the sandbox is given away instead of serving the request. */
  moves(sandbox: Sandbox, request: DirectRequest, isForwarded: boolean): boolean {
    const before = this.#forwarded.get(sandbox) ?? minForwarded;
    this.#forwarded.set(sandbox, isForwarded ? before + 1 : 0);
    if (!isForwarded || before < minForwarded) return false;
    if (sandbox.requestsInFlight > 0 || !isSmall(request) || !this.#sandboxes.putAway(sandbox)) return false;
    this.#given.set(sandbox.id, stopwatch());
    return true;
  }
}

function isSmall({ headers }: DirectRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= maxBodyBytes;
}
