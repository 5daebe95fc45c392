import { ConflictError, ElsewhereError, SandboxError } from '../base/errors.ts';
import { whenSafe } from '../sandbox/facts.ts';
import { isPlainName } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** Throws SandboxError for an id that is invalid, and ConflictError for one that is taken. */
export function checkId(id: string, sandboxes: Sandboxes): void {
  if (!isPlainName(id))
    throw new SandboxError(
      `A sandbox id must be 1 to 64 of a-z, 0-9 and dash, but is ${JSON.stringify(id)}.`,
    );
  if (sandboxes.has(id)) throw idTaken(id);
}

/** As `checkId`, also for sandboxes of other replicas. */
export async function requireFree(id: string, sandboxes: Sandboxes): Promise<void> {
  checkId(id, sandboxes);
  try {
    await sandboxes.load(id);
  } catch (error) {
    throw error instanceof ElsewhereError ? idTaken(id) : error;
  }
  checkId(id, sandboxes);
}

/** Waits until a new sandbox is stored. Throws ConflictError if another replica has created it at the same time. */
export async function whenCreated(sandbox: Sandbox, sandboxes: Sandboxes): Promise<void> {
  try {
    await whenSafe(sandbox);
  } catch (error) {
    if (!sandboxes.has(sandbox.id)) await requireFree(sandbox.id, sandboxes);
    throw error;
  }
}

function idTaken(id: string): ConflictError {
  return new ConflictError(`A sandbox "${id}" already exists.`);
}
