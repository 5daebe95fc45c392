/** A link as a client can follow it: paths on this server get its origin in front, other URLs stay. */
export function absoluteUrl(link: string, origin: string): string {
  return link.startsWith('/') ? `${origin}${link}` : link;
}
