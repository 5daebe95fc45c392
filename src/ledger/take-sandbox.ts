import { ElsewhereError, SandboxError } from '../base/errors.ts';
import { pauseFor, stopwatch } from '../sandbox/clock.ts';
import type { Session } from './session.ts';
import { ownerOf, take, type TakenRow } from './statements.ts';

const takeAgainMs = 100;

/**
 * Takes a sandbox for this server. Returns null if there is none. Rejects with ElsewhereError if a replica that shares
 * its sandboxes owns it, and with SandboxError if another server keeps it for longer than `maxMs`.
 */
export async function takeSandbox(id: string, session: Session, maxMs: number): Promise<TakenRow | null> {
  const until = stopwatch() + maxMs;
  for (;;) {
    // Keys of sandboxes that do not exist must not delay the statements that responses wait for.
    if (!(await isStored(session, id))) return null;
    const row = await take(session, id);
    if (row !== undefined) return row;
    const owner = await ownerOf(session, id);
    if (owner !== undefined && owner.address !== null) throw new ElsewhereError(id, owner.address);
    if (stopwatch() > until)
      throw new SandboxError(
        `The sandbox "${id}" of this --data is in use by ${owner?.owner ?? 'another server'}. Stop that server, or use another database.`,
      );
    await pauseFor(takeAgainMs);
  }
}

/** Whether there is a sandbox, whoever owns it. */
async function isStored(session: Session, id: string): Promise<boolean> {
  const { rowCount } = await session.aside('select from lp_sandbox.sandbox where id = $1', [id]);
  return rowCount !== 0;
}
