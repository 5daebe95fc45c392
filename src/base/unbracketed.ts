/** Returns the host name of a URL without the brackets of an IPv6 address, which are part of the URL only. */
export function unbracketed(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
