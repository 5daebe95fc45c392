import { StorageError, type CallCounts, type ChangeLists } from '../sandbox/ledger.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { notCertain, notSafeIn } from '../sandbox/facts.ts';
import type { CallContext } from './call-context.ts';
import type { Course } from './hold-up.ts';
import { Refusal } from './refusal.ts';
import { windowKeyOf } from './throttle.ts';

/**
 * Stores the changes of a call with what it has counted, before anybody sees them. Throws StorageError. The
 * changes of a call that finishes with a replaced state are lost with that state.
 */
export function* keepChanges(context: CallContext, changes: ChangeLists): SlicedWork<void> {
  const { sandbox, state } = context;
  if (sandbox.ledger === null || sandbox.state !== state) return;
  yield* sandbox.ledger.appendLarge({ changes }, () => ({ counts: countsOf(context) }));
  context.areCountsKept = true;
}

/**
 * Stores what a call has counted: its number, its rate limit and the fault rules. If that fails, the call is
 * answered anyway: it has changed nothing else, and the counters are stored as soon as that is possible. Returns
 * whether the reply has to wait for changes.
 */
export function keepCounts(context: CallContext): boolean {
  const { ledger } = context.sandbox;
  if (ledger === null) return false;
  try {
    if (!context.areCountsKept) ledger.append({ counts: countsOf(context) });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return ledger.holdsReads;
  }
  return (context.areCountsKept || ledger.holdsReads) && !ledger.isSafe;
}

/** Waits until the changes of a call are as safe as its reply promises. Returns false if that failed. */
export function* isSafe({ sandbox: { ledger } }: CallContext): Course<boolean> {
  let outcome = false;
  yield {
    wait: (callback) => {
      let isCanceled = false;
      ledger?.whenSafe((isSafe) => {
        outcome = isSafe;
        if (!isCanceled) callback();
      });
      return { cancel: () => (isCanceled = true) };
    },
    updatesTime: false,
    isAbandonable: false,
  };
  return outcome;
}

/** Returns the refusal of a call of which it is not certain that what its reply would show is stored. */
export function unsafe({ sandbox: { ledger }, areCountsKept }: CallContext): Refusal {
  const message = areCountsKept ? notSafeIn(ledger) : notCertain;
  return new Refusal('not-stored', 503, message, ledger?.holdsReads === true ? { headers: retrySoon } : {});
}

const retrySoon = ['Retry-After', '1'];

/** Returns the refusal of a call whose changes could not be stored. They were rolled back. */
export function notStored({ message }: StorageError): Refusal {
  return new Refusal('not-stored', 503, message, { headers: retrySoon });
}

function countsOf(context: CallContext): CallCounts {
  const { sandbox, call } = context;
  const { operation } = call;
  const caller = windowKeyOf(context);
  const window = sandbox.limits.counters.takeNew(operation, caller);
  const faults = sandbox.faults.takeCounts();
  return {
    lastNumber: sandbox.numbers.last,
    usedAt: sandbox.usedAt,
    // JSON leaves out what is undefined.
    window: window && { operation, caller, ...window },
    faults: faults ?? undefined,
  };
}
