import type { Encryption } from './encryption.ts';

/** The file name of the key, which is next to the playlists. */
export const keyName = 'session.key';

/** Adds the key to a media playlist of unencrypted segments. */
export function encrypted(playlist: string, { iv }: Pick<Encryption, 'iv'>): string {
  return playlist.replace('#EXTINF', `#EXT-X-KEY:METHOD=AES-128,URI="${keyName}",IV=0x${iv}\n#EXTINF`);
}

/** Appends a query to every URL in a playlist, for players that do not do so themselves. */
export function withQuery(playlist: string, query: string): string {
  return playlist
    .replaceAll(/^[^#\n].*$/gm, (name) => `${name}${query}`)
    .replaceAll(/URI="([^"]*)"/g, (_, name: string) => `URI="${name}${query}"`);
}
