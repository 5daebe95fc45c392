import type { Encryption } from './encryption.ts';

/** The name of the key beside the playlists. */
export const keyName = 'session.key';

/** A media playlist of segments in the clear as one of encrypted segments. */
export function encrypted(playlist: string, { iv }: Pick<Encryption, 'iv'>): string {
  return playlist.replace('#EXTINF', `#EXT-X-KEY:METHOD=AES-128,URI="${keyName}",IV=0x${iv}\n#EXTINF`);
}

/** A playlist that has a query written behind every name in it, for players that append none themselves. */
export function withQuery(playlist: string, query: string): string {
  return playlist
    .replaceAll(/^[^#\n].*$/gm, (name) => `${name}${query}`)
    .replaceAll(/URI="([^"]*)"/g, (_, name: string) => `URI="${name}${query}"`);
}
