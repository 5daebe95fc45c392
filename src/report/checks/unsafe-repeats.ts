import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { groupBy } from '../../base/group-by.ts';
import { senderOf, type Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { inScopes, judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { ofProgram, programRule } from '../human-pauses.ts';
import { SentBefore } from '../sent-before.ts';
import { Trouble } from '../trouble.ts';
import { byTarget, duplicatesIn, followedIn } from '../sent-elements.ts';

/** A person who submits the same answers again needs this time; a client that saves automatically has longer pauses. */
const humanMs = 1000;

/** A test may submit again to learn what happens, or as a person who tries again. */
const fewestInScope = 2;

/** If nothing failed before, a test of this many different submissions is hardly one of what a second one does. */
const fewestHabit = 2;

export const unsafeRepeats: Check = {
  check: 'unsafe-repeats',
  title: 'Repeats a write only if that is safe',
  rule: 'If the response to a write is lost, the write may have taken effect. The client may repeat the write only if that is safe.',
  details: [
    'A response is lost if it does not arrive completely, is a gateway page, has the wrong content type, or has the status 408 or 5xx (except 501, 503 and 505). The output of an element is lost if it is missing.',
    'Creating an instructor is documented as idempotent, and an update sets the same values again. The effect of a second submission is not documented.',
    `In a scope, the client must not submit the same element twice at the same time, or again within ${humanMs / 1000} s after a success. If nothing failed and no fault occurred in the scope before, such repeats count only if the client repeats ${fewestHabit} or more different submissions. A repeat does not count if the client submitted another element for the same learner and course item in between.`,
    'The check compares elements, not whole requests.',
  ],
  exceptions: [
    'A later submission after a success. The learner may have sent it.',
    'A single repeated submission in a scope, unless both were sent at the same time. A test may try this on purpose.',
    'A single submission in a scope that was repeated although nothing had failed, even if both were sent at the same time. A test may check that the repeat changes nothing.',
    'A lost submission that was sent again in another scope. The other scope may be a redelivery of the same queue message, or another test.',
    'The same element twice in one batch.',
    'A changed submission after a lost one. The learner may have changed the answer.',
    `The same submission after a lost one, if a person may have sent it again. The check attributes pauses to a program if ${programRule}.`,
  ],
  basis: 'RFC 9110, section 9.2.2: a client should not automatically retry a request that is not idempotent.',
  strength: 'should',
  occasion: 'writes that are not safe to repeat, and whose response was lost or which were sent again',
  exercise: 'lp-sandbox exec --scenario lost-replies -- CMD',
  ofFailures: true,
  *examine({ attempts, byOperation }): SlicedWork<Examination> {
    const seen: Seen = {
      occasions: 0,
      changed: 0,
      inOtherScopes: 0,
      lost: [],
      twice: [],
      atOnce: [],
      repeats: new Map(),
      trouble: new Trouble(attempts),
    };
    const sentBefore = new SentBefore(attempts);
    for (const own of byOperation) {
      const [some] = own;
      if (some === undefined || isSafe(some)) continue;
      const sent = yield* byTarget(own);
      const soonest = new Map<Attempt, Attempt>();
      const others = new Map<Attempt, Attempt>();
      const again = new Set<Attempt>();
      for (const same of sent.groups) {
        yield;
        for (const [{ attempt, key }, next] of yield* followedIn(same)) {
          if (next.key !== key) seen.changed += 1;
          else {
            again.add(next.attempt);
            const before = soonest.get(attempt);
            if (before === undefined || next.attempt.number < before.number)
              soonest.set(attempt, next.attempt);
          }
        }
        for (const [former, latter] of duplicatesIn(same)) others.set(latter, former);
      }
      seen.occasions += sent.losses + others.size;
      seen.lost.push(...[...soonest].map(lostBreach));
      for (const [latter, former] of others) {
        if (former !== latter && sentBefore.isCertain(latter, former))
          seen.atOnce.push(twiceBreach(former, latter, 'at the same time'));
        else seen.twice.push(twiceBreach(former, latter, 'after it had succeeded'));
      }
      const count = seen.repeats.get(some.client) ?? 0;
      seen.repeats.set(some.client, count + new Set([...again, ...others.keys()]).size);
    }
    seen.inOtherScopes = yield* countInOtherScopes(attempts);
    return examinationOf(seen);
  },
};

interface Seen {
  occasions: number;
  /** Changed submissions after lost ones. */
  changed: number;
  readonly lost: Breach[];
  /** Lost submissions that were sent again in another scope. */
  inOtherScopes: number;
  /** Submissions after a success, and those at the same time. */
  readonly twice: Breach[];
  readonly atOnce: Breach[];
  /** How often each client submitted something again. */
  readonly repeats: Map<string, number>;
  readonly trouble: Trouble;
}

function examinationOf(seen: Seen): Examination {
  const { occasions, lost, twice, atOnce, changed, repeats } = seen;
  const isSingle = (breach: Breach): boolean =>
    breach.calls[0].entry.scope !== null && (repeats.get(clientOf(breach)) ?? 0) < fewestInScope;
  const own = [...groupBy(lost, clientOf).values()].flatMap((all) => ofProgram(all, waitOf));
  const certain = own.filter((breach) => !isSingle(breach));
  const soon = inScopes(twice).filter((breach) => isWithin(breach, humanMs) && !isSingle(breach));
  const again = provoked([...soon, ...inScopes(atOnce)], seen);
  const judged = judgedRepeats(occasions, certain);
  const breaches = [...judged.breaches, ...again];
  if (again.length < twice.length + atOnce.length || certain.length < own.length)
    return { ...judged, breaches, notJudged: submittedAgain };
  if (own.length < lost.length) return { notJudged: sentLater, ...judged, breaches };
  if (seen.inOtherScopes > 0) return { notJudged: sentInOtherScopes, ...judged, breaches };
  return changed === 0 ? { ...judged, breaches } : { notJudged: sentAnother, ...judged, breaches };
}

/** Leaves out submissions that were repeated although nothing had failed, if a test may have done so on purpose. */
function provoked(again: readonly Breach[], { trouble }: Seen): readonly Breach[] {
  return [...groupBy(again, clientOf).values()].flatMap((own) => {
    const requests = new Set(own.map(({ calls: [{ request }] }) => request)).size;
    const isHabit = requests >= fewestHabit;
    return own.filter(({ calls }) => isHabit || trouble.isBefore(calls.at(-1) ?? calls[0]));
  });
}

/** Counts the lost submissions whose next one, in another scope, is the same. */
function* countInOtherScopes(attempts: readonly Attempt[]): SlicedWork<number> {
  const unsafe = attempts.filter((attempt) => !isSafe(attempt));
  let count = 0;
  const bySender = groupBy(unsafe, (attempt) => `${senderOf(attempt)} ${attempt.entry.operation}`);
  for (const own of bySender.values()) {
    if (new Set(own.map(({ client }) => client)).size < 2) continue;
    const sent = yield* byTarget(own);
    for (const same of sent.groups)
      for (const [lost, next] of yield* followedIn(same))
        if (next.key === lost.key && next.attempt.client !== lost.attempt.client) count += 1;
  }
  return count;
}

const submittedAgain =
  'The same element was submitted more than once. The learner may have done so, or several tests, or a test that checks what a second submission does. Give each test a scope.';

const sentInOtherScopes =
  'A submission was lost, and the same one was sent in another scope. If a scope is one delivery of a queue, the client sent it again. If it is a test, another test may have the same fixture.';

const sentLater =
  'A submission was lost, and sent again. The pauses are too long, too few, or too different to prove that a program did so, so the learner may have sent it again.';

const sentAnother =
  'A submission was lost, and another one for the same learner and course item followed. Its answers may be new ones, or the same in another form.';

/** Whether the second submission followed too soon to be the work of a person. */
function isWithin({ calls: [former, latter] }: Breach, milliseconds: number): boolean {
  return latter !== undefined && former !== latter && waited(former, latter) < milliseconds;
}

function waitOf({ calls: [former, latter] }: Breach): number {
  return latter === undefined ? 0 : waited(former, latter);
}

function clientOf({ calls: [{ client }] }: Breach): string {
  return client;
}

/** Whether a call can be repeated safely, whatever the effect of the first one. */
function isSafe({ entry: { operation } }: Attempt): boolean {
  return !isOperationName(operation) || operationFacts[operation].safeToRepeat;
}

function lostBreach([before, next]: readonly [Attempt, Attempt]): Breach {
  const effect = tookEffect(before)
    ? 'it had taken effect'
    : 'it had not taken effect, but the client could not know that';
  const twice = tookEffect(before) && tookEffect(next) ? ', and took effect again' : '';
  const message = `The client repeated the call after its response was lost: ${effect}${twice}.`;
  return { message, calls: [before, next] };
}

function twiceBreach(before: Attempt, attempt: Attempt, when: string): Breach {
  if (before === attempt) return { message: 'A batch has the same element twice.', calls: [attempt] };
  return { message: `The client submitted the same element again ${when}.`, calls: [before, attempt] };
}

function tookEffect({ entry }: Attempt): boolean {
  return entry.outcomes.includes('ok');
}
