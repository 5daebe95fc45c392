import { isObject } from '../base/is-object.ts';
import type { Attempt } from './attempt.ts';
import { firstAfter } from './calls.ts';
import { newerSearchOf, nextKeystrokeOf } from './keystrokes.ts';
import type { RecentElements } from './recent-elements.ts';

/** The later calls of an operation that may replace a failed update or search. */
const callsUntilReplaced = 20;

/** Whether a later call makes this one needless: a newer value of the same record, or the next keystroke of a search. */
export function isReplaced(attempt: Attempt, own: readonly Attempt[], recent: RecentElements): boolean {
  const replaces = attempt.entry.operation.startsWith('update-')
    ? newerValueOf(attempt, recent)
    : nextKeystrokeOf(attempt, recent);
  return firstAfter(attempt, own, replaces, callsUntilReplaced) !== undefined;
}

/** Whether a later call of the same scope is a search for another term: the user saw the error, and went on. */
export function isSearchedAgain(attempt: Attempt, own: readonly Attempt[], recent: RecentElements): boolean {
  return firstAfter(attempt, own, newerSearchOf(attempt, recent), callsUntilReplaced) !== undefined;
}

/** Returns whether a later write has the same text in the same field, such as the id of the record. */
function newerValueOf(attempt: Attempt, recent: Pick<RecentElements, 'of'>): (later: Attempt) => boolean {
  const texts = new Set(recent.of(attempt).flatMap(textsOf));
  return (later) => recent.of(later).some((element) => textsOf(element).some((text) => texts.has(text)));
}

function textsOf(element: unknown): readonly string[] {
  if (!isObject(element)) return [];
  return Object.entries(element).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}
