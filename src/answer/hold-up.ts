import type { SlicedWork } from '../base/sliced-work.ts';
import type { CallContext } from './call-context.ts';

/** A point at which a call is interrupted. */
export interface Pause {
  /** Calls back when the call may go on. */
  readonly wait: (callback: () => void) => { cancel(): void };
  /** Whether the call is answered as of the time at which it goes on. */
  readonly movesOn: boolean;
  /** Whether the call is given up if its client goes away meanwhile. */
  readonly isAbandonable: boolean;
}

/** What happened while a call was interrupted; undefined if nothing did. */
export type Resumption = 'client gone' | 'no room' | undefined;

/** The life of a call, with its pauses. */
export type Course<T> = Generator<Pause, T, Resumption>;

/** A call was given up before anything of it took effect: its client went away, or the server stopped. */
export class GivenUpError extends Error {}

/** The server has no memory for a call that would have to wait, and nothing of it has taken effect. */
export class NoRoomError extends Error {}

/** Pauses. Throws GivenUpError if the client goes away meanwhile, and NoRoomError if the server has no memory for calls that wait. */
export function* pause(one: Pause): Course<void> {
  const resumption = yield one;
  if (resumption === 'client gone') throw new GivenUpError();
  if (resumption === 'no room') throw new NoRoomError();
}

/** Holds a call up, as a fault wants it. */
export function heldUp({ sandbox }: CallContext, milliseconds: number): Pause {
  return { wait: (callback) => sandbox.clock.wait(milliseconds, callback), movesOn: true, isAbandonable: true };
}

/** Waits as long as another call has the state of the sandbox to itself. */
export function* turnOf({ slices, sandbox: { turn } }: CallContext): Course<void> {
  while (turn.isTaken) {
    yield* pause({ wait: (callback) => turn.whenFree(callback), movesOn: true, isAbandonable: true });
    if (slices.isStopped) throw new GivenUpError();
  }
}

/** Does work in slices; other calls are answered meanwhile. */
export function* inSlices<T>(context: CallContext, work: SlicedWork<T>): Course<T> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (!context.slices.isOver()) continue;
      yield* untilNextSlice(context, true);
      // What another call has done by half must not be seen.
      yield* turnOf(context);
    }
  } finally {
    // What is given up returns nothing that anybody reads.
    work.return(undefined as never);
  }
}

/**
 * Does work that changes the state: while it is interrupted, nobody else uses the state, and the work is finished even if its client goes
 * away. Only a server that stops gives it up: nobody sees the state any more, and what is stored is without it (`State.changes`), so it
 * need not be undone, which takes long.
 */
export function* undisturbed<T>(context: CallContext, work: SlicedWork<T>): Course<T> {
  let release: (() => void) | null = null;
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (!context.slices.isOver()) continue;
      release ??= context.sandbox.turn.take();
      yield* untilNextSlice(context, false);
    }
  } finally {
    release?.();
  }
}

/** Lets other calls be answered. */
export function nextSlice({ slices }: CallContext, isAbandonable: boolean): Pause {
  return { wait: (callback) => slices.next(callback), movesOn: false, isAbandonable };
}

/** Lets other calls be answered. Throws GivenUpError if the work is to be given up. */
function* untilNextSlice(context: CallContext, isAbandonable: boolean): Course<void> {
  yield* pause(nextSlice(context, isAbandonable));
  if (context.slices.isStopped) throw new GivenUpError();
}
