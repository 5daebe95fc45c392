import { createHmac } from 'node:crypto';

/**
 * Returns a keyed digest of a value for a purpose. Without the secret, it cannot be guessed by trying values.
 */
export type Digest = (purpose: string, value: string) => Buffer;

export function digestWith(secret: string): Digest {
  return (purpose, value) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, value]))
      .digest();
}
