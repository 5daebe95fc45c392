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

const alphabet58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The same in base58, in which every character depends on all bytes. */
export function base58Of(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex') || '0'}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${alphabet58[Number(rest % 58n)]}${text}`;
  return text;
}

/** The same in Ascii85, without the groups that other bytes share. `isLast` says that no bytes follow. */
export function ascii85After(bytes: Buffer, before: number, isLast: boolean): string {
  const own = bytes.subarray((4 - before) % 4);
  const groups = Array.from({ length: Math.ceil(own.length / 4) }, (_, at) =>
    own.subarray(at * 4, at * 4 + 4),
  );
  return groups.map((group) => (group.length === 4 || isLast ? ascii85Group(group) : '')).join('');
}

function ascii85Group(group: Buffer): string {
  const digits: number[] = [];
  let rest = Buffer.concat([group], 4).readUInt32BE();
  for (; digits.length < 5; rest = Math.floor(rest / 85)) digits.unshift(rest % 85);
  return String.fromCharCode(...digits.slice(0, group.length + 1).map((digit) => digit + 33));
}
