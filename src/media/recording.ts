import { createCipheriv } from 'node:crypto';
import type { Transform } from 'node:stream';
import type { Records } from '../contract/generated/facts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { mediaFile, mediaText, type MediaFile } from '../store/media-files.ts';
import { encrypted, keyName, withQuery, type Encryption } from './playlist.ts';
import { sessionFolder, whyClosed, type SentQuery } from './signed-url.ts';

/** What stands behind a signed URL, as plain data. */
export type Medium =
  | { readonly kind: 'text'; readonly type: string; readonly body: string }
  | { readonly kind: 'bytes'; readonly type: string; readonly body: Buffer }
  /** A file that is encrypted on its way out. */
  | {
      readonly kind: 'encrypted';
      readonly type: string;
      readonly bytes: number;
      readonly file: MediaFile;
      readonly cipher: () => Transform;
    }
  /** The whole recording, to be kept under a name. */
  | { readonly kind: 'download'; readonly name: string };

/** Why there is no medium: the URL does not open it, or there is none. */
export interface Closed {
  readonly status: 403 | 404;
  readonly detail: string;
}

/** What is asked for: the session, and the path below its folder. */
export interface Asked {
  readonly sessionId: string;
  readonly path: readonly string[];
  readonly query: SentQuery;
  /** As it came, with its question mark. */
  readonly search: string;
}

type Session = Records['liveEventSessions'];

/** Opens what a signed URL names (endpoints 7 and 13). Whoever has no good signature learns nothing of what there is. */
export function openMedium(sandbox: Sandbox, asked: Asked): Medium | Closed {
  const secret = (...purpose: readonly string[]): string => sandbox.random.hex(64, 'secret', ...purpose);
  const sessions = sandbox.state.collection('liveEventSessions');
  const others = function* (): Iterable<string> {
    for (const { id } of sessions.all()) if (id !== asked.sessionId) yield sessionFolder(sandbox.id, id);
  };
  const folder = sessionFolder(sandbox.id, asked.sessionId);
  const closed = whyClosed(folder, asked.query, { now: sandbox.clock.now(), secret, others });
  if (closed !== null) return { status: 403, detail: closed };
  const session = sessions.get(asked.sessionId);
  const found = session === undefined ? null : find(sandbox, session, asked, secret);
  return found ?? { status: 404, detail: `There is no ${JSON.stringify(asked.path.join('/'))} in the recording of this session.` };
}

function find(
  sandbox: Sandbox,
  session: Session,
  { path, search }: Asked,
  secret: (...purpose: readonly string[]) => string,
): Medium | null {
  const [source = '', name = '', ...more] = path;
  if (path.length === 1 && source === 'recording.mp4') return { kind: 'download', name: downloadName(sandbox, session) };
  const known = session.recordedSources.find((one) => one === source);
  if (known === undefined || more.length > 0) return null;
  const key = secret('clearkey', session.id).slice(0, 32);
  if (name === keyName) return { kind: 'bytes', type: 'application/octet-stream', body: Buffer.from(key, 'hex') };
  const encryptionOf = (rendition: string): Encryption => ({ key, iv: secret('iv', session.id, source, rendition).slice(0, 32) });
  const queried = (playlist: string): Medium => {
    const body = sandbox.options.playlistUrls === 'signed' ? withQuery(playlist, search) : playlist;
    return { kind: 'text', type: 'application/vnd.apple.mpegurl', body };
  };
  const master = mediaText(`${known}/master.m3u8`);
  if (name === 'master.m3u8') return queried(master);
  for (const playlistName of namesIn(master)) {
    const playlist = mediaText(`${known}/${playlistName}`);
    if (name === playlistName) return queried(encrypted(playlist, encryptionOf(playlistName)));
    if (namesIn(playlist).includes(name)) return segment(`${known}/${name}`, encryptionOf(playlistName));
  }
  return null;
}

/** The files that a playlist names. */
function namesIn(playlist: string): readonly string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const blockBytes = 16;

function segment(path: string, { key, iv }: Encryption): Medium {
  const file = mediaFile(path);
  return {
    kind: 'encrypted',
    type: 'video/mp2t',
    // PKCS #7 fills the last block, or adds one.
    bytes: (Math.floor(file.bytes / blockBytes) + 1) * blockBytes,
    file,
    cipher: () => createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex')),
  };
}

function downloadName({ state }: Sandbox, { id, liveEventId, scheduledStartAtIso }: Session): string {
  const slug = state.collection('liveEvents').get(liveEventId)?.slug ?? id;
  return `${slug.replaceAll(/[^\w.-]+/g, '-')}-${scheduledStartAtIso.slice(0, 10)}.mp4`;
}
