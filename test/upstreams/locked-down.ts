/**
 * A learning platform behind locks: two schools of woodwork, HTTPS only, read-only, with narrow limits.
 *
 * Where the specification is silent, this service does the following, in this order.
 *
 * - HTTPS with a certificate of 127.0.0.1 from an authority of its own, both made at each start. Plain HTTP on
 *   the port: the connection breaks.
 * - Header `X-Gateway-Key` missing or wrong: 403 with an empty body, for any path.
 * - `SERVICE-API-KEY` missing or wrong: 401 `{"errors":["unauthorized"]}`, the same for both.
 * - Keys: both keys of the first school are valid and share the limits.
 * - Unknown path: 404 `{"errors":["no route"]}`. Other method: 405 with `Allow`.
 * - Creates and updates (4 operations): 403 `{"errors":["this key may not write"]}`, whatever the body is. They
 *   count for no limit.
 * - Content type other than exactly `application/json` (parameters allowed): 415. Body above 64 KiB: 413, and the
 *   connection closes.
 * - Malformed JSON, envelope, empty batch, or more than 3 elements: 400.
 * - Rate limits: 6 where 60 is documented, 2 where 15 is, 1 for mp4; per school and endpoint; a fixed window
 *   from its first request. Every element counts. A batch larger than what is left is refused as a whole and does
 *   not count; malformed requests do not count. Exceeded: 429 `{"errors":["quota"]}` with `Retry-After` in seconds.
 *   A batch larger than the limit is always refused. `X-Quota: used/limit` on counted and throttled responses.
 * - Elements: each for itself, in order. Failures are error outputs with a bare code: `NOT_FOUND` or `INVALID`.
 * - Validation: an unknown field, a missing field or a wrong type is `INVALID`. All documented fields are required.
 * - Unknown identifier or another school's: `NOT_FOUND`.
 * - Absent values: null (`endedAtIso`, `tagline`).
 * - Video library: pages of 5 from page 1; beyond the end `NOT_FOUND`; `filterTerm` is empty or has 3 characters
 *   or more, and matches the beginning of the title with case; `folderPath` is one folder without its
 *   subfolders, empty or `/` for the root; `absoluteFolderPaths` lists all folders apart from the root.
 * - Presets: pages from 1; `limit` is truncated and at most 2; below 1 both are `INVALID`.
 * - Live events: only `Active` ones, latest first. Instructors: ordered by identifier.
 * - Playback and mp4: `NOT_FOUND` for sessions that have not ended and for those of events that are not listed.
 * - Assignments: other identifier types are `INVALID`.
 * - Headers: `Strict-Transport-Security`, `Cache-Control: no-store`, `X-Content-Type-Options`. Connections are
 *   kept alive for 30 seconds.
 */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { makeCertificates } from './locked-down/certificate.ts';
import { gatewayKey, schools, shelves, type Session, type Shape, type Shelf } from './locked-down/data.ts';
import {
  closeServer,
  commonOptions,
  headerOf,
  listen,
  readBody,
  runAsProgram,
  send,
  sendJson,
  type StartOptions,
  type Upstream,
} from './plumbing.ts';

export { gatewayKey, samples, schools } from './locked-down/data.ts';

export const personality = {
  transport: 'https, own authority',
  extraHeader: 'X-Gateway-Key',
  extraHeaderFailure: { status: 403, body: '' },
  keyFailure: { status: 401, body: { errors: ['unauthorized'] } },
  wrongPathStatus: 404,
  wrongMethodStatus: 405,
  writes: { status: 403, body: { errors: ['this key may not write'] } },
  contentTypeStatus: 415,
  bodyLimit: { status: 413, bytes: 65_536, closesConnection: true },
  malformedStatus: 400,
  emptyBatchStatus: 400,
  maxBatch: 3,
  limits: { documented60: 6, documented15: 2, mp4: 1 },
  limitUnit: 'element',
  limitScope: 'school and endpoint',
  limitWindow: 'fixed from first request',
  throttled: { status: 429, body: { errors: ['quota'] }, retryAfter: 'seconds' },
  quotaHeader: 'X-Quota',
  elementErrors: ['NOT_FOUND', 'INVALID'],
  unknownFields: 'INVALID',
  missingFields: 'INVALID',
  absentValues: 'null',
  videoPages: { first: 1, size: 5, beyondEnd: 'NOT_FOUND' },
  videoFilter: 'beginning of the title, at least 3 characters',
  presetLimit: 'truncated, at most 2',
  liveEvents: 'Active only, latest first',
  instructorOrder: 'identifier',
  videoOrder: 'oldest first',
  unknownId: 'NOT_FOUND',
  otherSchool: 'NOT_FOUND',
  batch: 'each element for itself, in order',
  securityHeaders: ['Strict-Transport-Security', 'Cache-Control', 'X-Content-Type-Options'],
  secondKey: 'valid, shares the limits',
  unendedSession: 'NOT_FOUND',
  keepAliveMs: 30_000,
} as const;

/** The service that runs, with what a client of it needs and a test may ask. */
export interface LockedUpstream extends Upstream {
  /** The certificate of the authority, as PEM. */
  readonly ca: string;
  /** The number of TLS connections opened so far. */
  connections(): number;
}

const readers = {
  'get-quiz-details': { quizId: 'string' },
  'get-video-library': { filterTerm: 'string', pageNumber: 'number', folderPath: 'string' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: 'string' },
  'list-assignments': { courseIdentifier: 'object' },
  'get-course-item-data': { courseItemId: 'string' },
  'get-instructor-permission-presets': { pageNumber: 'number', limit: 'number' },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: 'string' },
} as const;
type Reader = keyof typeof readers;

const writers: ReadonlySet<string> = new Set([
  'update-digital-product-coupon',
  'update-interactive-coding-lab',
  'submit-user-course-item',
  'create-instructor-account',
]);

function isReader(name: string): name is Reader {
  return Object.hasOwn(readers, name);
}

class Code extends Error {}

function check(value: Shape, types: Readonly<Record<string, string>>): void {
  const sent = Object.keys(value);
  if (sent.length !== Object.keys(types).length) throw new Code('INVALID');
  for (const name of sent) {
    // null is an object to typeof.
    if (typeof value[name] !== types[name] || value[name] === null) throw new Code('INVALID');
  }
}

function found<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Code('NOT_FOUND');
  return value;
}

function listed(shelf: Shelf): Shelf['events'] {
  return shelf.events.filter(({ status }) => status === 'Active');
}

function endedSession(shelf: Shelf, input: Shape): Session {
  const sessions = listed(shelf).flatMap((event) => event.sessions);
  const session = found(sessions.find((one) => one.liveEventSessionId === input['liveEventSessionId']));
  found(session.endedAtIso);
  return session;
}

function videosOf(shelf: Shelf, input: Shape): Shape {
  const { filterTerm, pageNumber, folderPath } = input as {
    filterTerm: string;
    pageNumber: number;
    folderPath: string;
  };
  if (!Number.isInteger(pageNumber) || pageNumber < 1) throw new Code('INVALID');
  if (filterTerm.length > 0 && filterTerm.length < 3) throw new Code('INVALID');
  const hits = shelf.videos.filter(
    (video) => video.folder === (folderPath || '/') && video.videoTitle.startsWith(filterTerm),
  );
  const shown = hits.slice(pageNumber * 5 - 5, pageNumber * 5);
  if (pageNumber > 1 && shown.length === 0) throw new Code('NOT_FOUND');
  return {
    totalResults: hits.length,
    pageSize: 5,
    videoData: shown.map(({ folder: _folder, ...video }) => video),
    absoluteFolderPaths: [...new Set(shelf.videos.map(({ folder }) => folder))].filter(
      (folder) => folder !== '/',
    ),
  };
}

function playbackOf(shelf: Shelf, input: Shape, now: number): Shape {
  const { liveEventSessionId } = endedSession(shelf, input);
  const until = Math.floor(now / 1000) + 120;
  const mac = createHmac('sha256', gatewayKey).update(`${liveEventSessionId}${until}`).digest('hex');
  const source = {
    masterM3u8Pathname: `/s/${liveEventSessionId}/m.m3u8`,
    origin: 'https://nagrania.dziupla.example',
    urlSearchParamString: `until=${until}&mac=${mac}`,
    clearkeyDecryptionKeyInHex: createHmac('md5', gatewayKey).update(liveEventSessionId).digest('hex'),
  };
  return { playbackSources: [source] };
}

function presetsOf(shelf: Shelf, input: Shape): Shape {
  const { pageNumber, limit } = input as { pageNumber: number; limit: number };
  const size = Math.min(2, Math.trunc(limit));
  if (!Number.isInteger(pageNumber) || pageNumber < 1 || size < 1) throw new Code('INVALID');
  const presets = shelf.presets.slice((pageNumber - 1) * size, pageNumber * size);
  return { totalPresetCount: shelf.presets.length, presets };
}

function read(name: Reader, shelf: Shelf, input: Shape, now: number): Shape {
  switch (name) {
    case 'get-quiz-details':
      return found(shelf.quizzes.get(String(input['quizId'])));
    case 'get-video-library':
      return videosOf(shelf, input);
    case 'get-signed-url-data-for-live-event-session-playback':
      return playbackOf(shelf, input, now);
    case 'list-assignments': {
      const identifier = input['courseIdentifier'] as Shape;
      check(identifier, { type: 'string', digitalProductId: 'string' });
      if (identifier['type'] !== 'product-id') throw new Code('INVALID');
      return found(shelf.products.get(String(identifier['digitalProductId'])));
    }
    case 'get-course-item-data':
      return found(shelf.items.get(String(input['courseItemId'])));
    case 'get-instructor-permission-presets':
      return presetsOf(shelf, input);
    case 'get-all-live-events':
      return { liveEvents: listed(shelf).toReversed() };
    case 'get-all-instructors': {
      const ordered = shelf.instructors.toSorted((a, b) =>
        a.serviceInstructorId < b.serviceInstructorId ? -1 : 1,
      );
      return { instructors: ordered };
    }
    case 'get-live-event-session-processed-mp4': {
      const { liveEventSessionId } = endedSession(shelf, input);
      return { downloadUrl: `https://nagrania.dziupla.example/s/${liveEventSessionId}.mp4` };
    }
  }
}

/** Returns the parameters of each element, or null if the body is not an envelope of 1 to 3 elements. */
function elementsOf(body: string): readonly Shape[] | null {
  try {
    const { data } = JSON.parse(body) as { data: unknown };
    if (!Array.isArray(data) || data.length < 1 || data.length > personality.maxBatch) return null;
    const elements = data.map((element: unknown) => (element as { data: unknown }).data);
    const isWhole = elements.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    return isWhole ? (elements as Shape[]) : null;
  } catch {
    return null;
  }
}

function quotaOf(name: Reader): number {
  const { limits } = personality;
  if (name === 'get-live-event-session-processed-mp4') return limits.mp4;
  return name.startsWith('get-all-') ? limits.documented15 : limits.documented60;
}

interface Reply {
  readonly status: number;
  /** Null for an empty body. */
  readonly body: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

function refusal(status: number, error: string, headers: OutgoingHttpHeaders = {}): Reply {
  return { status, body: { errors: [error] }, headers };
}

/** Counts elements for each school and endpoint. */
class Quotas {
  readonly #windows = new Map<string, { startedAt: number; used: number }>();
  readonly #now: () => number;
  readonly #scale: number;
  constructor(now: () => number, scale: number) {
    this.#now = now;
    this.#scale = scale;
  }
  /** Returns headers for the response, with `Retry-After` if the elements exceed the quota. */
  take(school: number, name: Reader, elements: number): OutgoingHttpHeaders {
    const limit = Math.ceil(quotaOf(name) * this.#scale);
    const id = `${school} ${name}`;
    let window = this.#windows.get(id);
    if (!window || this.#now() - window.startedAt >= 60_000) window = { startedAt: this.#now(), used: 0 };
    this.#windows.set(id, window);
    const isOver = window.used + elements > limit;
    if (!isOver) window.used += elements;
    const quota = { 'X-Quota': `${window.used}/${limit}` };
    const wait = Math.max(1, Math.ceil((window.startedAt + 60_000 - this.#now()) / 1000));
    return isOver ? { ...quota, 'Retry-After': wait } : quota;
  }
}

const always: OutgoingHttpHeaders = {
  'Strict-Transport-Security': 'max-age=63072000',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns the school and the operation, or the refusal. */
function admit(request: IncomingMessage): { school: number; name: Reader } | Reply {
  if (headerOf(request, 'x-gateway-key') !== gatewayKey) return { status: 403, body: null };
  const key = headerOf(request, 'service-api-key') ?? '';
  const school = schools.findIndex(({ apiKeys }) => apiKeys.includes(key));
  if (school < 0) return refusal(401, 'unauthorized');
  const name = /^\/public\/([a-z0-9-]+)$/.exec(request.url ?? '')?.[1] ?? '';
  const isWriter = writers.has(name);
  if (!isWriter && !isReader(name)) return refusal(404, 'no route');
  if (request.method !== 'POST') return refusal(405, 'method', { Allow: 'POST' });
  if (!isReader(name)) return refusal(403, 'this key may not write');
  if (!/^application\/json\s*(;|$)/.test(headerOf(request, 'content-type') ?? ''))
    return refusal(415, 'content type');
  return { school, name };
}

/** Starts the service. */
export async function start(options: StartOptions = {}): Promise<LockedUpstream> {
  const { now = Date.now, limitScale = 1 } = options;
  const { all, planted } = shelves();
  const quotas = new Quotas(now, limitScale);
  let calls = 0;
  let connections = 0;

  function runElement(name: Reader, shelf: Shelf, input: Shape): object {
    try {
      check(input, readers[name]);
      return { output: { status: 'ok', data: read(name, shelf, input, now()) } };
    } catch (error) {
      if (!(error instanceof Code)) throw error;
      return { output: { status: 'error', errorMessage: error.message } };
    }
  }

  function answer(request: IncomingMessage, body: string | null): Reply {
    const admitted = admit(request);
    if ('status' in admitted) return admitted;
    if (body === null) return refusal(413, 'body', { Connection: 'close' });
    const elements = elementsOf(body);
    const { name, school } = admitted;
    const shelf = all[school];
    if (!elements || !shelf) return refusal(400, 'body');
    const headers = quotas.take(school, name, elements.length);
    if (headers['Retry-After'] !== undefined) return refusal(429, 'quota', headers);
    return { status: 200, body: elements.map((input) => runElement(name, shelf, input)), headers };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls += 1;
    const { status, body, headers } = answer(request, await readBody(request, personality.bodyLimit.bytes));
    if (body === null) send(response, status, 'text/plain', '', always);
    else sendJson(response, status, body, { ...always, ...headers });
  }

  const { ca, cert, key } = makeCertificates();
  const server = createServer(
    { cert, key, keepAliveTimeout: personality.keepAliveMs },
    (request, response) => {
      void respond(request, response).catch(() => response.destroy());
    },
  );
  server.on('secureConnection', () => (connections += 1));
  const port = await listen(server, options.port ?? 0);
  return {
    url: `https://127.0.0.1:${port}`,
    close: () => closeServer(server),
    calls: () => calls,
    planted,
    stored: (id) => all.flatMap((shelf) => shelf.instructors).find((one) => one.serviceInstructorId === id),
    ca,
    connections: () => connections,
  };
}

/** With `--ca-file PATH`, writes the authority's certificate there, for --ca, NODE_EXTRA_CA_CERTS or curl. */
async function startFromFlags(flags: ReadonlyMap<string, string>): Promise<Upstream> {
  const upstream = await start(commonOptions(flags));
  const caFile = flags.get('--ca-file');
  if (caFile !== undefined) writeFileSync(caFile, upstream.ca);
  return upstream;
}

await runAsProgram(import.meta.url, startFromFlags);
