/**
 * A learning platform behind an API gateway: an observatory and a lighthouse.
 *
 * Where the specification is silent, the gateway does the following, in this order.
 *
 * - `OPTIONS`: 204 with CORS headers, without a key.
 * - Unknown path, or a method other than POST: 404 with an HTML page. A query string is ignored.
 * - Missing or unknown key: 403 `{"message":"Forbidden"}`, the same for both.
 * - Keys: both keys of the first school are valid; each has its own limits.
 * - Rate limits: per key and endpoint, a token bucket as large as the limit that refills evenly over a minute.
 *   Failed requests count, throttled ones do not. Exceeded: 429 `{"message":"Limit Exceeded"}`, without
 *   `Retry-After`. mp4: 15.
 * - Body above 1 MiB: 413 `{"message":"Request Too Long"}`.
 * - Headers on every response: `X-Gateway-Request-Id`, `Via`, `X-Cache`, `Access-Control-Allow-Origin`.
 *
 * The service behind it does the following.
 *
 * - Failures of the whole request (malformed JSON 400, envelope 400, more than 10 elements 422, content type
 *   415, empty batch 400): `application/problem+json`.
 * - Batch of one element: a failure is a problem with its status (400, 404, 409). Batch of several: HTTP 200, each
 *   element for itself in order, and the `errorMessage` is the problem's `detail`.
 * - Validation: all violations at once in `errors` (`pointer`, `reason`); strict types; unknown fields ignored;
 *   null is a wrong type. Numbers as text are refused.
 * - Unknown identifier or another school's: 404, the same for both.
 * - Absent values: an empty string (`endedAtIso`).
 * - Updates replace the record: all documented fields are required. null
 *   is refused. Coupons: only `percent-off`; the slug may
 *   repeat; the product must be the coupon's own (409). Dates must have a zone.
 * - Submissions: the user must exist with this e-mail (404 otherwise); the item's own type is not compared;
 *   unknown questions: 400; a repetition replaces all answers, also after completion.
 * - Instructors: e-mail compared without case; the existing name stays. `createdAt` is an RFC 1123 date.
 *   Ordered by e-mail address. One instructor teaches at both schools.
 * - Video library: pages of 25 from page 1 (below: taken as 1; beyond the end: 404); ordered by title;
 *   `filterTerm` matches the beginning of any word, without case and accents; `folderPath` is one folder without
 *   its subfolders; `absoluteFolderPaths` lists its direct subfolders. All three fields are required.
 * - Presets: pages from 1; `limit` is truncated and at most 100; both required.
 * - Live events: all states (`Active`, `Ended`, `Cancelled`), the latest first session first.
 * - Playback: three sources with policy, signature and key pair; not ended: 409.
 * - mp4: only first sessions are processed; others: 404 `recording-pending`.
 * - Assignments: types other than `product-id`: 400.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import {
  fill,
  key as idOf,
  schools,
  type Owned,
  type Row,
  type Session,
  type Tables,
} from './gateway/data.ts';
import {
  closeServer,
  commonOptions,
  headerOf,
  listen,
  readBody,
  runAsProgram,
  send,
  type StartOptions,
  type Upstream,
} from './plumbing.ts';

export { samples, schools } from './gateway/data.ts';

export const personality = {
  gateway: {
    wrongKey: { status: 403, body: { message: 'Forbidden' } },
    missingKey: { status: 403, body: { message: 'Forbidden' } },
    throttled: { status: 429, body: { message: 'Limit Exceeded' }, retryAfter: false },
    tooLong: { status: 413, maxBytes: 1_048_576 },
    wrongPath: { status: 404, type: 'text/html' },
    wrongMethod: { status: 404, type: 'text/html' },
    options: 204,
    limitModel: 'token bucket',
    limitScope: 'key and endpoint',
    mp4Limit: 15,
    limitCountsFailures: true,
    secondKey: 'valid, with limits of its own',
    headers: ['X-Gateway-Request-Id', 'Via', 'X-Cache', 'Access-Control-Allow-Origin'],
  },
  service: {
    errorType: 'application/problem+json',
    singleElementFailure: 'problem with status',
    severalElementsFailure: 'error outputs',
    maxBatch: 10,
    emptyBatch: 400,
    contentType: 415,
    validation: 'all violations',
    validationStatus: 400,
    unknownFields: 'ignored',
    numbersAsText: 'refused',
    unknownId: 404,
    otherSchool: 404,
    absent: 'empty string',
    update: 'replace',
    repeatedSubmission: 'replaces',
    instructorRename: false,
    instructorDates: 'RFC 1123',
    videoPages: { first: 1, size: 25, beyondEnd: 404 },
    videoFilter: 'word beginnings',
    videoFolder: 'exact',
    presetLimit: 'truncated, at most 100',
    liveEventStates: ['Active', 'Ended', 'Cancelled'],
    liveEventOrder: 'latest first session first',
    instructorOrder: 'e-mail address',
    videoOrder: 'title',
    couponOfOtherProduct: 409,
    sharedInstructors: true,
    emailCase: 'ignored',
    playbackSources: 3,
    playbackNotEnded: 409,
    mp4NotReady: 404,
  },
} as const;

// The service behind the gateway.

interface Violation {
  readonly pointer: string;
  readonly reason: string;
}

class Problem extends Error {
  readonly status: number;
  readonly slug: string;
  readonly violations: readonly Violation[] | undefined;
  constructor(status: number, slug: string, detail: string, violations?: readonly Violation[]) {
    super(detail);
    this.status = status;
    this.slug = slug;
    this.violations = violations;
  }
}

type Test = (value: unknown) => boolean;
const isText: Test = (value) => typeof value === 'string';
const isFilled: Test = (value) => typeof value === 'string' && value.length > 0;
const isEmail: Test = (value) => typeof value === 'string' && /^\S+@\S+$/.test(value);
const isNumber: Test = (value) => typeof value === 'number';
const isWhole: Test = (value) => Number.isSafeInteger(value);
const isDate: Test = (value) =>
  typeof value === 'string' && /T.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));

/** The fields that each operation requires, by path. */
const required: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  'get-quiz-details': { quizId: isFilled },
  'update-digital-product-coupon': {
    serviceCouponCodeId: isFilled,
    serviceDigitalProductId: isFilled,
    serviceDigitalProductCouponSlug: isFilled,
    description: isText,
    expireAtIsoString: isDate,
    shouldApplyAutomatically: (value) => typeof value === 'boolean',
    numberOfRedemptionsAllowed: isWhole,
    'couponTypeData/type': (value) => value === 'percent-off',
    'couponTypeData/percentOff': isNumber,
  },
  'update-interactive-coding-lab': {
    labId: isFilled,
    labTitle: isText,
    labDescriptionAsMarkdown: isText,
    defaultGitRepositoryUrl: isText,
    defaultGitRepositoryBranchName: isText,
    evaluationScriptBashCommand: isText,
    evaluationScriptTestFileContent: isText,
    testCases: Array.isArray,
  },
  'submit-user-course-item': {
    courseItemId: isFilled,
    'details/courseItemType': isFilled,
    'details/questionsToUpsert': Array.isArray,
    userId: isFilled,
    userEmail: isEmail,
    shouldMarkAsCompleted: (value) => typeof value === 'boolean',
  },
  'create-instructor-account': { instructorEmail: isEmail, instructorName: isFilled },
  'get-video-library': { filterTerm: isText, pageNumber: isWhole, folderPath: isFilled },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: isFilled },
  'list-assignments': {
    'courseIdentifier/type': (value) => value === 'product-id',
    'courseIdentifier/digitalProductId': isFilled,
  },
  'get-course-item-data': { courseItemId: isFilled },
  'get-instructor-permission-presets': { pageNumber: isWhole, limit: isNumber },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: isFilled },
};

function reach(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('/')) found = (found as Row | null | undefined)?.[name];
  return found;
}

/** @throws {Problem} 400 with all violations */
function validate(operation: string, input: unknown): Row {
  const violations = Object.entries(required[operation] ?? {})
    .filter(([path, test]) => !test(reach(input, path)))
    .map(([path]) => ({
      pointer: `/${path}`,
      reason: reach(input, path) === undefined ? 'missing' : 'invalid',
    }));
  if (violations.length > 0)
    throw new Problem(400, 'validation', 'The parameters are not valid.', violations);
  return input as Row;
}

interface Caller {
  readonly tables: Tables;
  readonly school: number;
  readonly now: () => number;
}

function own<T>(table: ReadonlyMap<string, Owned<T>>, id: unknown, { school }: Caller): Owned<T> {
  const found = table.get(String(id));
  if (found?.owner !== school) throw new Problem(404, 'not-found', 'The resource does not exist.');
  return found;
}

function mine<T>(table: ReadonlyMap<string, Owned<T>>, { school }: Caller): T[] {
  return [...table.values()].filter(({ owner }) => owner === school).map(({ value }) => value);
}

function sessionOf(id: unknown, caller: Caller): Session {
  const sessions = mine(caller.tables.events, caller).flatMap((event) => event.sessions);
  const found = sessions.find(({ liveEventSessionId }) => liveEventSessionId === id);
  if (!found) throw new Problem(404, 'not-found', 'The resource does not exist.');
  return found;
}

function updateCoupon(input: Row, caller: Caller): Row {
  const coupon = own(caller.tables.coupons, input['serviceCouponCodeId'], caller);
  if (coupon.value['serviceDigitalProductId'] !== input['serviceDigitalProductId']) {
    throw new Problem(409, 'wrong-product', 'The coupon belongs to another product.');
  }
  coupon.value = { ...input };
  return {};
}

function submit(input: Row, caller: Caller): Row {
  const { tables } = caller;
  own(tables.items, input['courseItemId'], caller);
  const member = own(tables.members, input['userId'], caller);
  if (member.value !== input['userEmail'])
    throw new Problem(404, 'not-found', `No user has the address ${String(input['userEmail'])}.`);
  const known = new Set(
    mine(tables.quizzes, caller).flatMap((quiz) => quiz.questions.map(({ questionId }) => questionId)),
  );
  const answers = reach(input, 'details/questionsToUpsert') as Row[];
  const violations = answers.flatMap((answer, at) =>
    known.has(String(answer['questionUniqueId'])) && Array.isArray(answer['newSelectedOptionIds'])
      ? []
      : [{ pointer: `/details/questionsToUpsert/${at}`, reason: 'unknown' }],
  );
  if (violations.length > 0)
    throw new Problem(400, 'validation', 'The parameters are not valid.', violations);
  const id = `${String(input['courseItemId'])}/${String(input['userId'])}`;
  tables.submissions.set(id, {
    owner: caller.school,
    value: { answers, completed: input['shouldMarkAsCompleted'] },
  });
  return {};
}

function createInstructor(input: Row, { tables, school, now }: Caller): Row {
  const email = String(input['instructorEmail']).toLowerCase();
  const createdAt = new Date(now()).toUTCString();
  const n = tables.instructors.size;
  const found = tables.instructors.get(email) ?? {
    schools: new Set<number>(),
    userId: idOf(39, school, n),
    value: {
      serviceInstructorId: idOf(38, school, n),
      name: String(input['instructorName']),
      email,
      profilePhotoUrl: '',
      tagline: '',
      longDescriptionMarkdown: '',
      createdAt,
      lastUpdatedAt: createdAt,
    },
  };
  tables.instructors.set(email, found);
  found.schools.add(school);
  return { serviceInstructorId: found.value.serviceInstructorId, associatedServiceUserId: found.userId };
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

function listVideos(input: Row, caller: Caller): Row {
  const all = mine(caller.tables.videos, caller);
  const folder = String(input['folderPath']).replace(/(?<=.)\/$/, '');
  const term = fold(String(input['filterTerm']));
  const found = all.filter(
    (video) =>
      video.folder === folder &&
      (term === '' ||
        fold(video.videoTitle)
          .split(/[^\p{L}\p{N}]+/u)
          .some((word) => word.startsWith(term))),
  );
  const page = Math.max(1, Number(input['pageNumber']));
  const rows = found
    .toSorted((a, b) => a.videoTitle.localeCompare(b.videoTitle))
    .slice(page * 25 - 25, page * 25);
  if (page > 1 && rows.length === 0) throw new Problem(404, 'no-such-page', 'The page does not exist.');
  const parent = folder === '/' ? '/' : `${folder}/`;
  const isChild = (path: string): boolean =>
    path !== '/' && path.startsWith(parent) && !path.slice(parent.length).includes('/');
  return {
    totalResults: found.length,
    pageSize: 25,
    videoData: rows.map(({ folder: _folder, ...video }) => video),
    absoluteFolderPaths: [...new Set(all.map((video) => video.folder))].filter(isChild),
  };
}

function playback(input: Row, caller: Caller): Row {
  const session = sessionOf(input['liveEventSessionId'], caller);
  if (session.endedAtIso === '') throw new Problem(409, 'session-open', 'The session has not ended.');
  const hash = (text: string): string =>
    createHash('sha256').update(`${session.liveEventSessionId}${text}`).digest('hex');
  return {
    playbackSources: [1080, 720, 480].map((height) => ({
      masterM3u8Pathname: `/${session.liveEventSessionId}/${height}/main.m3u8`,
      origin: 'https://streams.harrowmere.example',
      urlSearchParamString: `Policy=${hash('p').slice(0, 24)}&Signature=${hash(String(caller.now()))}&Key-Pair-Id=HM7`,
      clearkeyDecryptionKeyInHex: hash('key').slice(0, 32),
    })),
  };
}

function firstStart({ sessions }: { sessions: Session[] }): string {
  return sessions[0]?.scheduledStartAtIso ?? '';
}

function listEvents(caller: Caller): Row {
  return {
    liveEvents: mine(caller.tables.events, caller).toSorted((a, b) =>
      firstStart(b).localeCompare(firstStart(a)),
    ),
  };
}

function listPresets(input: Row, { tables, school }: Caller): Row {
  const all = tables.presets.filter(({ owner }) => owner === school).map(({ value }) => value);
  const limit = Math.min(100, Math.max(0, Math.trunc(Number(input['limit']))));
  const from = (Math.max(1, Number(input['pageNumber'])) - 1) * limit;
  return { totalPresetCount: all.length, presets: all.slice(from, from + limit) };
}

const handlers: Readonly<Record<string, (input: Row, caller: Caller) => Row>> = {
  'get-quiz-details': (input, caller) => own(caller.tables.quizzes, input['quizId'], caller).value,
  'update-digital-product-coupon': updateCoupon,
  'update-interactive-coding-lab': (input, caller) => {
    own(caller.tables.labs, input['labId'], caller).value = { ...input };
    return {};
  },
  'submit-user-course-item': submit,
  'create-instructor-account': createInstructor,
  'get-video-library': listVideos,
  'get-signed-url-data-for-live-event-session-playback': playback,
  'list-assignments': (input, caller) => {
    const productId = reach(input, 'courseIdentifier/digitalProductId');
    return { productId, ...own(caller.tables.products, productId, caller).value };
  },
  'get-course-item-data': (input, caller) => own(caller.tables.items, input['courseItemId'], caller).value,
  'get-instructor-permission-presets': listPresets,
  'get-all-live-events': (_, caller) => listEvents(caller),
  'get-all-instructors': (_, { tables, school }) => {
    const staff = [...tables.instructors.values()].filter((one) => one.schools.has(school));
    return { instructors: staff.map(({ value }) => value).toSorted((a, b) => (a.email < b.email ? -1 : 1)) };
  },
  'get-live-event-session-processed-mp4': (input, caller) => {
    sessionOf(input['liveEventSessionId'], caller);
    const recording = caller.tables.recordings.get(String(input['liveEventSessionId']));
    if (!recording) throw new Problem(404, 'recording-pending', 'The recording is not available yet.');
    return { downloadUrl: recording.value };
  },
};

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function problemReply({ status, slug, message, violations }: Problem): Reply {
  const title = slug.replaceAll('-', ' ');
  const body = {
    type: `https://problems.harrowmere.example/${slug}`,
    title,
    status,
    detail: message,
    errors: violations,
  };
  return { status, type: 'application/problem+json; charset=utf-8', body: JSON.stringify(body) };
}

function elementsOf(body: string): readonly unknown[] {
  let data: unknown;
  try {
    data = reach(JSON.parse(body), 'data');
  } catch {
    throw new Problem(400, 'malformed-json', 'The body cannot be parsed.');
  }
  if (!Array.isArray(data) || data.length === 0)
    throw new Problem(400, 'envelope', 'data must be a filled array.');
  if (data.length > 10) throw new Problem(422, 'batch-too-large', 'A request can have 10 elements.');
  return data.map((element: unknown, at) => {
    const input = reach(element, 'data');
    if (typeof input !== 'object' || input === null)
      throw new Problem(400, 'envelope', `Element ${at} has no data.`);
    return input;
  });
}

function serve(operation: string, type: string, body: string, caller: Caller): Reply {
  try {
    if (!type.startsWith('application/json')) throw new Problem(415, 'media-type', 'Use application/json.');
    const elements = elementsOf(body);
    const handle = handlers[operation] ?? ((): Row => ({}));
    const outputs = elements.map((element) => {
      try {
        return { output: { status: 'ok', data: handle(validate(operation, element), caller) } };
      } catch (error) {
        if (!(error instanceof Problem) || elements.length === 1) throw error;
        return { output: { status: 'error', errorMessage: error.message } };
      }
    });
    return { status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(outputs) };
  } catch (error) {
    return problemReply(error instanceof Problem ? error : new Problem(500, 'internal', 'Internal error.'));
  }
}

// The gateway.

const page =
  '<!DOCTYPE html>\n<html><head><title>404</title></head><body><h1>Page not found</h1></body></html>\n';

function plain(status: number, message: string): Reply {
  return { status, type: 'application/json', body: JSON.stringify({ message }) };
}

/** Starts the service. */
export async function start(options: StartOptions = {}): Promise<Upstream> {
  const { now = Date.now, limitScale = 1 } = options;
  const tables = fill();
  const buckets = new Map<string, { tokens: number; filledAt: number }>();
  let calls = 0;

  function takesToken(apiKey: string, operation: string): boolean {
    const isNarrow = operation.startsWith('get-all-') || operation.endsWith('-mp4');
    const size = Math.ceil((isNarrow ? 15 : 60) * limitScale);
    const id = `${apiKey} ${operation}`;
    const bucket = buckets.get(id) ?? { tokens: size, filledAt: now() };
    buckets.set(id, bucket);
    bucket.tokens = Math.min(size, bucket.tokens + ((now() - bucket.filledAt) * size) / 60_000);
    bucket.filledAt = now();
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  async function pass(request: IncomingMessage): Promise<Reply> {
    const body = await readBody(request, personality.gateway.tooLong.maxBytes);
    if (request.method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' };
    const [path = ''] = (request.url ?? '').split('?');
    const operation = path.replace(/^\/public\//, '');
    if (request.method !== 'POST' || operation === path || !Object.hasOwn(handlers, operation)) {
      return { status: 404, type: 'text/html; charset=utf-8', body: page };
    }
    const apiKey = headerOf(request, 'service-api-key') ?? '';
    const school = schools.findIndex(({ apiKeys }) => apiKeys.includes(apiKey));
    if (school < 0) return plain(403, 'Forbidden');
    if (!takesToken(apiKey, operation)) return plain(429, 'Limit Exceeded');
    if (body === null) return plain(413, 'Request Too Long');
    return serve(operation, headerOf(request, 'content-type') ?? '', body, { tables, school, now });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls += 1;
    const headers: OutgoingHttpHeaders = {
      'X-Gateway-Request-Id': createHash('md5').update(`request ${calls}`).digest('hex'),
      Via: '1.1 edge-07.harrowmere.example',
      'X-Cache': 'Miss from gateway',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'Content-Type,SERVICE-API-KEY',
    };
    const reply = await pass(request);
    send(response, reply.status, reply.type, reply.body, headers);
  }

  const server = createServer(
    (request, response) => void respond(request, response).catch(() => response.destroy()),
  );
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
    calls: () => calls,
    planted: [...tables.planted],
    stored: (id) => {
      const { coupons, labs, submissions, instructors } = tables;
      const instructor = [...instructors.values()].find(({ value }) => value.serviceInstructorId === id);
      return structuredClone((coupons.get(id) ?? labs.get(id) ?? submissions.get(id) ?? instructor)?.value);
    },
  };
}

await runAsProgram(import.meta.url, (flags) => start(commonOptions(flags)));
