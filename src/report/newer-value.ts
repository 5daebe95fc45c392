import { isObject } from '../base/is-object.ts';
import type { Attempt } from './attempt.ts';
import type { RecentElements } from './recent-elements.ts';

/** Returns whether a later write has the same text in the same field, such as the id of the record. */
export function newerValueOf(
  attempt: Attempt,
  recent: Pick<RecentElements, 'of'>,
): (later: Attempt) => boolean {
  const texts = new Set(recent.of(attempt).flatMap(textsOf));
  return (later) => recent.of(later).some((element) => textsOf(element).some((text) => texts.has(text)));
}

function textsOf(element: unknown): readonly string[] {
  if (!isObject(element)) return [];
  return Object.entries(element).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}
