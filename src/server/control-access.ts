import { SandboxError } from '../base/errors.ts';
import { isPrivate } from '../http/control-guard.ts';
import { newToken } from '../sandbox/random.ts';
import { SandboxTokens } from '../sandbox/sandbox-tokens.ts';
import type { Settings } from './server.ts';

/** How the control plane is reached, and which tokens it accepts. */
interface Access {
  /** The token of the operator; null if requests need none. */
  readonly controlToken: string | null;
  /** The same if it was generated; otherwise null. */
  readonly madeUpToken: string | null;
  readonly controlPort: number | 'off' | null;
  /** Null if sandboxes have no tokens of their own. */
  readonly tokens: SandboxTokens | null;
}

/** Throws SandboxError for settings that contradict each other. */
export function controlAccess(settings: Settings): Access {
  const { host = '127.0.0.1', publicUrl = null, controlToken = null, controlPort = null } = settings;
  const { tokenSecret } = settings;
  if (tokenSecret !== undefined) requireUsableSecret(settings);
  const needsToken = tokenSecret !== undefined || !isPrivate(host, publicUrl);
  const madeUpToken = controlToken === null && controlPort !== 'off' && needsToken ? newToken() : null;
  return {
    controlToken: controlToken ?? madeUpToken,
    madeUpToken,
    controlPort,
    tokens: tokenSecret === undefined ? null : new SandboxTokens(tokenSecret),
  };
}

function requireUsableSecret({ tokenSecret, controlToken, controlPort, autoCreate }: Settings): void {
  if (controlPort === 'off')
    throw new SandboxError(
      'tokenSecret (--token-secret) needs the control plane, but controlPort (--control-port) is "off". Omit one of them.',
    );
  if (autoCreate === true)
    throw new SandboxError(
      'autoCreate is true, but with tokenSecret (--token-secret) only the control plane creates sandboxes. Omit one of them.',
    );
  if (tokenSecret === controlToken)
    throw new SandboxError(
      'tokenSecret (--token-secret) must differ from controlToken (--control-token), because clients send that one.',
    );
}
