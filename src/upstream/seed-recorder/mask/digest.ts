import { createHmac } from 'node:crypto';

/** A digest of a value for a purpose, under a secret: the same each time, and not to be guessed by trying values without the secret. */
export type Digest = (purpose: string, value: string) => Buffer;

export function digestWith(secret: string): Digest {
  return (purpose, value) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, value]))
      .digest();
}
