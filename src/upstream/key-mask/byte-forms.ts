/** Returns the base64 characters that depend only on these bytes if `before` others come before them. */
export function base64After(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  return all.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
}

const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The same in Base32 (RFC 4648). */
export function base32After(bytes: Buffer, before: number): string {
  const bits = [...Buffer.alloc(before), ...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups
    .slice(Math.ceil((before * 8) / 5))
    .map((group) => alphabet32[Number.parseInt(group, 2)])
    .join('');
}
