import type { Sandbox } from '../sandbox/sandbox.ts';
import { cancel, type SlicedWork } from '../base/sliced-work.ts';
import { StoppedError, type Slices } from '../sandbox/slices.ts';
import type { Turn } from '../sandbox/turn.ts';

/** The client no longer waits for the response. */
export class AbandonedError extends Error {}

/** What long work needs from a request. */
export interface Working {
  readonly parts: { readonly sandboxes: { readonly slices: Slices } };
  /** Whether the client has disconnected, so that the work can stop. */
  readonly isGone?: () => boolean;
}

/** Does work in slices. Rejects with AbandonedError if the client disconnects. */
export function inSlices<T>({ parts, isGone }: Working, work: SlicedWork<T>): Promise<T> {
  return parts.sandboxes.slices.run(isGone === undefined ? work : whileWanted(work, isGone));
}

/** Does work in slices with exclusive access to the sandbox's state, for which it waits. */
export function alone<T>(working: Working, { turn }: Sandbox, work: SlicedWork<T>): Promise<T> {
  return inTurn(working, turn, () => inSlices(working, work));
}

/** Waits for the turn, then acts while it has it. */
export async function inTurn<T>(working: Working, turn: Turn, act: () => Promise<T>): Promise<T> {
  const release = await whenFree(working, { turn }, () => turn.take());
  try {
    return await act();
  } finally {
    release();
  }
}

/**
 * Acts when the turn is free and all earlier requests have had it; immediately if there are none. Rejects with
 * StoppedError if the server stops meanwhile.
 */
export function whenFree<T>(
  { parts }: Working,
  { turn }: { readonly turn: Turn },
  act: () => T,
): T | Promise<Awaited<T>> {
  if (!turn.isBusy) return act();
  return new Promise<T>((done, fail) => {
    turn.whenFree(() => {
      try {
        if (parts.sandboxes.slices.isStopped) throw new StoppedError('The server has stopped.');
        done(act());
      } catch (error) {
        // Any thrown value is passed on.
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }) as Promise<Awaited<T>>;
}

function* whileWanted<T>(work: SlicedWork<T>, isGone: () => boolean): SlicedWork<T> {
  try {
    for (;;) {
      if (isGone()) throw new AbandonedError('The client has disconnected.');
      const step = work.next();
      if (step.done === true) return step.value;
      yield;
    }
  } finally {
    cancel(work);
  }
}
