/** Returns an absolute URL: prepends the origin to a path on this server. */
export function absoluteUrl(link: string, origin: string): string {
  return link.startsWith('/') ? `${origin}${link}` : link;
}
