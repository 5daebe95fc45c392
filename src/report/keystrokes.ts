import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../base/is-object.ts';
import type { Attempt } from './attempt.ts';

/** Returns whether a call is the same search with the next keystroke. */
export function nextKeystrokeOf(attempt: Attempt): (later: Attempt) => boolean {
  const [older, ...more] = attempt.elements();
  return (later) => {
    const [newer, ...others] = later.elements();
    return more.length === 0 && others.length === 0 && differByKeystrokes(older, newer);
  };
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
