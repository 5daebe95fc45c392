import { ConflictError } from '../base/errors.ts';
import type { components } from '../contract/generated/control.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { nextGeneration } from '../sandbox/sandbox-tokens.ts';
import type { ControlRequest } from './route.ts';

type Schemas = components['schemas'];

/** Issues the next token of a sandbox. The one before is not valid any more, and what it has opened ends. */
export function issueToken(sandbox: Sandbox, { parts }: ControlRequest): Schemas['SandboxToken'] {
  if (parts.tokens === null)
    throw new ConflictError(
      'This server issues no sandbox tokens. To use them, start it with --token-secret.',
    );
  sandbox.tokenGeneration = nextGeneration(sandbox.tokenGeneration);
  const token = parts.tokens.current(sandbox);
  if (token === null) throw new Error('A sandbox with a generation has a token.');
  sandbox.journal.disconnectListeners();
  return { token };
}

/** Describes which requests the token in a request permits. */
export function describeAccess({ holder }: ControlRequest): Schemas['Access'] {
  return holder === 'operator'
    ? { permits: 'server', sandboxId: null }
    : { permits: 'sandbox', sandboxId: holder.sandboxId };
}
