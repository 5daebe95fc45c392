import { parseKey, shortened } from '../../sandbox/keys.ts';

/** How many characters of a key stay at its beginning and its end. */
const keptStart = 4;
const keptEnd = 2;

/** The shortest key of which both stay: not enough to complete it, together with what else may be known of it. */
const shortestKept = 13;

/**
 * Shortens the key of a real school so that it can be distinguished from others: at most four characters stay together. A
 * key of a sandbox is not secret.
 */
export function shownKey(key: string): string {
  if (parseKey(key) !== null) return shortened(key);
  return key.length < shortestKept
    ? `${key.slice(0, keptEnd)}…`
    : `${key.slice(0, keptStart)}…${key.slice(-keptEnd)}`;
}
