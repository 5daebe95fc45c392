import { NotLoadedError, UnauthorizedError } from '../base/errors.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { TokenContent } from '../sandbox/sandbox-tokens.ts';

/** Who sends a request: the operator of the server, or a client with the token of one sandbox. */
export type TokenHolder = 'operator' | TokenContent;

/** Explains which token permits a request that the token of a sandbox does not. */
export function notPermitted({ sandboxId }: TokenContent): string {
  return `The token in the request permits only requests for the sandbox "${sandboxId}". All others need the control token of the server (--control-token).`;
}

/**
 * Throws UnauthorizedError if a token is not the current one of its sandbox, and NotLoadedError if nobody can know. Only
 * the operator learns why a sandbox cannot be loaded, because the reason names files of the server.
 */
export async function requireCurrent(holder: TokenHolder, sandboxes: Sandboxes): Promise<void> {
  if (holder === 'operator') return;
  const { sandboxId, generation } = holder;
  try {
    await sandboxes.load(sandboxId);
  } catch (error) {
    if (!(error instanceof NotLoadedError)) throw error;
    throw new NotLoadedError(
      `The sandbox "${sandboxId}" cannot be loaded now. Ask the operator of this server, who can see the reason.`,
    );
  }
  if (sandboxes.get(sandboxId)?.tokenGeneration === generation) return;
  throw new UnauthorizedError(
    'The token in the request is not valid any more: a new one was issued, or its sandbox was deleted. Ask for the new one where you got it.',
  );
}
