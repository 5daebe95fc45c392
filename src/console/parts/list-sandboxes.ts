import { ask, type Schemas } from '../api.ts';

/** The sandboxes that the token permits. */
export interface PermittedSandboxes {
  readonly sandboxes: readonly Schemas['Sandbox'][];
  /** The only one; null if the token permits all. */
  readonly permitted: string | null;
}

/** Lists the sandboxes that the token permits. */
export async function listSandboxes(): Promise<PermittedSandboxes> {
  const { sandboxId } = await ask('get', '/control/access', {});
  if (sandboxId === null)
    return { permitted: null, sandboxes: (await ask('get', '/control/sandboxes', {})).sandboxes };
  const only = await ask('get', '/control/sandboxes/{sandboxId}', { sandboxId });
  return { permitted: sandboxId, sandboxes: [only] };
}
