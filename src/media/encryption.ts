import { createCipheriv } from 'node:crypto';
import type { Transform } from 'node:stream';

/** The AES-128 encryption of whole segments of a media playlist (RFC 8216, 4.3.2.4). */
export interface Encryption {
  /** 32 hexadecimal digits each. */
  readonly key: string;
  readonly iv: string;
}

/** Returns a secret of a sandbox: 64 hexadecimal digits, always the same for the same purpose. */
export type Secret = (...purpose: readonly string[]) => string;

/** Returns the key of a session's recording: 32 hexadecimal digits. */
export function sessionKey(secret: Secret, sessionId: string): string {
  return secret('clearkey', sessionId).slice(0, 32);
}

/** Returns the encryption of the segments of a rendition. */
export function encryptionOf(secret: Secret, sessionId: string, ...rendition: readonly string[]): Encryption {
  return { key: sessionKey(secret, sessionId), iv: secret('iv', sessionId, ...rendition).slice(0, 32) };
}

/** Creates a stream that encrypts a segment. */
export function cipherOf({ key, iv }: Encryption): Transform {
  return createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'));
}

const blockBytes = 16;

/** Returns the length of encrypted data in bytes: PKCS #7 fills the last block, or adds one. */
export function encryptedBytes(bytes: number): number {
  return (Math.floor(bytes / blockBytes) + 1) * blockBytes;
}
