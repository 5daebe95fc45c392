import { createHash, randomBytes } from 'node:crypto';

/**
 * The randomness of one sandbox: everything follows from its seed, a purpose and a number, never from a shared stream, so that
 * the same seed gives the same values whatever happens beside it.
 */
export class Random {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A hexadecimal text of up to 64 digits, always the same for the same purpose. */
  hex(digits: number, ...purpose: readonly (string | number)[]): string {
    return digest(this.#seed, ...purpose).slice(0, digits);
  }

  /** A number from 0 up to, not including, 1, always the same for the same purpose. */
  readonly fraction = (...purpose: readonly (string | number)[]): number => Number.parseInt(this.hex(13, ...purpose), 16) / 2 ** 52;

  /** A secret for a purpose: 64 hexadecimal digits, always the same for the same purpose. */
  readonly secret = (...purpose: readonly string[]): string => this.hex(64, 'secret', ...purpose);
}

/** A secret that nobody can guess, for as long as the server runs: the one thing that must not follow from a seed. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The id of a record that is one of a kind for the given parts: 24 hexadecimal characters. */
export function derivedId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
}

function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
