import type { SlicedWork } from '../../base/sliced-work.ts';
import { headerIn } from '../../base/headers.ts';
import type { Secrets } from './secrets.ts';

/** The header of the key, and those with names that may resemble a part of it. */
const mayResemble: ReadonlySet<string> = new Set(['service-api-key', 'sandbox-scope', 'host', 'user-agent']);

/**
 * Returns whether a request has its key in another header, too. Without a key, it has none: the other credentials may
 * be those of a gateway.
 */
export function* isKeyElsewhereIn(headers: readonly string[], secrets: Secrets): SlicedWork<boolean> {
  if (headerIn(headers, 'service-api-key') === undefined) return false;
  const others = headers.filter((_, at) => !mayResemble.has((headers[at - (at % 2)] ?? '').toLowerCase()));
  return yield* secrets.findingKey(others.join('\n'));
}
