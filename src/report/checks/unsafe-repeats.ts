import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { isObject } from '../../base/is-object.ts';
import { isEffectUnknown, type Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { inScopes, judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';

/** A person who submits the same once more needs this time, a client that saves by itself has longer pauses. */
const humanMs = 1000;

/** After a lost response, the person sees an error first. */
const askedMs = 1500;

export const unsafeRepeats: Check = {
  check: 'unsafe-repeats',
  title: 'Repeats a write only if that is safe',
  rule:
    'The response to a write is lost if it does not arrive completely, is a gateway page, has the wrong content type, or has the status 408 or 5xx (without 501, 503 and 505); the output of an element is lost if it is missing. The write may have taken effect, so the client must repeat it only if that is safe. ' +
    'Creating an instructor is documented as idempotent, and an update sets the same values again. The effect of a second submission is not documented. In a scope, the client must not submit the same element twice either, at the same time or within ' +
    `${humanMs / 1000} s after a success, unless it submitted another one for the same learner and course item in between; later, the learner may have done so, which is not judged. Neither is the same element twice in one batch. ` +
    'The check compares elements. A changed submission after a lost one is not judged: the learner may have changed the answer. Neither is the same one after ' +
    `${askedMs / 1000} s: the learner may have sent it again.`,
  basis: 'RFC 9110, section 9.2.2: a client should not retry a request that is not idempotent automatically.',
  strength: 'should',
  occasion: 'writes that are not safe to repeat, and whose response was lost or which were sent again',
  exercise: 'lp-sandbox exec --scenario lost-replies -- CMD',
  ofFailures: true,
  *examine({ byOperation }): SlicedWork<Examination> {
    const lost: Breach[] = [];
    const twice: Breach[] = [];
    let occasions = 0;
    let changed = 0;
    for (const own of byOperation) {
      const [some] = own;
      if (some === undefined || isSafe(some)) continue;
      const sent = yield* byTarget(own);
      occasions += sent.losses;
      const repeats = new Map<Attempt, Attempt>();
      const others = new Map<Attempt, Attempt>();
      for (const same of sent.groups) {
        yield;
        for (const [{ attempt, key }, next] of followedIn(same)) {
          const soonest = repeats.get(attempt);
          if (next.key !== key) changed += 1;
          else if (soonest === undefined || next.attempt.number < soonest.number)
            repeats.set(attempt, next.attempt);
        }
        for (const [former, latter] of duplicatesIn(same)) others.set(latter, former);
      }
      lost.push(...[...repeats].map(lostBreach));
      twice.push(...[...others].map(([latter, former]) => twiceBreach(former, latter)));
    }
    return examinationOf({ occasions, lost, twice, changed });
  },
};

function examinationOf({
  occasions,
  lost,
  twice,
  changed,
}: {
  readonly occasions: number;
  readonly lost: readonly Breach[];
  readonly twice: readonly Breach[];
  readonly changed: number;
}): Examination {
  const own = lost.filter((breach) => isWithin(breach, askedMs));
  const judged = judgedRepeats(occasions + twice.length, own);
  const certain = inScopes(twice).filter((breach) => isWithin(breach, humanMs));
  const breaches = [...judged.breaches, ...certain];
  if (certain.length < twice.length) {
    const notJudged =
      'The same element was submitted more than once, which may be the work of the learner, or of several tests. Give each test a scope.';
    return { ...judged, breaches, notJudged };
  }
  if (own.length < lost.length) {
    const notJudged = `A submission was lost, and sent again after more than ${askedMs / 1000} s. The learner may have sent it again.`;
    return { notJudged, ...judged, breaches };
  }
  if (changed === 0) return { ...judged, breaches };
  const notJudged =
    'A submission was lost, and another one for the same learner and course item followed. Its answers may be new ones, or the same in another form.';
  return { notJudged, ...judged, breaches };
}

/** Whether the second submission followed so soon that nobody can have asked for it. */
function isWithin({ calls: [former, latter] }: Breach, milliseconds: number): boolean {
  return latter !== undefined && former !== latter && waited(former, latter) < milliseconds;
}

/** Whether a call can be repeated safely, whatever the effect of the first one. */
function isSafe({ entry: { operation } }: Attempt): boolean {
  return !isOperationName(operation) || operationFacts[operation].safeToRepeat;
}

/** Returns the elements of a call of which the client cannot know whether they took effect. */
function lostKeys(attempt: Attempt): readonly number[] {
  const { ending, entry, keys } = attempt;
  if (isEffectUnknown(attempt)) return [...keys];
  if (ending !== 'element-error' || entry.cut.response > 0) return [];
  const outputs = attempt.outputs();
  if (outputs === null) return [];
  return [...keys].filter((_, index) => (outputs[index]?.status ?? 'unreadable') === 'unreadable');
}

function lostBreach([before, next]: readonly [Attempt, Attempt]): Breach {
  const effect = tookEffect(before)
    ? 'it had taken effect'
    : 'it had not taken effect, but the client could not know that';
  const twice = tookEffect(before) && tookEffect(next) ? ', and took effect again' : '';
  const message = `The client repeated the call after its response was lost: ${effect}${twice}.`;
  return { message, calls: [before, next] };
}

function twiceBreach(before: Attempt, attempt: Attempt): Breach {
  if (before === attempt) return { message: 'A batch has the same element twice.', calls: [attempt] };
  const when = before.replied > attempt.received ? 'at the same time' : 'after it had succeeded';
  return { message: `The client submitted the same element again ${when}.`, calls: [before, attempt] };
}

/** Returns the texts of an element, in any case and without the spaces around them, such as its learner and course item. */
function targetOf(element: unknown): string {
  if (!isObject(element)) return '';
  const texts = Object.entries(element).flatMap(([name, value]) =>
    typeof value === 'string' ? [JSON.stringify([name, value.trim().toLowerCase()])] : [],
  );
  return texts.toSorted().join();
}

/** One element that was sent. */
interface Sent {
  readonly attempt: Attempt;
  readonly key: number;
  /** Whether the client cannot know if it took effect. */
  readonly isLost: boolean;
  readonly tookEffect: boolean;
  /** Whether the batch has it again. */
  isTwice: boolean;
}

/** Groups the elements of calls by their targets, in the order of arrival, and counts the calls with lost ones. */
function* byTarget(
  own: readonly Attempt[],
): SlicedWork<{ readonly groups: readonly (readonly Sent[])[]; readonly losses: number }> {
  const found = new Map<string, Sent[]>();
  let losses = 0;
  for (const attempt of own) {
    yield;
    const lost = new Set(lostKeys(attempt));
    if (lost.size > 0) losses += 1;
    for (const [place, element] of attempt.elements().entries()) {
      const target = targetOf(element);
      const key = attempt.keys[place] ?? NaN;
      const sent: Sent = {
        attempt,
        isTwice: false,
        key,
        isLost: lost.has(key),
        tookEffect: attempt.entry.outcomes[place] === 'ok',
      };
      const same = found.get(target);
      const last = same?.at(-1);
      if (same === undefined) found.set(target, [sent]);
      else if (last?.attempt !== attempt || last.key !== key) same.push(sent);
      else last.isTwice ||= sent.tookEffect;
    }
  }
  return { groups: [...found.values()], losses };
}

/** Returns lost elements, each with the next one that was sent after its response. */
function followedIn(same: readonly Sent[]): readonly (readonly [lost: Sent, next: Sent])[] {
  const nexts = new Map<Attempt, Sent | undefined>();
  return same.flatMap((sent, place) => {
    const { attempt, isLost } = sent;
    if (!isLost) return [];
    if (!nexts.has(attempt)) nexts.set(attempt, nextAfter(same, place));
    const next = nexts.get(attempt);
    return next === undefined ? [] : [[sent, next] as const];
  });
}

function nextAfter(same: readonly Sent[], place: number): Sent | undefined {
  const replied = same[place]?.attempt.replied ?? Infinity;
  for (let index = place + 1; index < same.length; index += 1)
    if ((same[index]?.attempt.received ?? 0) >= replied) return same[index];
  return undefined;
}

/**
 * Returns elements that took effect twice although no response was lost before the second was sent, with no other
 * one in between.
 */
function duplicatesIn(same: readonly Sent[]): readonly (readonly [former: Attempt, latter: Attempt])[] {
  const found: [Attempt, Attempt][] = [];
  let last: Sent | undefined;
  for (const sent of same) {
    const isEqual = last?.key === sent.key;
    if (isEqual && !sent.tookEffect) continue;
    if (isEqual && last?.tookEffect && !mayRepeat(last, sent)) found.push([last.attempt, sent.attempt]);
    else if (sent.isTwice && sent.tookEffect) found.push([sent.attempt, sent.attempt]);
    last = sent;
  }
  return found;
}

/** Whether an element was sent again after its response was lost, or said that it had no effect, although it had. */
function mayRepeat({ isLost, attempt, key }: Sent, next: Sent): boolean {
  if (attempt.replied > next.attempt.received) return false;
  return isLost || hasFailed(attempt, key);
}

/** Whether the client was told that an element failed. */
function hasFailed({ ending, keys, outputs }: Attempt, key: number): boolean {
  if (ending === 'ok') return false;
  if (ending !== 'element-error') return true;
  return outputs()?.[keys.indexOf(key)]?.status !== 'ok';
}

function tookEffect({ entry }: Attempt): boolean {
  return entry.outcomes.includes('ok');
}
