import type { Upstream } from '../calibrate/upstream.ts';
import { replyTo } from './twin.ts';

/** The service cannot be compared, because it answers no call. */
export class UnusableServiceError extends Error {}

/** Makes one call. Rejects with UnusableServiceError if the service is down, redirects or refuses the key. */
export async function requireUsable(service: Pick<Upstream, 'call'>): Promise<void> {
  const elements = [{ pageNumber: 1, limit: 2 }];
  const reply = await replyTo(service, { operation: 'get-instructor-permission-presets', elements });
  if ('failure' in reply) throw new UnusableServiceError(`The service ${reply.failure}`);
  const { status, header } = reply;
  if (status >= 300 && status < 400)
    throw new UnusableServiceError(
      `The service redirects calls (HTTP ${status}) to ${placeOf(header('location'))}, and compare follows no redirect. Set --upstream to the URL that answers.`,
    );
  if (status === 401 || status === 403)
    throw new UnusableServiceError(`The service refuses the key (HTTP ${status}). Check UPSTREAM_API_KEY.`);
  if (status >= 500)
    throw new UnusableServiceError(`The service is down: it returned HTTP ${status} to the first call.`);
}

/** Returns the host of a redirect; its path and query may have secrets. */
function placeOf(location: string | null): string {
  if (location === null) return 'nowhere';
  return URL.canParse(location) ? new URL(location).origin : 'another path';
}
