import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../base/is-object.ts';
import type { Attempt } from './attempt.ts';
import type { RecentElements } from './recent-elements.ts';

/** Searches have short bodies, and comparing long ones takes long. In characters of JSON. */
const maxChars = 4000;

/** Returns whether a call is the same search with the next keystroke. */
export function nextKeystrokeOf(
  attempt: Attempt,
  recent: Pick<RecentElements, 'of'>,
): (later: Attempt) => boolean {
  if (attempt.entry.request.length > maxChars) return () => false;
  const elements = recent.of(attempt);
  return (later) => {
    if (later.entry.request.length > maxChars) return false;
    const others = recent.of(later);
    return elements.length === 1 && others.length === 1 && differByKeystrokes(elements[0], others[0]);
  };
}

/** Returns whether a call of the same scope is a search for another term, on whichever page. */
export function newerSearchOf(
  attempt: Attempt,
  recent: Pick<RecentElements, 'of'>,
): (later: Attempt) => boolean {
  const term = attempt.entry.scope === null ? null : termIn(attempt, recent);
  return (later) => {
    const newer = term === null || term === '' ? null : termIn(later, recent);
    return newer !== null && newer !== term;
  };
}

/** Returns the term of a search; null if a call is none. */
function termIn(attempt: Attempt, recent: Pick<RecentElements, 'of'>): string | null {
  if (attempt.entry.request.length > maxChars) return null;
  const [only, ...more] = recent.of(attempt);
  const term = more.length === 0 && isObject(only) ? only['filterTerm'] : null;
  return typeof term === 'string' ? term : null;
}

/** Whether two elements differ only in one text, and one of the two texts begins with the other. */
function differByKeystrokes(older: unknown, newer: unknown): boolean {
  if (!isObject(older) || !isObject(newer)) return false;
  const names = new Set([...Object.keys(older), ...Object.keys(newer)]);
  const different = [...names].filter((name) => !isDeepStrictEqual(older[name], newer[name]));
  const [name = ''] = different;
  const [one, other] = [older[name], newer[name]];
  if (different.length !== 1 || typeof one !== 'string' || typeof other !== 'string') return false;
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one));
}
