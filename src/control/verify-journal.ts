import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { after } from '../sandbox/clock.ts';
import { toEntry, type KeptExchange } from '../sandbox/journal-entry.ts';
import { CapacityError, ValidationError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { refuse } from './fitting.ts';
import { isObject } from '../base/is-object.ts';
import { sentCall, type SentCall } from './sent-call.ts';
import { judging, Progress } from './verify.ts';
import { inSlices, whenFree, type Working } from './work.ts';

type Expectations = components['schemas']['Expectations'];
type Verdict = components['schemas']['Verdict'];

/** How long after an exchange it is looked at, in milliseconds: several that come together are looked at once, and no call waits for it. */
const gatheringMs = 20;

/** Throws ValidationError for more expectations than there may be; their form is checked only after that. */
export function checkNumber(body: unknown, { caps }: Sandbox): void {
  const { counts = null, sequence = null } = isObject(body) ? body : {};
  const lengths = [counts, sequence].map((list) => (Array.isArray(list) ? list.length : 0));
  const [ofCounts = 0, ofSequence = 0] = lengths;
  if (ofCounts + ofSequence <= caps.expectations) return;
  const pointer = ofCounts > caps.expectations || ofSequence === 0 ? '/counts' : '/sequence';
  const message = `makes ${ofCounts + ofSequence} expectations in all; the limit of this server is ${caps.expectations} (expectations). Divide them over several requests.`;
  throw new ValidationError('The expectations do not fit.', [{ pointer, message }]);
}

/**
 * Holds expectations against the journal, waiting up to `waitMs` until they hold. Throws ValidationError for an operation that is not there, and CapacityError
 * while too many others do the same.
 */
export async function verifyJournal(sandbox: Sandbox, expectations: Expectations, working: Working): Promise<Verdict> {
  checkOperations(sandbox, expectations);
  const { verifies, caps } = sandbox;
  if (!verifies.take(1)) {
    throw new CapacityError(
      `${verifies.used} requests hold expectations against this journal now, as many as may (${caps.verifies}, verifies). Try again later.`,
    );
  }
  try {
    const { waitMs = 0 } = expectations;
    if (waitMs > 0) await untilTheyHold(sandbox, expectations, waitMs, working);
    return await verdictNow(sandbox, expectations, working);
  } finally {
    verifies.give(1);
  }
}

/** One at a time for each sandbox, because each holds the bodies of the whole journal in memory. */
async function verdictNow(sandbox: Sandbox, expectations: Expectations, working: Working): Promise<Verdict> {
  const { judging: turn, journal } = sandbox;
  const release = await whenFree(working, { turn }, () => turn.take());
  try {
    const { evicted } = journal;
    const verdict = await inSlices(working, judgingKept(journal.keptFrom(0), expectations));
    return { ...verdict, evicted };
  } finally {
    release();
  }
}

function* judgingKept(kept: readonly KeptExchange[], expectations: Expectations): SlicedWork<Omit<Verdict, 'evicted'>> {
  const calls: SentCall[] = [];
  for (const one of kept) {
    calls.push(sentCall(toEntry(one)));
    yield;
  }
  return yield* judging(calls, expectations);
}

/** Resolves when the expectations seem to hold, or the time is up. Looks only at what is new. */
async function untilTheyHold({ journal }: Sandbox, expectations: Expectations, waitMs: number, working: Working): Promise<void> {
  let progress = new Progress(expectations);
  let place = 0;
  let isUp = false;
  let goOn: (() => void) | null = null;
  let isGathering = false;
  const end = (): void => {
    isUp = true;
    goOn?.();
  };
  const deadline = after(waitMs, end);
  const stopListening = journal.listen({
    exchange: () => void (isGathering || goOn?.()),
    emptied: () => void (progress = new Progress(expectations)),
    ended: end,
  });
  try {
    for (;;) {
      const kept = journal.keptFrom(place);
      place = journal.next;
      await inSlices(
        working,
        takingAll(progress, kept, () => isUp),
      );
      if (isUp || progress.holds) return;
      isGathering = false;
      if (journal.next === place) await new Promise<void>((done) => (goOn = done));
      if (isUp) return;
      isGathering = true;
      await new Promise<void>((done) => {
        const gathered = after(gatheringMs, done);
        goOn = () => {
          gathered.cancel();
          done();
        };
      });
    }
  } finally {
    deadline.cancel();
    stopListening();
  }
}

function* takingAll(progress: Progress, kept: readonly KeptExchange[], isUp: () => boolean): SlicedWork<void> {
  for (const one of kept) {
    if (isUp()) return;
    yield* progress.taking(sentCall(toEntry(one)));
  }
}

function checkOperations({ caps }: Sandbox, { counts = [], sequence = [] }: Expectations): void {
  const list = new ViolationList(caps.violations);
  for (const [base, calls] of [
    ['/counts', counts],
    ['/sequence', sequence],
  ] as const) {
    for (const [index, { operation }] of calls.entries()) {
      if (operation === undefined || isOperationName(operation)) continue;
      const message = (): string => {
        return `is no operation: ${quoted(operation)}.${didYouMean(operation, operationNames)} The operations are ${operationNames.join(', ')}.`;
      };
      list.add(`${base}/${index}/operation`, message);
    }
  }
  refuse('The expectations do not fit.', list);
}
