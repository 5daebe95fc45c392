import { readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { NewSandbox } from '../../src/index.ts';
import { sessions } from '../support/demo.ts';
import { resultOf, world, type World } from '../support/world.ts';

/** What an operation tells of one source of a session. */
export interface PlaybackSource {
  readonly origin: string;
  readonly masterM3u8Pathname: string;
  readonly urlSearchParamString: string;
  readonly clearkeyDecryptionKeyInHex: string;
}

/** A session's recording, as the two operations hand it out. */
export interface Recorded extends World {
  readonly sources: readonly PlaybackSource[];
  readonly downloadUrl: string;
  /** The path that everything is under. */
  readonly folder: string;
  readonly query: string;
  /** A file of it, by its path below the folder; with the query that opens it where none is given. */
  get(file: string, query?: string, asked?: Asking): Promise<Fetched>;
}

/** A moment at which sessions of the demo seed have ended, and the clock stands. */
export const frozen = {
  clock: { mode: 'frozen', now: '2026-11-20T10:00:00.000Z' },
} as const satisfies NewSandbox;

/**
 * The session with two sources is Riverside's, and so is the one with one source; another one is Hillcrest's.
 */
export async function recorded(
  request: NewSandbox = frozen,
  liveEventSessionId = sessions.twoSources,
): Promise<Recorded> {
  return recordedIn(await world(request), liveEventSessionId);
}

/** The same in a sandbox that is there. */
export async function recordedIn(
  place: World,
  liveEventSessionId = sessions.twoSources,
  school?: string,
): Promise<Recorded> {
  const { call, sandbox, url } = place;
  const played = await call(
    'get-signed-url-data-for-live-event-session-playback',
    { liveEventSessionId },
    school,
  );
  const downloaded = await call('get-live-event-session-processed-mp4', { liveEventSessionId }, school);
  // Held against the contract, which requires these fields.
  const sources = resultOf(played)['playbackSources'] as PlaybackSource[];
  const downloadUrl = String(resultOf(downloaded)['downloadUrl']);
  const folder = `/media/${sandbox.id}/sessions/${liveEventSessionId}/`;
  const query = sources[0]?.urlSearchParamString ?? '';
  const get: Recorded['get'] = (file, sent = query, asked) => fetchRaw(url, `${folder}${file}${sent}`, asked);
  return { ...place, sources, downloadUrl, folder, query, get };
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The `detail` of a problem document. */
  readonly detail: string;
}

/**
 * Asks for a target just as it is written: no dots are taken out of it, nothing is decoded, no reply is
 * followed.
 */
export function fetchRaw(
  url: string,
  target: string,
  { method = 'GET', headers = {} }: Asking = {},
): Promise<Fetched> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path: target, method, headers, agent: false }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece)).on('error', fail);
      reply.on('end', () => {
        const body = Buffer.concat(pieces);
        done({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body,
          text: body.toString(),
          detail: detailOf(reply.headers, body),
        });
      });
    });
    sent.on('error', fail).end();
  });
}

function detailOf(headers: IncomingHttpHeaders, body: Buffer): string {
  if (!(headers['content-type'] ?? '').startsWith('application/problem+json') || body.length === 0) return '';
  return (JSON.parse(body.toString()) as { detail: string }).detail;
}

/** Where a file of a recording is in the clear: of the event of `recorded`, if no other is named. */
export function fixture(file: string, recording = 'python-office-hours'): string {
  return fileURLToPath(new URL(`../../fixtures/media/${recording}/${file}`, import.meta.url));
}

/** A file of a recording in the clear. */
export function clear(file: string, recording?: string): Buffer {
  return readFileSync(fixture(file, recording));
}

export const sourceNames = ['camera', 'screen'] as const;

/** Every file of a session with two sources, by its path below the folder. */
export const files: readonly string[] = [
  ...sourceNames.flatMap((source) =>
    [...readdirSync(fixture(source)), 'session.key'].map((name) => `${source}/${name}`),
  ),
  'recording.mp4',
];
