import type { components } from '../contract/generated/control.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { quoted } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { after } from '../sandbox/clock.ts';
import { CapacityError, ShortageError, ValidationError } from '../base/errors.ts';
import { weightOf } from '../base/weight.ts';
import { Share, type InFlight } from '../sandbox/in-flight.ts';
import type { Journal } from '../sandbox/journal.ts';
import { isOutcome, notAnOutcome } from '../sandbox/outcomes.ts';
import { scopeIn } from '../sandbox/scope.ts';
import { addUnknownSchools } from './journal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { refuse } from './fitting.ts';
import { isObject } from '../base/is-object.ts';
import { sentCall, sentEntry } from './sent-call.ts';
import { judging, Progress } from './verify.ts';
import { inSlices, inTurn, type Working } from './work.ts';

type Expectations = components['schemas']['Expectations'];
type Verdict = components['schemas']['Verdict'];

/**
 * Wait after a new entry before it is checked, so that several entries are checked together and no call is
 * delayed.
 */
const gatheringMs = 20;

/** Expectations take up this many times their own memory while they are compared with calls. */
const memoryOfVerify = 5;

/** What to verify needs from a request. */
type Verifying = Working & {
  readonly parts: { readonly sandboxes: { readonly waitingCalls: InFlight } };
};

/** Throws ValidationError for too many expectations; their form is checked later. */
export function checkNumber(body: unknown, { caps }: Sandbox): void {
  const { counts = null, sequence = null } = isObject(body) ? body : {};
  const lengths = [counts, sequence].map((list) => (Array.isArray(list) ? list.length : 0));
  const [ofCounts = 0, ofSequence = 0] = lengths;
  if (ofCounts + ofSequence <= caps.expectations) return;
  const pointer = ofCounts > caps.expectations || ofSequence === 0 ? '/counts' : '/sequence';
  const message = `brings the number of expectations to ${ofCounts + ofSequence}; the limit of this server is ${caps.expectations} (expectations). Use several requests.`;
  throw new ValidationError('The expectations are invalid.', [{ pointer, message }]);
}

/**
 * Verifies expectations against the journal, waiting up to `waitMs` until they hold. Throws ValidationError
 * for an unknown operation, CapacityError for too many concurrent requests, and ShortageError if they take up too
 * much memory.
 */
export async function verifyJournal(
  sandbox: Sandbox,
  expectations: Expectations,
  working: Verifying,
): Promise<Verdict> {
  checkNames(sandbox, expectations);
  const { verifies, caps } = sandbox;
  const memory = new Share(working.parts.sandboxes.waitingCalls);
  if (!verifies.take(1)) {
    throw new CapacityError(
      `${verifies.used} requests are verifying this journal, the maximum number (${caps.verifies}, verifies). Try again later.`,
    );
  }
  try {
    if (!memory.take(weightOf(expectations) * memoryOfVerify))
      throw new ShortageError(
        '`verify` requests and waiting calls use too much memory. Try again in 1 s.',
        'waitingCallsBytes',
        memory.shortage,
      );
    const { waitMs = 0 } = expectations;
    const scope = scopeIn(expectations.scope);
    // As the journal has it.
    const kept = scope === null ? expectations : { ...expectations, scope };
    if (waitMs > 0) await untilTheyHold(sandbox, kept, waitMs, working);
    return await verdictNow(sandbox, kept, working);
  } finally {
    memory.end();
    verifies.give(1);
  }
}

function verdictNow(sandbox: Sandbox, expectations: Expectations, working: Working): Promise<Verdict> {
  return inTurn(working, sandbox.reading, async () => {
    const { evicted } = sandbox.journal;
    const { scope } = expectations;
    const stored = sandbox.journal.stored.filter((kept) => (scope ?? kept.scope) === kept.scope);
    const entries = stored.map(sentEntry);
    return { ...(await inSlices(working, judging(entries, expectations))), evicted };
  });
}

/** Resolves when the expectations seem to hold or the time is up. Checks only new entries. */
async function untilTheyHold(
  { journal }: Sandbox,
  expectations: Expectations,
  waitMs: number,
  working: Working,
): Promise<void> {
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
      const next = journal.next;
      await inSlices(
        working,
        takeAll(progress, journal, place, { to: next, scope: expectations.scope }, () => isUp),
      );
      place = next;
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

/** Processes the calls between two places. Skips calls that have left the journal. */
function* takeAll(
  progress: Progress,
  journal: Journal,
  from: number,
  { to, scope }: { readonly to: number; readonly scope: string | undefined },
  isUp: () => boolean,
): SlicedWork<void> {
  for (let place = Math.max(from, journal.oldest); place < to; place += 1) {
    if (isUp()) return;
    const kept = journal.at(place);
    if (kept !== undefined && (scope ?? kept.scope) === kept.scope)
      yield* progress.taking(sentCall(sentEntry(kept)));
  }
}

function checkNames(sandbox: Sandbox, expectations: Expectations): void {
  const { counts = [], sequence = [], nothingElse = false } = expectations;
  const list = new ViolationList(sandbox.caps.violations);
  if (counts.length + sequence.length === 0 && !nothingElse)
    list.add('', () => 'expects nothing. Give counts, sequence or nothingElse.');
  if (expectations.scope !== undefined && scopeIn(expectations.scope) === null)
    list.add('/scope', () => 'must not be blank.');
  for (const [index, { atLeast = 0, atMost = Infinity }] of counts.entries())
    if (atLeast > atMost)
      list.add(`/counts/${index}/atMost`, () => `must be at least ${atLeast}, as atLeast, but is ${atMost}.`);
  const schools: [pointer: string, school: string][] = [];
  for (const [base, calls] of [
    ['/counts', counts],
    ['/sequence', sequence],
  ] as const) {
    for (const [index, { operation, outcome, school }] of calls.entries()) {
      if (outcome !== undefined && !isOutcome(outcome))
        list.add(`${base}/${index}/outcome`, () => notAnOutcome(outcome));
      if (school !== undefined) schools.push([`${base}/${index}/school`, school]);
      if (operation === undefined || isOperationName(operation) || outcome === 'unmatched') continue;
      const message = (): string => {
        return `is not an operation: ${quoted(operation)}.${didYouMean(operation, operationNames)} The operations are ${operationNames.join(', ')}.`;
      };
      list.add(`${base}/${index}/operation`, message);
    }
  }
  if (schools.length > 0) addUnknownSchools(list, sandbox, schools);
  refuse('The expectations are invalid.', list);
}
