import { ask, contentOf, exchange, type Schemas } from '../../api.ts';
import { durationText } from '../../parts/duration.ts';
import { isObject } from '../../parts/is-object.ts';
import { keyOf } from '../../parts/key-of.ts';
import { report, warnOfChanges } from '../../undo.ts';

/** A past session with a recording. */
export interface RecordedSession {
  readonly id: string;
  readonly title: string;
  /** The slug of the school. */
  readonly school: string;
  readonly schoolName: string;
}

export interface Recordings {
  readonly baseUrl: string;
  readonly sessions: readonly RecordedSession[];
}

/** The four fields that the public API returns for each source. */
export interface PlaybackSource {
  readonly origin: string;
  readonly masterM3u8Pathname: string;
  readonly urlSearchParamString: string;
  readonly clearkeyDecryptionKeyInHex: string;
}

type Collection = readonly Schemas['Record'][];

export async function loadRecordings(id: string): Promise<Recordings> {
  const list = (collection: string) =>
    ask('get', '/control/sandboxes/{sandboxId}/state/{collection}', { sandboxId: id, collection });
  const [{ baseUrl, clock }, sessions, events, schools] = await Promise.all([
    ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: id }),
    list('liveEventSessions'),
    list('liveEvents'),
    list('schools'),
  ]);
  const recorded = sessions.records.filter(
    ({ recordedSources, endsAtIso }) =>
      Array.isArray(recordedSources) &&
      recordedSources.length > 0 &&
      Date.parse(String(endsAtIso)) <= Date.parse(clock.now),
  );
  return {
    baseUrl,
    sessions: recorded.map((session) => ({
      id: String(session['id']),
      title: `${named(events.records, session['liveEventId'], 'name')}, ${String(session['endsAtIso']).slice(0, 10)}`,
      school: named(schools.records, session['schoolId'], 'slug'),
      schoolName: named(schools.records, session['schoolId'], 'name'),
    })),
  };
}

/** Returns a field of the record with this id, or the id if there is no such record. */
function named(records: Collection, recordId: unknown, field: string): string {
  return String(records.find((record) => record['id'] === recordId)?.[field] ?? recordId);
}

/** Returns the sources of a session. Throws an error with the response if it has no playback data. */
export function requestPlayback(
  sandbox: string,
  baseUrl: string,
  session: Pick<RecordedSession, 'id' | 'school'>,
): Promise<readonly PlaybackSource[]> {
  return askPublic(
    sandbox,
    baseUrl,
    session,
    'get-signed-url-data-for-live-event-session-playback',
    ({ playbackSources }) =>
      Array.isArray(playbackSources) && playbackSources.every(isSource) ? playbackSources : null,
  );
}

function isSource(value: unknown): value is PlaybackSource {
  if (!isObject(value)) return false;
  const { origin, masterM3u8Pathname, urlSearchParamString, clearkeyDecryptionKeyInHex } = value;
  return [origin, masterM3u8Pathname, urlSearchParamString, clearkeyDecryptionKeyInHex].every(
    (text) => typeof text === 'string',
  );
}

/** Returns the URL of a session's mp4. Throws like `requestPlayback`. */
export function requestMp4(
  sandbox: string,
  baseUrl: string,
  session: Pick<RecordedSession, 'id' | 'school'>,
): Promise<string> {
  return askPublic(sandbox, baseUrl, session, 'get-live-event-session-processed-mp4', ({ downloadUrl }) =>
    typeof downloadUrl === 'string' && URL.canParse(downloadUrl) ? downloadUrl : null,
  );
}

type Result = Readonly<Record<string, unknown>>;

/**
 * Calls the public API with the school's key. `read` returns null for an unexpected result, since faults can
 * change any response.
 */
async function askPublic<T>(
  sandbox: string,
  baseUrl: string,
  session: Pick<RecordedSession, 'id' | 'school'>,
  operation: string,
  read: (data: Result) => T | null,
): Promise<T> {
  const reply = await fetch(`${baseUrl}/public/${operation}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-API-KEY': keyOf(sandbox, session.school),
      // The report does not count it as a call of the client.
      'Sandbox-Page': 'player',
    },
    body: JSON.stringify({ data: [{ data: { liveEventSessionId: session.id } }] }),
  });
  const text = await reply.text();
  const data = reply.ok ? resultIn(text) : null;
  const found = data === null ? null : read(data);
  if (found === null) throw new Error(`The public API returned ${reply.status}: ${text.slice(0, 500)}`);
  return found;
}

/** Returns the result in a response, or null if it has none. */
function resultIn(text: string): Result | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const [member]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
    const output = isObject(member) ? member['output'] : null;
    const data = isObject(output) ? output['data'] : null;
    return isObject(data) ? data : null;
  } catch {
    return null;
  }
}

/**
 * Moves the sandbox's clock past the expiry in a signed query, and offers to move it back; `onUndone` is called then. A
 * query that has expired stays as it is, and so does the offer of the first time.
 */
export async function letExpire(sandbox: string, query: string, onUndone = (): void => {}): Promise<void> {
  const { now } = await ask('get', '/control/sandboxes/{sandboxId}/clock', { sandboxId: sandbox });
  const expires = Number(new URLSearchParams(query).get('expires'));
  const left = expires - Date.parse(now) / 1000;
  if (left < 0) return;
  const seconds = Math.ceil(left) + 1;
  const advance = (by: number) =>
    exchange('post', '/control/sandboxes/{sandboxId}/clock/advance', { sandboxId: sandbox }, { seconds: by });
  const alsoUndoes = warnOfChanges(sandbox, await advance(seconds), ['clock']);
  const undo = async (): Promise<void> => {
    await advance(-seconds);
    onUndone();
  };
  report(`Expired the URL: moved the clock forward by ${durationText(seconds)}.`, undo, { alsoUndoes });
}

/** Returns the URL of the playlist: the three fields, with the slash and the question mark that they may lack. */
export function urlOf(source: PlaybackSource): string {
  const { origin, masterM3u8Pathname: path } = source;
  return `${origin}${path.startsWith('/') ? '' : '/'}${path}${queryOf(source)}`;
}

/** Returns the query of a source with its question mark. */
export function queryOf({ urlSearchParamString: query }: PlaybackSource): string {
  return query.startsWith('?') ? query : `?${query}`;
}

/** Requests a URL and returns the reason why it fails, or a note that it works. */
export async function reason(url: string): Promise<string> {
  try {
    const reply = await fetch(url, { cache: 'no-store' });
    if (reply.ok) return 'The URL works.';
    const { detail } = await contentOf<{ readonly detail?: string }>(reply);
    return detail ?? `HTTP ${reply.status}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
