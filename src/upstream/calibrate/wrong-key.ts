import { newToken, Random } from '../../sandbox/random.ts';

const maxPrefix = 4;
/** Two keys never share a part of this many characters. */
const tooMany = 5;

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const separators = '-_.~:';

/**
 * Returns an unknown key of the same form: it keeps a prefix such as `sk_` and the separators, and replaces
 * every other letter or digit by a random one of its kind. It shares no part of five or more characters with
 * the key.
 */
export function wrongKey(key: string): string {
  const random = new Random(0);
  const purpose = newToken();
  const parts = new Set(
    Array.from({ length: key.length }, (_, at) => key.slice(at, at + tooMany).toLowerCase()).filter(
      (part) => part.length === tooMany,
    ),
  );
  const prefix = /^[A-Za-z_]*/.exec(key)?.[0].length ?? 0;
  let wrong = '';
  for (const [at, character] of key.split('').entries()) {
    const isKept = at < Math.min(prefix, maxPrefix) || !isAlphanumeric(character);
    const shuffled = (letters: string): readonly string[] =>
      inOrder(
        letters.split('').filter((one) => one !== character),
        (index) => random.fraction(purpose, at, index),
      );
    const candidates = [
      ...(isKept ? [character] : []),
      ...shuffled(kindOf(character)),
      ...shuffled(digits + lower + upper),
    ];
    const isNew = (one: string): boolean => !parts.has(`${wrong}${one}`.slice(-tooMany).toLowerCase());
    wrong += candidates.find(isNew) ?? character;
  }
  return wrong === key ? `${wrong}0` : wrong;
}

function isAlphanumeric(character: string): boolean {
  return /[0-9A-Za-z]/.test(character);
}

function kindOf(character: string): string {
  return [digits, lower, upper].find((kind) => kind.includes(character)) ?? separators;
}

/** Returns members in a random order. */
function inOrder(members: readonly string[], weight: (index: number) => number): readonly string[] {
  return members
    .map((member, index) => ({ member, weight: weight(index) }))
    .toSorted((one, other) => one.weight - other.weight)
    .map(({ member }) => member);
}
