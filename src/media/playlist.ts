/** How the segments of a media playlist are encrypted: AES-128 for whole segments (RFC 8216, 4.3.2.4). */
export interface Encryption {
  /** 32 hexadecimal digits each. */
  readonly key: string;
  readonly iv: string;
}

/** The name of the key beside the playlists. */
export const keyName = 'session.key';

/** A media playlist of segments in the clear as one of encrypted segments. */
export function encrypted(playlist: string, { iv }: Encryption): string {
  return playlist.replace('#EXTINF', `#EXT-X-KEY:METHOD=AES-128,URI="${keyName}",IV=0x${iv}\n#EXTINF`);
}

/** A playlist that has a query written behind every name in it, for players that append none themselves. */
export function withQuery(playlist: string, query: string): string {
  return playlist
    .replaceAll(/^[^#\n].*$/gm, (name) => `${name}${query}`)
    .replaceAll(/URI="([^"]*)"/g, (_, name: string) => `URI="${name}${query}"`);
}
