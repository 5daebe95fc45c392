import type { OptionOf } from '../assumptions.ts';

/** The format of e-mail addresses in schemas for each option of `emailFormat`; only `email` is in the documents. */
export const emailFormats = {
  ascii: 'email',
  'ascii-limited': 'email-limited',
  international: 'email-international',
} as const satisfies { readonly [O in OptionOf<'emailFormat'>]: string };

/** The limits of RFC 5321. */
export const maxWordChars = 64;
const maxChars = 254;
const encoder = new TextEncoder();

/** The same as the format `email` of ajv-formats. */
const ascii =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

const international =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u;

/** Matches the addresses that records and responses may have, under every option. */
export const anyAddress = /^[^\s@]+@[^\s@]+$/;

/** Whether an address of ASCII characters is not too long for RFC 5321. */
export function isLimited(address: string): boolean {
  return isShort(address) && ascii.test(address);
}

/** Whether an address is one with letters of any script. */
export function isInternational(address: string): boolean {
  return (
    address.length <= maxChars && encoder.encode(address).length <= maxChars && international.test(address)
  );
}

/** Whether the options of `emailFormat` disagree about an address. */
export function isDisputed(address: string): boolean {
  return ascii.test(address) ? !isShort(address) : isInternational(address);
}

function isShort(address: string): boolean {
  return address.length <= maxChars && address.indexOf('@') <= maxWordChars;
}
