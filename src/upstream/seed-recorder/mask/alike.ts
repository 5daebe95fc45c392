import type { Digest } from './digest.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const hex = '0123456789abcdef';

/** Longer values are not treated as ids; they become 32 hexadecimal digits. */
const longest = 100;

/** After this many attempts that are taken, a replacement is one character longer. */
const attemptsPerLength = 20;

/**
 * Returns a text of the same form: digits for digits, letters for letters, 24 hexadecimal digits for 24
 * hexadecimal digits, a UUID for a UUID.
 */
export function alike(digest: Digest, purpose: string, value: string, attempt: number): string {
  if (value.length > longest) return digest(purpose, `${attempt} ${value}`).toString('hex').slice(0, 32);
  const form = `${value}${(value.at(-1) ?? '0').repeat(Math.floor(attempt / attemptsPerLength))}`;
  const random = bytesOf(digest, purpose, `${attempt} ${value}`);
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(form);
  const isHex = isUuid || (/^[0-9a-f]{8,}$/i.test(form) && /[a-f]/i.test(form));
  // Two digits of a UUID hold its version and variant.
  return Array.from(form, (char, at) =>
    isUuid && (at === 14 || at === 19) ? char : likeCharacter(char, isHex, random),
  ).join('');
}

function likeCharacter(char: string, isHex: boolean, random: () => number): string {
  const pick = (from: string): string => from[random() % from.length] ?? '0';
  if (isHex && /[0-9a-f]/i.test(char)) return /[A-F]/.test(char) ? pick(hex).toUpperCase() : pick(hex);
  if (/[0-9]/.test(char)) return pick(digits);
  if (/[A-Z]/.test(char)) return pick(lower).toUpperCase();
  if (/[-_.:]/.test(char)) return char;
  return pick(lower);
}

/** Yields bytes without end. */
function bytesOf(digest: Digest, purpose: string, value: string): () => number {
  let block: Buffer = Buffer.alloc(0);
  let at = 0;
  let number = 0;
  return () => {
    if (at >= block.length) {
      block = digest(purpose, `${number} ${value}`);
      number += 1;
      at = 0;
    }
    const byte = block[at] ?? 0;
    at += 1;
    return byte;
  };
}
