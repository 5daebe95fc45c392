import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { StoppedError, type Slices } from '../sandbox/slices.ts';
import type { Turn } from '../sandbox/turn.ts';

/** Nobody waits for the answer any more. */
export class AbandonedError extends Error {}

/** What long work of a request needs. */
export interface Working {
  readonly makings: { readonly sandboxes: { readonly slices: Slices } };
  /** Whether the client has gone, so that the work need not be finished. */
  readonly isGone?: () => boolean;
}

/** Does work in slices. Rejects with AbandonedError if the client goes away meanwhile. */
export function inSlices<T>({ makings, isGone }: Working, work: SlicedWork<T>): Promise<T> {
  return makings.sandboxes.slices.run(isGone === undefined ? work : whileWanted(work, isGone));
}

/** Does work in slices that has the state of the sandbox to itself; the turn must be free. */
export async function alone<T>(working: Working, { turn }: Sandbox, work: SlicedWork<T>): Promise<T> {
  const release = turn.take();
  try {
    return await inSlices(working, work);
  } finally {
    release();
  }
}

/** Acts while it has the turn, for which it waits. */
export async function inTurn<T>(working: Working, turn: Turn, act: () => Promise<T>): Promise<T> {
  const release = await whenFree(working, { turn }, () => turn.take());
  try {
    return await act();
  } finally {
    release();
  }
}

/**
 * Acts as soon as nobody has the turn, such as that of a sandbox's state: at once, if that is so now. Rejects with StoppedError if the
 * server stops meanwhile.
 */
export function whenFree<T>({ makings }: Working, { turn }: { readonly turn: Turn }, act: () => T): T | Promise<Awaited<T>> {
  if (!turn.isTaken) return act();
  return new Promise<T>((done, fail) => {
    turn.whenFree(() => {
      try {
        if (makings.sandboxes.slices.isStopped) throw new StoppedError('The server has stopped.');
        done(act());
      } catch (error) {
        // Whatever was thrown is passed on.
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }) as Promise<Awaited<T>>;
}

function* whileWanted<T>(work: SlicedWork<T>, isGone: () => boolean): SlicedWork<T> {
  try {
    for (;;) {
      if (isGone()) throw new AbandonedError('The client has gone.');
      const step = work.next();
      if (step.done === true) return step.value;
      yield;
    }
  } finally {
    // What is given up returns nothing that anybody reads.
    work.return(undefined as never);
  }
}
