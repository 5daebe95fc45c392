import { ForbiddenError } from '../base/errors.ts';
import { splitTarget } from '../base/request-target.ts';
import { findRoute } from './find-route.ts';
import { notPermitted, type TokenHolder } from './token-holder.ts';

/**
 * Throws ForbiddenError if the token in a request does not permit it, whether or not its sandbox exists. Throws
 * NotFoundError if there is no such route.
 */
export function requirePermission(holder: TokenHolder, method: string, target: string): void {
  if (holder === 'operator') return;
  const { route, params } = findRoute(method, splitTarget(target).path);
  if (route.access === 'any token') return;
  if (route.access !== 'sandbox' || params['sandboxId'] !== holder.sandboxId)
    throw new ForbiddenError(notPermitted(holder));
}
