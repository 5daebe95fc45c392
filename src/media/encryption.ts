import { createCipheriv } from 'node:crypto';
import type { Transform } from 'node:stream';

/** How the segments of a media playlist are encrypted: AES-128 for whole segments (RFC 8216, 4.3.2.4). */
export interface Encryption {
  /** 32 hexadecimal digits each. */
  readonly key: string;
  readonly iv: string;
}

/** The secrets of a sandbox: 64 hexadecimal digits, always the same for the same purpose. */
export type Secret = (...purpose: readonly string[]) => string;

/** The key of everything that was recorded of a session: 32 hexadecimal digits. */
export function sessionKey(secret: Secret, sessionId: string): string {
  return secret('clearkey', sessionId).slice(0, 32);
}

/** How the segments of one of its renditions are encrypted. */
export function encryptionOf(secret: Secret, sessionId: string, ...rendition: readonly string[]): Encryption {
  return { key: sessionKey(secret, sessionId), iv: secret('iv', sessionId, ...rendition).slice(0, 32) };
}

/** What encrypts a segment while it passes. */
export function cipherOf({ key, iv }: Encryption): Transform {
  return createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'));
}

const blockBytes = 16;

/** How many bytes become of so many: PKCS #7 fills the last block, or adds one. */
export function encryptedBytes(bytes: number): number {
  return (Math.floor(bytes / blockBytes) + 1) * blockBytes;
}
