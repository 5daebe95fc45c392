import type { SlicedWork } from '../base/sliced-work.ts';
import { isObject } from '../base/is-object.ts';
import { isEffectUnknown, type Attempt } from './attempt.ts';
import { firstSince } from './first-since.ts';

/** Returns the texts of an element, in any case and without the spaces around them, such as its learner and course item. */
function targetOf(element: unknown): string {
  if (!isObject(element)) return '';
  const texts = Object.entries(element).flatMap(([name, value]) =>
    typeof value === 'string' ? [JSON.stringify([name, value.trim().toLowerCase()])] : [],
  );
  return texts.toSorted().join();
}

/** One element that was sent. */
export interface Sent {
  readonly attempt: Attempt;
  readonly key: number;
  /** Whether the client cannot know if it took effect. */
  readonly isLost: boolean;
  /** Whether the client was told that it failed. */
  readonly hasFailed: boolean;
  readonly tookEffect: boolean;
  /** Whether the batch has it again. */
  isTwice: boolean;
}

/** Groups the elements of calls by their targets, in the order of arrival, and counts the calls with lost ones. */
export function* byTarget(
  own: readonly Attempt[],
): SlicedWork<{ readonly groups: readonly (readonly Sent[])[]; readonly losses: number }> {
  const found = new Map<string, Sent[]>();
  let losses = 0;
  for (const attempt of own) {
    yield;
    const lost = new Set(lostKeys(attempt));
    if (lost.size > 0) losses += 1;
    const hasFailed = failuresOf(attempt);
    for (const [place, element] of attempt.elements().entries()) {
      const target = targetOf(element);
      const key = attempt.keys[place] ?? NaN;
      const sent: Sent = {
        attempt,
        isTwice: false,
        key,
        isLost: lost.has(key),
        hasFailed: hasFailed(place),
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

/** The number of elements to look at before the work may be interrupted. */
const sliceLength = 256;

/** Returns lost elements, each with the next one that was sent after its response. */
export function* followedIn(
  same: readonly Sent[],
): SlicedWork<readonly (readonly [lost: Sent, next: Sent])[]> {
  const found: [Sent, Sent][] = [];
  let end = 0;
  let next: Sent | undefined;
  for (const [place, sent] of same.entries()) {
    if (place % sliceLength === 0) yield;
    const { attempt } = sent;
    if (place === end) {
      while (same[end]?.attempt === attempt) end += 1;
      next =
        same[
          Math.max(
            end,
            firstSince(same, attempt.replied, (other) => other.attempt.received),
          )
        ];
    }
    if (sent.isLost && next !== undefined) found.push([sent, next]);
  }
  return found;
}

/**
 * Returns elements that took effect twice although no response was lost before the second was sent, with no other
 * one in between.
 */
export function duplicatesIn(
  same: readonly Sent[],
): readonly (readonly [former: Attempt, latter: Attempt])[] {
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
function mayRepeat({ isLost, hasFailed, attempt }: Sent, next: Sent): boolean {
  if (attempt.replied > next.attempt.received) return false;
  return isLost || hasFailed;
}

/** Returns whether the client was told that the element at a place of the batch failed. */
function failuresOf({ ending, outputs }: Attempt): (place: number) => boolean {
  if (ending !== 'element-error') return () => ending !== 'ok';
  return (place) => outputs?.[place] !== 'ok';
}

/** Returns the elements of a call of which the client cannot know whether they took effect. */
function lostKeys(attempt: Attempt): readonly number[] {
  const { ending, entry, keys, outputs } = attempt;
  if (isEffectUnknown(attempt)) return [...keys];
  if (ending !== 'element-error' || entry.cut.response > 0) return [];
  if (outputs === null) return [];
  return [...keys].filter((_, index) => (outputs[index] ?? 'unreadable') === 'unreadable');
}
