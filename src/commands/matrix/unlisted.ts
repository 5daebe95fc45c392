import type { AssumptionName } from '../../assumptions.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';

/** The operations that return a list, whose order is an assumption. */
const listing: ReadonlySet<string> = new Set([
  'get-all-instructors',
  'get-all-live-events',
  'get-instructor-permission-presets',
  'get-video-library',
  'list-assignments',
]);

/**
 * Returns the assumptions on which a response with the defaults may depend although it does not list them: most
 * responses would. A list of one element counts too, because other options decide which element that is.
 */
export function unlistedIn({ operation, elements, violations }: StoredEntry): readonly AssumptionName[] {
  const names: AssumptionName[] = ['cors', 'rateLimitHeaders'];
  // The message says which formats are accepted.
  if (violations.length > 0) names.push('emailFormat', 'dateTimeFormat');
  if (!isOperationName(operation) || !elements.some(({ ok }) => ok)) return names;
  if (listing.has(operation)) names.push('listOrder');
  if (!operationFacts[operation].writes) names.push('responseFields');
  // The journal has no requests for playlists.
  if (operation === 'get-signed-url-data-for-live-event-session-playback') names.push('playlistUrls');
  return names;
}

/** Counts what may exceed a rate limit that is counted in another way than by default. */
export class RateUse {
  readonly #sandboxes: Pick<Sandboxes, 'get'>;
  readonly #used = new Map<string, { calls: number; elements: number }>();

  constructor(sandboxes: Pick<Sandboxes, 'get'>) {
    this.#sandboxes = sandboxes;
  }

  /** Counts a call. Returns the assumptions that may decide whether it is throttled. */
  add(entry: StoredEntry): readonly AssumptionName[] {
    const limit = this.#limitOf(entry);
    const place = `${entry.sandboxId} ${entry.operation}`;
    const used = this.#used.get(place) ?? { calls: 0, elements: 0 };
    this.#used.set(place, used);
    used.calls += 1;
    used.elements += Math.max(1, entry.elements.length);
    if (limit === null || used.elements <= limit) return [];
    // With as many calls as the limit allows, no window is full.
    return used.calls <= limit ? ['rateLimitUnit'] : ['rateLimitUnit', 'rateLimitWindow', 'rateLimitScope'];
  }

  /** Returns the limit of the sandbox that received a call: the client may create sandboxes and set their limits. */
  #limitOf({ sandboxId, operation }: StoredEntry): number | null {
    const sandbox = this.#sandboxes.get(sandboxId);
    if (sandbox === undefined || !isOperationName(operation)) return null;
    return sandbox.limits.of(operation, (name) => sandbox.options[name])?.requests ?? null;
  }
}
