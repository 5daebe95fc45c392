/**
 * A learning platform that processes only the first element of a batch and has odd types: two mountain schools.
 *
 * Where the specification is silent, this service does the following.
 *
 * - Batch: only the first element; one output. Further elements are not even looked at. An empty batch returns
 *   an empty array.
 * - Failures of an element: HTTP 200 with an error output that starts with a code, such as `E2004 quiz missing`.
 * - Missing or unknown key: 401 with an error output `E1001 unauthorized` in the envelope.
 * - Keys: both keys of the first school are valid; a response to the second has `Deprecation: true`.
 * - Unknown path, other method: 404 as plain text `Cannot GET /path`. Malformed JSON or envelope: 400 as plain
 *   text `Bad Request`. Body above 100 KiB: 413 as plain text. The content type does not matter.
 * - Validation: a missing parameter counts as an empty text; numbers are accepted as identifiers; unknown fields
 *   are stored with the record.
 * - Tenants: quizzes and course items can be read, and items submitted, with any school's key; other records of another school
 *   do not exist for the caller.
 * - Types: identifiers of live events, sessions, instructors and some videos, assignments and articles are
 *   numbers; `create-instructor-account` returns the same identifier as text. `scheduledDurationInSecs` is a
 *   fraction or a text. `createdAt` of instructors is a number of seconds.
 * - Dates: without zone (quizzes, ends of sessions, most videos), or with `+0200` (starts of sessions, some videos).
 * - Absent values: the end of a session that has not ended is `0001-01-01T00:00:00`; `phone` is null.
 * - Undocumented fields: `_id`, `__v`, `tenant`, `difficulty`, `position`, `tags`, `capacity` and others, and
 *   `requestId` beside each output.
 * - Enums: question type `TrueFalse`; item types `Quiz` and `VideoLesson`; event types `Webinar`; states
 *   `SCHEDULED`, `Archiviert` and an empty text; video states `CcDone`, `Queued`, `unknown_7`; resource types
 *   `Course` and `Folder`.
 * - Updates: fields sent replace, null included; dates and coupon types are not checked.
 * - Submissions: the e-mail decides who the user is; unknown users are created; a repetition adds another
 *   answer, also after completion; item type and questions are not checked.
 * - Instructors: any non-empty text is an e-mail; compared without case; the existing name stays. Newest first.
 * - Video library: pages of 15 from page 0, below 0 or no number is `E3001`; beyond the end is empty; `filterTerm` with
 *   case; `folderPath` is exact, an empty one means all folders; `absoluteFolderPaths` are the folders
 *   of the videos on this page.
 * - Presets: pages from 0; `limit` cuts as a fraction (first and last index truncated); default 10.
 * - Live events: all, in order of creation.
 * - Playback: not ended is `E4001 not ready`. mp4: not ready is `downloadUrl: null`.
 * - Assignments: other identifier types are `E3002`.
 * - Rate limits: per school and endpoint, a log of the last 60 seconds; throttled requests are not in it, all
 *   others with a valid key are. Exceeded: 429 with an error output `E1002 slow down` in the envelope and
 *   `X-Retry-In-Ms`. mp4: 5.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { load, oid, schools, type Collections, type Doc } from './first-only/data.ts';
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

export { samples, schools } from './first-only/data.ts';

export const personality = {
  elementsProcessed: 1,
  outputsReturned: 1,
  emptyBatch: [],
  elementFailureStatus: 200,
  errorMessagePattern: '^E\\d{4} ',
  keyFailure: { status: 401, errorMessage: 'E1001 unauthorized' },
  secondKeyHeader: { Deprecation: 'true' },
  wrongPath: { status: 404, type: 'text/plain' },
  malformed: { status: 400, type: 'text/plain' },
  bodyLimit: { status: 413, bytes: 102_400 },
  missingParameter: 'as empty text',
  numberAsIdentifier: 'accepted',
  unknownFields: 'stored',
  sharedAcrossSchools: ['quizzes', 'course items'],
  numericIdentifiers: ['liveEventId', 'liveEventSessionId', 'serviceInstructorId', 'articleUniqueId'],
  mixedIdentifiers: ['videoId', 'assignmentId'],
  datesWithoutZone: ['createdAtIso', 'endedAtIso'],
  datesWithOffset: ['scheduledStartAtIso'],
  unendedSession: '0001-01-01T00:00:00',
  undocumentedFields: true,
  undocumentedEnums: [
    'TrueFalse',
    'VideoLesson',
    'Webinar',
    'SCHEDULED',
    'Archiviert',
    '',
    'CcDone',
    'unknown_7',
  ],
  nullInUpdate: 'stored',
  submissionUnknownUser: 'created',
  repeatedSubmission: 'added',
  emailCheck: 'non-empty',
  emailCase: 'ignored',
  videoPages: { first: 0, size: 15, negative: 'E3001', beyondEnd: 'empty' },
  videoFilterCase: 'matters',
  videoFolder: 'exact, empty for all',
  presetPages: { first: 0, defaultLimit: 10 },
  playbackNotEnded: 'E4001',
  mp4NotReady: null,
  throttled: { status: 429, header: 'X-Retry-In-Ms', errorMessage: 'E1002 slow down' },
  throttleModel: 'log of 60 seconds, per school and endpoint',
  mp4Limit: 5,
  throttleCountsFailures: true,
  instructorDates: 'seconds since 1970',
  instructorOrder: 'newest first',
  liveEventOrder: 'creation',
  otherIdentifierTypes: 'E3002',
  couponChecks: 'none',
  repeatedCreationRenames: false,
} as const;

function refuse(code: number, text: string): never {
  throw new RangeError(`E${code} ${text}`);
}

/** Returns a parameter as text: numbers are converted, everything else is empty. */
function word(input: Doc, name: string): string {
  const value = input[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function object(value: unknown): Doc {
  return typeof value === 'object' && value !== null ? (value as Doc) : {};
}

function byId(list: readonly Doc[], id: string, what: string, tenant?: number): Doc {
  const found = list.find((doc) => doc['_id'] === id && (tenant === undefined || doc['tenant'] === tenant));
  return found ?? refuse(2004, `${what} missing`);
}

interface Call {
  readonly input: Doc;
  readonly all: Collections;
  readonly tenant: number;
  readonly now: number;
}

function update(list: readonly Doc[], idName: string, what: string, { input, tenant }: Call): Doc {
  Object.assign(byId(list, word(input, idName), what, tenant), input);
  return {};
}

function submit({ input, all, tenant }: Call): Doc {
  const item = byId(all.items, word(input, 'courseItemId'), 'item');
  const email = word(input, 'userEmail').toLowerCase();
  if (email === '') refuse(3000, 'who?');
  let user = all.users.find((doc) => doc['email'] === email && doc['tenant'] === tenant);
  if (!user)
    all.users.push(
      (user = { _id: word(input, 'userId') || oid(9, tenant, all.users.length), tenant, email }),
    );
  const attemptId = `${word(item, '_id')}.${word(user, '_id')}`;
  all.answers.push({
    ...input,
    _id: attemptId,
    tenant,
    attempt: all.answers.filter((doc) => doc['_id'] === attemptId).length + 1,
  });
  return {};
}

function createInstructor({ input, all, tenant, now }: Call): Doc {
  const email = word(input, 'instructorEmail');
  if (email === '') refuse(3003, 'email missing');
  let found = all.instructors.find((doc) => word(doc, 'email').toLowerCase() === email.toLowerCase());
  if (!found) {
    const at = Math.floor(now / 1000);
    const n = all.instructors.length;
    const rest = {
      profilePhotoUrl: '',
      tagline: '',
      longDescriptionMarkdown: '',
      createdAt: at,
      lastUpdatedAt: at,
    };
    found = {
      serial: 9500 + n,
      userSerial: 75_000 + n,
      tenants: [],
      name: word(input, 'instructorName'),
      email,
      ...rest,
    };
    all.instructors.push(found);
  }
  const tenants = found['tenants'] as number[];
  if (!tenants.includes(tenant)) tenants.push(tenant);
  return {
    serviceInstructorId: word(found, 'serial'),
    associatedServiceUserId: word(found, 'userSerial'),
    isNew: tenants.length === 1,
  };
}

function listInstructors({ all, tenant }: Call): Doc {
  const own = all.instructors.filter((doc) => (doc['tenants'] as number[]).includes(tenant));
  const shown = own.map(({ serial, userSerial: _user, tenants: _tenants, ...doc }) => ({
    serviceInstructorId: serial,
    ...doc,
  }));
  return {
    instructors: shown.toSorted((a, b) => Number((b as Doc)['createdAt']) - Number((a as Doc)['createdAt'])),
  };
}

function listVideos({ input, all, tenant }: Call): Doc {
  const page = Math.trunc(Number(word(input, 'pageNumber')));
  if (!(page >= 0)) refuse(3001, 'bad page');
  const folder = word(input, 'folderPath');
  const found = all.videos.filter(
    (doc) =>
      doc['tenant'] === tenant &&
      (folder === '' || doc['folder'] === folder) &&
      word(doc, 'videoTitle').includes(word(input, 'filterTerm')),
  );
  const shown = found.slice(page * 15, page * 15 + 15);
  return {
    totalResults: found.length,
    pageSize: 15,
    videoData: shown.map(({ folder: _folder, ...doc }) => doc),
    absoluteFolderPaths: [...new Set(shown.map((doc) => word(doc, 'folder')))].filter((path) => path !== ''),
    nextPage: found.length > page * 15 + 15 ? page + 1 : null,
  };
}

function findSession({ input, all, tenant }: Call): Doc {
  const sessions = all.events
    .filter((doc) => doc['tenant'] === tenant)
    .flatMap((doc) => doc['sessions'] as Doc[]);
  const wanted = word(input, 'liveEventSessionId');
  return (
    sessions.find((doc) => word(doc, 'liveEventSessionId') === wanted) ?? refuse(2004, 'session missing')
  );
}

function playback(call: Call): Doc {
  const session = findSession(call);
  if (session['endedAtIso'] === personality.unendedSession) refuse(4001, 'not ready');
  const id = word(session, 'liveEventSessionId');
  const hash = createHash('sha1').update(`${id} ${call.now}`).digest('hex');
  return {
    playbackSources: [
      {
        masterM3u8Pathname: `funk/${id}/playlist.m3u8`,
        origin: 'https://strom.gratfuss.example/',
        urlSearchParamString: `h=${hash}&t=${Math.floor(call.now / 1000)}`,
        clearkeyDecryptionKeyInHex: hash.slice(0, 32).toUpperCase(),
        drm: 'clearkey',
      },
    ],
  };
}

function listAssignments({ input, all, tenant }: Call): Doc {
  const identifier = object(input['courseIdentifier']);
  if (identifier['type'] !== 'product-id') refuse(3002, 'identifier type');
  const product = byId(all.products, word(identifier, 'digitalProductId'), 'product', tenant);
  return { productId: product['_id'], productTitle: product['title'], assignments: product['assignments'] };
}

function listPresets({ input, all, tenant }: Call): Doc {
  const own = all.presets.filter((doc) => doc['tenant'] === tenant);
  const limit = Number(input['limit'] ?? 10);
  const page = Number(input['pageNumber'] ?? 0);
  return { totalPresetCount: own.length, presets: own.slice(page * limit, page * limit + limit) };
}

function perform(operation: string, call: Call): Doc | null {
  const { input, all, tenant } = call;
  switch (operation) {
    case 'get-quiz-details':
      return byId(all.quizzes, word(input, 'quizId'), 'quiz');
    case 'get-course-item-data':
      return byId(all.items, word(input, 'courseItemId'), 'item');
    case 'update-digital-product-coupon':
      return update(all.coupons, 'serviceCouponCodeId', 'coupon', call);
    case 'update-interactive-coding-lab':
      return update(all.labs, 'labId', 'lab', call);
    case 'submit-user-course-item':
      return submit(call);
    case 'create-instructor-account':
      return createInstructor(call);
    case 'get-video-library':
      return listVideos(call);
    case 'get-signed-url-data-for-live-event-session-playback':
      return playback(call);
    case 'list-assignments':
      return listAssignments(call);
    case 'get-instructor-permission-presets':
      return listPresets(call);
    case 'get-all-live-events':
      return { liveEvents: all.events.filter((doc) => doc['tenant'] === tenant) };
    case 'get-all-instructors':
      return listInstructors(call);
    case 'get-live-event-session-processed-mp4': {
      const session = findSession(call);
      const url = `https://strom.gratfuss.example/mp4/${word(session, 'liveEventSessionId')}.mp4`;
      return { downloadUrl: session['isMp4Ready'] === true ? url : null };
    }
    default:
      return null;
  }
}

const names = new Set([
  'get-quiz-details',
  'get-course-item-data',
  'update-digital-product-coupon',
  'update-interactive-coding-lab',
  'submit-user-course-item',
  'create-instructor-account',
  'get-video-library',
  'get-signed-url-data-for-live-event-session-playback',
  'list-assignments',
  'get-instructor-permission-presets',
  'get-all-live-events',
  'get-all-instructors',
  'get-live-event-session-processed-mp4',
]);

function limitOf(operation: string): number {
  if (operation.endsWith('-mp4')) return 5;
  return operation.startsWith('get-all-') ? 15 : 60;
}

/** Returns the elements, or null if the body is not an envelope. */
function unwrap(body: string): readonly unknown[] | null {
  try {
    const { data } = object(JSON.parse(body));
    return Array.isArray(data) ? data : null;
  } catch {
    return null;
  }
}

/** Starts the service. */
export async function start(options: StartOptions = {}): Promise<Upstream> {
  const { now = Date.now, limitScale = 1 } = options;
  const { all, planted } = load();
  const logs = new Map<string, number[]>();
  let calls = 0;

  /** Returns 0, or the milliseconds until the school can call again. */
  function throttledFor(tenant: number, operation: string): number {
    const id = `${tenant} ${operation}`;
    const log = (logs.get(id) ?? []).filter((at) => at > now() - 60_000);
    logs.set(id, log);
    const [oldest] = log;
    if (oldest !== undefined && log.length >= Math.ceil(limitOf(operation) * limitScale))
      return oldest + 60_000 - now();
    log.push(now());
    return 0;
  }

  function failed(errorMessage: string): object {
    return { output: { status: 'error', errorMessage }, requestId: calls };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls += 1;
    const body = await readBody(request, personality.bodyLimit.bytes);
    const operation = /^\/public\/([a-z0-9-]+)\/?(\?|$)/.exec(request.url ?? '')?.[1] ?? '';
    if (request.method !== 'POST' || !names.has(operation)) {
      return send(response, 404, 'text/plain', `Cannot ${request.method ?? ''} ${request.url ?? ''}`);
    }
    const key = headerOf(request, 'service-api-key') ?? '';
    const tenant = schools.findIndex(({ apiKeys }) => apiKeys.includes(key));
    if (tenant < 0) return sendJson(response, 401, [failed('E1001 unauthorized')]);
    const headers: OutgoingHttpHeaders = schools[tenant]?.apiKeys[1] === key ? { Deprecation: 'true' } : {};
    const wait = throttledFor(tenant, operation);
    if (wait > 0)
      return sendJson(response, 429, [failed('E1002 slow down')], { ...headers, 'X-Retry-In-Ms': wait });
    if (body === null) return send(response, 413, 'text/plain', 'Payload Too Large', headers);
    const elements = unwrap(body);
    if (!elements) return send(response, 400, 'text/plain', 'Bad Request', headers);
    if (elements.length === 0) return sendJson(response, 200, [], headers);
    try {
      const input = object(object(elements[0])['data']);
      const data = perform(operation, { input, all, tenant, now: now() });
      sendJson(response, 200, [{ output: { status: 'ok', data }, requestId: calls }], headers);
    } catch (error) {
      const message = error instanceof RangeError ? error.message : 'E9999 unexpected';
      sendJson(response, 200, [failed(message)], headers);
    }
  }

  const server = createServer(
    (request, response) => void respond(request, response).catch(() => response.destroy()),
  );
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
    calls: () => calls,
    planted,
    stored: (id) => {
      const docs = [...all.coupons, ...all.labs, ...all.answers, ...all.instructors];
      return structuredClone(docs.findLast((doc) => doc['_id'] === id || word(doc, 'serial') === id));
    },
  };
}

await runAsProgram(import.meta.url, (flags) => start(commonOptions(flags)));
