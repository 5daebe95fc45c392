import { createHash, randomBytes, randomInt } from 'node:crypto';

/**
 * The randomness of one sandbox. Every value follows from the seed and a purpose, not from a shared stream,
 * so that the same seed gives the same values regardless of other activity.
 */
export class Random {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns up to 64 hexadecimal digits, always the same for the same purpose. */
  hex(digits: number, ...purpose: readonly (string | number)[]): string {
    return digest(this.#seed, ...purpose).slice(0, digits);
  }

  /** Returns a number from 0 to 1 (exclusive), always the same for the same purpose. */
  readonly fraction = (...purpose: readonly (string | number)[]): number =>
    Number.parseInt(this.hex(13, ...purpose), 16) / 2 ** 52;

  /** Returns a secret of 64 hexadecimal digits, always the same for the same purpose. */
  readonly secret = (...purpose: readonly string[]): string => this.hex(64, 'secret', ...purpose);
}

/** Creates a random control token. Unlike all other values, it must not follow from a seed. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

const idChars = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Creates a sandbox id of 20 characters that nobody can guess. It must not follow from a seed. */
export function unguessableId(): string {
  return Array.from({ length: 20 }, () => idChars[randomInt(idChars.length)]).join('');
}

/** Returns an integer below 2 ** 51 that no other process gets, nor one near it. It must not follow from a seed. */
export function randomNumber(): number {
  return randomInt(2 ** 48 - 1) * 8;
}

/** Returns a record id that is unique for the given parts: 24 hexadecimal digits. */
export function derivedId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
}

function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
