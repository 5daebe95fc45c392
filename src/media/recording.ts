import type { Transform } from 'node:stream';
import type { OptionOf } from '../assumptions.ts';
import type { Records } from '../contract/generated/facts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { makesUpRecords } from '../sandbox/unknown-id.ts';
import type { Download, Footage, Segment } from '../store/media-files.ts';
import { cipherOf, encryptedBytes, encryptionOf, sessionKey, type Encryption } from './encryption.ts';
import { openedBy, sessionFolder, whyClosed } from './signed-url.ts';

/** The content at a signed URL, as plain data. */
export type Medium =
  | { readonly kind: 'playlist'; readonly body: string; readonly urls: OptionOf<'playlistUrls'> }
  | { readonly kind: 'key'; readonly body: Buffer }
  /** A file that is encrypted while it is sent; `bytes` is the encrypted length. */
  | {
      readonly kind: 'segment';
      readonly file: Segment;
      readonly bytes: number;
      readonly cipher: () => Transform;
    }
  /** The whole recording, with a file name for the download. */
  | { readonly kind: 'download'; readonly name: string; readonly download: Download };

/** Why nothing is served: the URL gives no access, or the file does not exist. */
export interface Closed {
  readonly status: 403 | 404;
  readonly detail: string;
}

/** A request: the session, the path below its folder, and the query with the signature. */
export interface Asked {
  readonly sessionId: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

type Session = Records['liveEventSessions'];

/**
 * Returns the content at a signed URL (endpoints 7 and 13). Without a valid signature, it does not reveal
 * what exists.
 */
export function openMedium(
  sandbox: Sandbox,
  footage: Footage,
  { sessionId, path, query }: Asked,
): Medium | Closed {
  sandbox.touch();
  const folder = sessionFolder(sandbox.id, sessionId);
  const closed = whyClosed(folder, query, {
    now: sandbox.clock.now(),
    secret: sandbox.random.secret,
    others: () => otherFolders(sandbox, sessionId),
  });
  if (closed !== null) return { status: 403, detail: closed };
  const missing = {
    status: 404,
    detail: `There is no ${JSON.stringify(path.join('/'))} in the recording of this session.`,
  } as const;
  const session =
    sandbox.state.collection('liveEventSessions').get(sessionId) ?? madeUpSession(sandbox, sessionId);
  // The recording is gone as soon as the operations no longer return it.
  if (session === undefined || session.recordedSources.length === 0) return missing;
  const [first = '', second, ...more] = path;
  if (more.length > 0) return missing;
  const slug = sandbox.state.collection('liveEvents').get(session.liveEventId)?.slug ?? '';
  if (second === undefined) {
    const { download } = footage.named(slug);
    if (first !== download.file) return missing;
    return { kind: 'download', name: downloadName(slug || session.id, session), download };
  }
  return inSource(sandbox, session, footage.named(slug), { source: first, name: second, query }) ?? missing;
}

function* otherFolders({ id, state }: Sandbox, sessionId: string): Iterable<string> {
  for (const session of state.collection('liveEventSessions').all())
    if (session.id !== sessionId) yield sessionFolder(id, session.id);
}

/** Returns the session that an operation synthesized: a valid signature can come only from an operation. */
function madeUpSession(sandbox: Sandbox, id: string): Session | undefined {
  return makesUpRecords(sandbox.options) ? sandbox.madeUp.session(id, sandbox.state.beginning) : undefined;
}

interface Wanted {
  readonly source: string;
  readonly name: string;
  readonly query: URLSearchParams;
}

function inSource(
  { options, random: { secret } }: Sandbox,
  session: Session,
  { sources }: ReturnType<Footage['named']>,
  { source, name, query }: Wanted,
): Medium | null {
  const isRecorded = session.recordedSources.some((one) => one === source);
  const found = isRecorded ? sources.get(source) : undefined;
  if (found === undefined) return null;
  const urls = options.playlistUrls;
  const playlist = (text: string): Medium => ({
    kind: 'playlist',
    body: urls === 'signed' ? withQuery(text, openedBy(query)) : text,
    urls,
  });
  if (name === 'master.m3u8') return playlist(found.master);
  if (name === keyName) return { kind: 'key', body: Buffer.from(sessionKey(secret, session.id), 'hex') };
  for (const [rendition, { playlist: text, segments }] of found.renditions) {
    const encryption = encryptionOf(secret, session.id, source, rendition);
    if (name === rendition) return playlist(encrypted(text, encryption));
    const file = segments.get(name);
    if (file !== undefined)
      return { kind: 'segment', file, bytes: encryptedBytes(file.bytes), cipher: () => cipherOf(encryption) };
  }
  return null;
}

function downloadName(slug: string, { scheduledStartAtIso }: Session): string {
  return `${slug.replaceAll(/[^\w.-]+/g, '-')}-${scheduledStartAtIso.slice(0, 10)}.mp4`;
}

/** The file name of the key, which is next to the playlists. */
const keyName = 'session.key';

/** Adds the key to a media playlist of unencrypted segments. */
function encrypted(playlist: string, { iv }: Pick<Encryption, 'iv'>): string {
  return playlist.replace('#EXTINF', `#EXT-X-KEY:METHOD=AES-128,URI="${keyName}",IV=0x${iv}\n#EXTINF`);
}

/** Appends a query to every URL in a playlist, for players that do not do so themselves. */
function withQuery(playlist: string, query: string): string {
  return playlist
    .replaceAll(/^[^#\n].*$/gm, (name) => `${name}${query}`)
    .replaceAll(/URI="([^"]*)"/g, (_, name: string) => `URI="${name}${query}"`);
}
