import { NoRoomError } from './server-limit.ts';
import { cancel, type SlicedWork } from '../base/sliced-work.ts';
import { latencyOf } from '../faults/latencies.ts';
import type { Injection } from './injection.ts';
import { isLarge } from './body-size.ts';
import type { CallContext } from './call-context.ts';

/** A point at which a call is interrupted. */
export interface Pause {
  /** Calls back when the call may continue. */
  readonly wait: (callback: () => void) => { cancel(): void };
  /** Whether the time of the call is updated after the pause. */
  readonly updatesTime: boolean;
  /** Whether the call is canceled if its client disconnects meanwhile. */
  readonly isAbandonable: boolean;
}

/** What happened while a call was interrupted; undefined if nothing happened. */
export type Resumption = 'client gone' | 'no room' | undefined;

/** The steps of a call, with its pauses. */
export type Course<T> = Generator<Pause, T, Resumption>;

/** The call was canceled before it had any effect: its client disconnected, or the server stopped. */
export class GivenUpError extends Error {}

/**
 * Pauses. Throws GivenUpError if the client disconnects meanwhile, and NoRoomError if the server has no
 * memory for waiting calls.
 */
export function* pause(one: Pause): Course<void> {
  const resumption = yield one;
  if (resumption === 'client gone') throw new GivenUpError();
  if (resumption === 'no room') throw new NoRoomError('waitingCallsBytes');
}

/** Returns the delays of a call by its faults and by the latency of its operation. */
export function delaysOf({ sandbox, call }: CallContext, { waits }: Injection): Injection['waits'] {
  const latency = latencyOf(sandbox.faults, call.operation);
  return latency === 0 ? waits : { ...waits, before: waits.before + latency };
}

/** Delays a call, for a fault. */
export function heldUp({ sandbox }: CallContext, milliseconds: number): Pause {
  return {
    wait: (callback) => sandbox.clock.wait(milliseconds, callback),
    updatesTime: true,
    isAbandonable: true,
  };
}

/** Waits while another call uses the state exclusively, and behind the calls that wait for it already. */
export function* turnOf(context: CallContext): Course<void> {
  if (context.sandbox.turn.isBusy) yield* pauseForTurn(context);
}

function* pauseForTurn({ slices, sandbox: { turn } }: CallContext): Course<void> {
  do {
    yield* pause({ wait: (callback) => turn.whenFree(callback), updatesTime: true, isAbandonable: true });
    if (slices.isStopped) throw new GivenUpError();
  } while (turn.isTaken);
}

/** Does work in slices, between which other calls are processed. */
export function* inSlices<T>(context: CallContext, work: SlicedWork<T>): Course<T> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (!context.slices.isOver()) continue;
      yield* untilNextSlice(context, true);
      // This call must not see the unfinished changes of another call.
      if (context.sandbox.turn.isTaken) yield* pauseForTurn(context);
    }
  } finally {
    cancel(work);
  }
}

/** Ends a step of a call with a large body: the next step runs in a new slice if this one is over. */
export function* endStep(context: CallContext): Course<void> {
  if (isLarge(context.call)) yield* inSlices(context, onePause());
}

function* onePause(): SlicedWork<void> {
  yield;
}

/**
 * Does work that changes the state. While it is interrupted, no other call uses the state. It finishes even
 * if its client disconnects. Only if the server stops is it canceled, without the slow undo: the state is no
 * longer used, and unfinished changes are not stored (`State.changes`).
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

/** Pauses until the next slice, so that other calls are processed. */
export function nextSlice({ slices }: CallContext, isAbandonable: boolean): Pause {
  return { wait: (callback) => slices.next(callback), updatesTime: false, isAbandonable };
}

/** Pauses until the next slice. Throws GivenUpError if the work is canceled. */
function* untilNextSlice(context: CallContext, isAbandonable: boolean): Course<void> {
  yield* pause(nextSlice(context, isAbandonable));
  if (context.slices.isStopped) throw new GivenUpError();
}
