/**
 * A learning platform with REST habits: a music conservatory and a workshop for instruments.
 *
 * Where the specification is silent, this service does the following.
 *
 * - Missing key: 401 `missing_api_key`. Unknown key: 401 `invalid_api_key`. Both with `WWW-Authenticate`.
 * - Keys: both keys of the first school are valid and identify the same school.
 * - Failures: `{"error":{"code","message","field"?}}` with the conventional HTTP status; never an output.
 * - Unknown path, or a query string: 404 `unknown_endpoint`. Method other than POST: 405 with `Allow`. Both
 *   without looking at the key.
 * - Content type other than JSON: 415. Malformed JSON or envelope: 400. Body above 256 KiB: 413.
 * - Batch: 1 to 25 elements, outputs in the order of the elements. All or nothing: the first element that
 *   fails refuses the request with its status, and no element takes effect. Empty batch: 400.
 * - Missing required field: 400 `missing_field`. Unknown field, wrong type or value: 422. The element's
 *   wrapper and the envelope must not have further fields either.
 * - Unknown identifier: 404. Identifier of another school's record: 403 `other_school`.
 * - Absent values: null (`endedAtIso`, `tagline`, `profilePhotoUrl`, `articleUniqueId` of a quiz item).
 * - Updates: only the identifiers are required; a field left out keeps its value; null is not accepted.
 * - Coupons: types `percent-off` (0 to 100) and `amount-off` (`amountOff`). A slug that another coupon of the
 *   product has: 409. An expiry in the past: 422. A coupon under another product: 404.
 * - Submissions: the user must exist (404) and have the e-mail address (409, names the right address). A
 *   completed item cannot be submitted again: 409. Unknown questions or options: 422. Only items of type
 *   `Quiz`: 422.
 * - Instructors: e-mail compared without case and stored in lower case; the existing name stays. `createdAt`
 *   is an ISO date-time with milliseconds. Ordered by name.
 * - Video library: pages of 10 from page 1 (0: 422, beyond the end: empty); newest first; `filterTerm` is a
 *   substring of the title without case; `folderPath` includes subfolders, default `/`;
 *   `absoluteFolderPaths` lists the folders below it. All three fields are optional.
 * - Presets: pages from 1, `limit` from 1 to 50, rounded down, default 20.
 * - Live events: all states (`Active`, `Archived`), ordered by identifier.
 * - Playback: a session that has not ended: 409 `not_ended`. Two sources otherwise, valid for an hour.
 * - mp4: a session that has not ended or is not processed: 409 `not_processed`.
 * - Assignments: only `product-id`; another type: 422. A product without assignments: empty list.
 * - Rate limits: per school and endpoint; a fixed window that starts with its first request; counted after
 *   the key check and before validation, so failures count and throttled requests do not. mp4: 60.
 *   Exceeded: 429 with `Retry-After` as an HTTP date.
 * - Headers: `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) once the key is known;
 *   `Date` follows the service's clock.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import {
  closeServer,
  commonOptions,
  headerOf,
  listen,
  readBody,
  runAsProgram,
  sendJson,
  type StartOptions,
  type Upstream,
} from './plumbing.ts';
import {
  makeState,
  said,
  schools,
  uuid,
  type Fields,
  type SchoolData,
  type Session,
  type State,
} from './json-errors/data.ts';

export { samples, schools } from './json-errors/data.ts';

export const personality = {
  errorStyle: 'json-error-object',
  missingKeyStatus: 401,
  wrongKeyStatus: 401,
  wrongMethodStatus: 405,
  wrongPathStatus: 404,
  wrongContentTypeStatus: 415,
  malformedJsonStatus: 400,
  bodyLimitBytes: 262_144,
  maxBatch: 25,
  emptyBatchStatus: 400,
  batchMode: 'all-or-nothing',
  missingFieldStatus: 400,
  wrongTypeStatus: 422,
  unknownFieldStatus: 422,
  unknownIdStatus: 404,
  otherSchoolStatus: 403,
  conflictStatus: 409,
  absentValues: 'null',
  updates: 'partial',
  couponTypes: ['percent-off', 'amount-off'],
  resubmitCompletedStatus: 409,
  emailCase: 'insensitive',
  repeatedCreateRenames: false,
  videoFirstPage: 1,
  videoPageSize: 10,
  videoFolder: 'recursive',
  videoFilter: 'substring-case-insensitive',
  presetFirstPage: 1,
  presetLimitRounding: 'down',
  liveEventStates: ['Active', 'Archived'],
  unendedPlaybackStatus: 409,
  unprocessedMp4Status: 409,
  limitScope: 'school-and-endpoint',
  limitWindow: 'fixed-from-first-request',
  limitCountsFailures: true,
  limitCountsThrottled: false,
  mp4Limit: 60,
  liveEventOrder: 'identifier',
  instructorOrder: 'name',
  videoOrder: 'newest first',
  secondKey: 'valid, shares the limits',
  takenSlugStatus: 409,
  pastExpiryStatus: 422,
  otherIdentifierTypesStatus: 422,
  playbackSources: 2,
  throttledStatus: 429,
  retryAfter: 'http-date',
  limitHeaders: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
} as const;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

// Validation.

interface Rule {
  readonly kind: 'text' | 'id' | 'email' | 'date' | 'boolean' | 'integer' | 'number' | 'list' | 'object';
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly fields?: Rules;
  readonly items?: Rule;
}
type Rules = Readonly<Record<string, Rule>>;

const text: Rule = { kind: 'text' };
const id: Rule = { kind: 'id', required: true };
const email: Rule = { kind: 'email', required: true };

const rules: Readonly<Record<string, Rules>> = {
  'get-quiz-details': { quizId: id },
  'update-digital-product-coupon': {
    serviceCouponCodeId: id,
    serviceDigitalProductId: id,
    serviceDigitalProductCouponSlug: { kind: 'id' },
    description: text,
    expireAtIsoString: { kind: 'date' },
    shouldApplyAutomatically: { kind: 'boolean' },
    numberOfRedemptionsAllowed: { kind: 'integer', min: 0 },
    couponTypeData: {
      kind: 'object',
      fields: {
        type: id,
        percentOff: { kind: 'number', min: 0, max: 100 },
        amountOff: { kind: 'number', min: 0 },
      },
    },
  },
  'update-interactive-coding-lab': {
    labId: id,
    labTitle: text,
    labDescriptionAsMarkdown: text,
    defaultGitRepositoryUrl: text,
    defaultGitRepositoryBranchName: text,
    evaluationScriptBashCommand: text,
    evaluationScriptTestFileContent: text,
    testCases: { kind: 'list' },
  },
  'submit-user-course-item': {
    courseItemId: id,
    details: {
      kind: 'object',
      required: true,
      fields: {
        courseItemType: id,
        questionsToUpsert: {
          kind: 'list',
          required: true,
          items: {
            kind: 'object',
            fields: {
              questionUniqueId: id,
              newSelectedOptionIds: { kind: 'list', required: true, items: { kind: 'id' } },
            },
          },
        },
      },
    },
    userId: id,
    userEmail: email,
    shouldMarkAsCompleted: { kind: 'boolean' },
  },
  'create-instructor-account': { instructorEmail: email, instructorName: id },
  'get-video-library': { filterTerm: text, pageNumber: { kind: 'integer', min: 1 }, folderPath: text },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: id },
  'list-assignments': {
    courseIdentifier: { kind: 'object', required: true, fields: { type: id, digitalProductId: id } },
  },
  'get-course-item-data': { courseItemId: id },
  'get-instructor-permission-presets': {
    pageNumber: { kind: 'integer', min: 1 },
    limit: { kind: 'number', min: 1, max: 50 },
  },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: id },
};

function textOf(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const kinds: Readonly<Record<Rule['kind'], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  id: (value) => typeof value === 'string' && value !== '',
  email: (value) => typeof value === 'string' && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value),
  date: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  list: (value) => Array.isArray(value),
  object: isObject,
};

function checkFields(value: Fields, allowed: Rules, path: string): void {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(allowed, name))
      throw new Refusal(422, 'unknown_field', `${name} is not a field of this operation.`, `${path}.${name}`);
  }
  for (const [name, rule] of Object.entries(allowed)) {
    if (value[name] !== undefined) checkValue(value[name], rule, `${path}.${name}`);
    else if (rule.required === true)
      throw new Refusal(400, 'missing_field', `${name} is required.`, `${path}.${name}`);
  }
}

function checkValue(value: unknown, rule: Rule, path: string): void {
  if (!kinds[rule.kind](value))
    throw new Refusal(422, 'invalid_value', `The value must be of kind ${rule.kind}.`, path);
  if (typeof value === 'number' && (value < (rule.min ?? -Infinity) || value > (rule.max ?? Infinity))) {
    throw new Refusal(
      422,
      'out_of_range',
      `The value must be from ${rule.min ?? '-∞'} to ${rule.max ?? '∞'}.`,
      path,
    );
  }
  if (isObject(value) && rule.fields) checkFields(value, rule.fields, path);
  const { items } = rule;
  if (Array.isArray(value) && items) value.forEach((item, at) => checkValue(item, items, `${path}[${at}]`));
}

// The operations.

interface Context {
  readonly state: State;
  readonly school: number;
  readonly now: number;
}
type Operation = (input: Fields, context: Context) => Fields;

/** Finds a record of the caller's school. @throws {Refusal} 403 if another school has it, else 404. */
function find<T>(
  { state, school }: Context,
  what: string,
  wanted: unknown,
  of: (data: SchoolData) => Map<string, T>,
): T {
  const [own, ...others] = [school, ...state.schools.keys()]
    .map((at) => state.schools[at])
    .filter((data) => data !== undefined);
  const found = own && of(own).get(String(wanted));
  if (found !== undefined) return found;
  if (others.some((data) => of(data).has(String(wanted))))
    throw new Refusal(403, 'other_school', `This ${what} belongs to another school.`);
  throw new Refusal(404, 'not_found', `There is no ${what} with this identifier.`);
}

function ownData({ state, school }: Context): SchoolData {
  const data = state.schools[school];
  if (!data) throw new Error('The school has no data.');
  return data;
}

function sessionsOf(data: SchoolData): Map<string, Session> {
  return new Map(data.events.flatMap(({ sessions }) => sessions).map((one) => [one.liveEventSessionId, one]));
}

function updateCoupon(input: Fields, context: Context): Fields {
  const coupon = find(context, 'coupon', input['serviceCouponCodeId'], (data) => data.coupons);
  if (coupon.serviceDigitalProductId !== input['serviceDigitalProductId'])
    throw new Refusal(404, 'not_found', 'The product has no such coupon.');
  const type = input['couponTypeData'];
  if (isObject(type)) {
    const amount = { 'percent-off': 'percentOff', 'amount-off': 'amountOff' }[String(type['type'])];
    if (amount === undefined)
      throw new Refusal(422, 'invalid_value', 'The coupon type is not known.', 'couponTypeData.type');
    if (type[amount] === undefined)
      throw new Refusal(400, 'missing_field', `${amount} is required.`, `couponTypeData.${amount}`);
  }
  if (Date.parse(textOf(input['expireAtIsoString'], '2999-01-01T00:00:00Z')) <= context.now) {
    throw new Refusal(422, 'expiry_in_past', 'A coupon cannot expire in the past.', 'expireAtIsoString');
  }
  for (const other of ownData(context).coupons.values()) {
    if (
      other !== coupon &&
      other.serviceDigitalProductCouponSlug === input['serviceDigitalProductCouponSlug']
    ) {
      throw new Refusal(409, 'slug_taken', `The slug ${other.serviceDigitalProductCouponSlug} is taken.`);
    }
  }
  Object.assign(coupon, input);
  return {};
}

function submitItem(input: Fields, context: Context): Fields {
  const item = find(context, 'course item', input['courseItemId'], (data) => data.items);
  const { details, userEmail, userId } = input as {
    details: {
      courseItemType: string;
      questionsToUpsert: { questionUniqueId: string; newSelectedOptionIds: string[] }[];
    };
    userEmail: string;
    userId: string;
  };
  const user = find(context, 'user', userId, (data) => data.users);
  if (user.email.toLowerCase() !== userEmail.toLowerCase())
    throw new Refusal(409, 'email_mismatch', `This user has the address ${user.email}.`);
  if (details.courseItemType !== 'Quiz' || item.quizId === null)
    throw new Refusal(422, 'not_a_quiz', `"${item.courseItemData.title}" is not a quiz.`);
  const { quizzes, submissions } = ownData(context);
  const questions = quizzes.get(item.quizId)?.questions ?? [];
  const key = `${String(input['courseItemId'])} ${userId}`;
  const submission = submissions.get(key) ?? {
    completed: false,
    answers: new Map<string, readonly string[]>(),
  };
  if (submission.completed) throw new Refusal(409, 'already_completed', 'The user completed this item.');
  for (const { questionUniqueId, newSelectedOptionIds } of details.questionsToUpsert) {
    const question = questions.find(({ questionId }) => questionId === questionUniqueId);
    if (!question) throw new Refusal(422, 'unknown_question', 'The quiz has no such question.');
    if (
      newSelectedOptionIds.some((wanted) => question.options.every(({ optionId }) => optionId !== wanted))
    ) {
      throw new Refusal(422, 'unknown_option', `"${question.title}" has no such option.`);
    }
    submission.answers.set(questionUniqueId, newSelectedOptionIds);
  }
  submission.completed = input['shouldMarkAsCompleted'] === true;
  submissions.set(key, submission);
  return {};
}

function createInstructor(input: Fields, context: Context): Fields {
  const { accounts } = context.state;
  const address = String(input['instructorEmail']).toLowerCase();
  let account = [...accounts.values()].find((one) => one.email === address);
  if (!account) {
    const at = new Date(context.now).toISOString();
    const [serviceInstructorId, userId] = [uuid('new instructor', address), uuid('new user', address)];
    const rest = {
      profilePhotoUrl: null,
      tagline: null,
      longDescriptionMarkdown: '',
      createdAt: at,
      lastUpdatedAt: at,
    };
    account = { serviceInstructorId, userId, name: String(input['instructorName']), email: address, ...rest };
    accounts.set(serviceInstructorId, account);
  }
  ownData(context).instructorIds.add(account.serviceInstructorId);
  return { serviceInstructorId: account.serviceInstructorId, associatedServiceUserId: account.userId };
}

function listVideos(input: Fields, context: Context): Fields {
  const { videos } = ownData(context);
  const term = textOf(input['filterTerm']).toLowerCase();
  const folder = `/${textOf(input['folderPath']).replaceAll(/^\/+|\/+$/g, '')}`;
  const below = (path: string): boolean => folder === '/' || path.startsWith(`${folder}/`);
  const found = videos
    .filter(
      (video) =>
        (video.folder === folder || below(video.folder)) && video.videoTitle.toLowerCase().includes(term),
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const first = (Number(input['pageNumber'] ?? 1) - 1) * 10;
  return {
    totalResults: found.length,
    pageSize: 10,
    videoData: found.slice(first, first + 10).map(({ folder: _folder, ...video }) => video),
    absoluteFolderPaths: [...new Set(videos.map((video) => video.folder))].filter(
      (path) => path !== '/' && below(path),
    ),
  };
}

function signPlayback(input: Fields, context: Context): Fields {
  const wanted = String(input['liveEventSessionId']);
  if (find(context, 'session', wanted, sessionsOf).endedAtIso === null)
    throw new Refusal(409, 'not_ended', 'The session has not ended.');
  const expires = Math.floor(context.now / 1000) + 3600;
  const hmac = (purpose: string): string =>
    createHmac('sha256', wanted).update(`${purpose} ${expires}`).digest('hex');
  return {
    playbackSources: ['cdn-a', 'cdn-b'].map((host) => ({
      masterM3u8Pathname: `/hls/${wanted}/master.m3u8`,
      origin: `https://${host}.lipova.example`,
      urlSearchParamString: `Expires=${expires}&Signature=${hmac(host)}`,
      clearkeyDecryptionKeyInHex: createHash('md5').update(wanted).digest('hex'),
    })),
  };
}

const operations: Readonly<Record<string, Operation>> = {
  'get-quiz-details': (input, context) => ({
    ...find(context, 'quiz', input['quizId'], (data) => data.quizzes),
  }),
  'update-digital-product-coupon': updateCoupon,
  'update-interactive-coding-lab': (input, context) => {
    Object.assign(
      find(context, 'lab', input['labId'], (data) => data.labs),
      input,
    );
    return {};
  },
  'submit-user-course-item': submitItem,
  'create-instructor-account': createInstructor,
  'get-video-library': listVideos,
  'get-signed-url-data-for-live-event-session-playback': signPlayback,
  'list-assignments': (input, context) => {
    const { type, digitalProductId } = input['courseIdentifier'] as Fields;
    if (type !== 'product-id')
      throw new Refusal(422, 'invalid_value', 'The type must be product-id.', 'courseIdentifier.type');
    const product = find(context, 'product', digitalProductId, (data) => data.products);
    return { productId: digitalProductId, productTitle: product.title, assignments: product.assignments };
  },
  'get-course-item-data': (input, context) => {
    const { quizId: _, ...item } = find(context, 'course item', input['courseItemId'], (data) => data.items);
    return item;
  },
  'get-instructor-permission-presets': (input, context) => {
    const { presets } = ownData(context);
    const limit = Math.floor(Number(input['limit'] ?? 20));
    const first = (Number(input['pageNumber'] ?? 1) - 1) * limit;
    return { totalPresetCount: presets.length, presets: presets.slice(first, first + limit) };
  },
  'get-all-live-events': (_, context) => ({
    liveEvents: ownData(context).events.toSorted((a, b) =>
      String(a['liveEventId']).localeCompare(String(b['liveEventId'])),
    ),
  }),
  'get-all-instructors': (_, context) => ({
    instructors: [...ownData(context).instructorIds]
      .flatMap((wanted) => context.state.accounts.get(wanted) ?? [])
      .map(({ userId: _user, ...account }) => account)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'cs')),
  }),
  'get-live-event-session-processed-mp4': (input, context) => {
    const wanted = String(input['liveEventSessionId']);
    find(context, 'session', wanted, sessionsOf);
    if (!ownData(context).processed.has(wanted))
      throw new Refusal(409, 'not_processed', 'The recording is not processed.');
    return {
      downloadUrl: `https://files.lipova.example/mp4/${wanted}.mp4?until=${Math.floor(context.now / 1000) + 900}`,
    };
  },
};

// HTTP.

function parseElements(body: string): readonly Fields[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new Refusal(400, 'malformed_json', 'The body is not JSON.');
  }
  const list = isObject(parsed) ? parsed['data'] : undefined;
  if (!isObject(parsed) || !Array.isArray(list))
    throw new Refusal(400, 'invalid_envelope', 'data must be an array.', 'data');
  if (list.length === 0) throw new Refusal(400, 'empty_batch', 'data must have an element.', 'data');
  if (list.length > 25) throw new Refusal(400, 'batch_too_large', 'data can have 25 elements.', 'data');
  checkFields(parsed, { data: { kind: 'list' } }, 'body');
  return list.map((element: unknown, at) => {
    const inner = isObject(element) ? element['data'] : undefined;
    if (!isObject(element) || !isObject(inner))
      throw new Refusal(400, 'invalid_envelope', 'The element needs an object in data.', `data[${at}]`);
    checkFields(element, { data: { kind: 'object' } }, `data[${at}]`);
    return inner;
  });
}

interface Window {
  startedAt: number;
  used: number;
}

/** Starts the service. */
export async function start(options: StartOptions = {}): Promise<Upstream> {
  const { now = Date.now, limitScale = 1 } = options;
  let state = makeState();
  let calls = 0;
  const windows = new Map<string, Window>();

  /** Counts the request. @throws {Refusal} 429 */
  function throttle(school: number, operation: string, headers: OutgoingHttpHeaders): void {
    const limit = Math.ceil((operation.startsWith('get-all-') ? 15 : 60) * limitScale);
    const key = `${school} ${operation}`;
    let window = windows.get(key);
    if (!window || now() >= window.startedAt + 60_000)
      windows.set(key, (window = { startedAt: now(), used: 0 }));
    const resetAt = window.startedAt + 60_000;
    const isOver = window.used >= limit;
    if (!isOver) window.used += 1;
    headers['RateLimit-Limit'] = limit;
    headers['RateLimit-Remaining'] = limit - window.used;
    headers['RateLimit-Reset'] = Math.ceil((resetAt - now()) / 1000);
    if (!isOver) return;
    headers['Retry-After'] = new Date(Math.ceil(resetAt / 1000) * 1000).toUTCString();
    throw new Refusal(429, 'rate_limited', `This endpoint allows ${limit} requests a minute.`);
  }

  async function answer(request: IncomingMessage, headers: OutgoingHttpHeaders): Promise<unknown> {
    const body = await readBody(request, personality.bodyLimitBytes);
    const name = /^\/public\/([a-z0-9-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) throw new Refusal(404, 'unknown_endpoint', 'There is no such endpoint.');
    if (request.method !== 'POST') {
      headers['Allow'] = 'POST';
      throw new Refusal(405, 'method_not_allowed', 'Use POST.');
    }
    const key = headerOf(request, 'service-api-key');
    const school = schools.findIndex(({ apiKeys }) => apiKeys.includes(key ?? ''));
    if (school < 0) {
      headers['WWW-Authenticate'] = 'ApiKey header="SERVICE-API-KEY"';
      throw key === undefined
        ? new Refusal(401, 'missing_api_key', 'Send the header SERVICE-API-KEY.')
        : new Refusal(401, 'invalid_api_key', 'The API key is not valid.');
    }
    throttle(school, name, headers);
    if (!/^application\/json\s*(;|$)/i.test(headerOf(request, 'content-type') ?? ''))
      throw new Refusal(415, 'unsupported_media_type', 'Send application/json.');
    if (body === null) throw new Refusal(413, 'body_too_large', 'The body can have 256 KiB.');
    const draft = structuredClone(state);
    const outputs = parseElements(body).map((input, at) => {
      checkFields(input, rules[name] ?? {}, `data[${at}].data`);
      return { output: { status: 'ok', data: operation(input, { state: draft, school, now: now() }) } };
    });
    state = draft;
    return outputs;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls += 1;
    const headers: OutgoingHttpHeaders = { Date: new Date(now()).toUTCString() };
    try {
      sendJson(response, 200, await answer(request, headers), headers);
    } catch (error) {
      const { status, code, message, field } =
        error instanceof Refusal ? error : new Refusal(500, 'internal', 'Internal error.');
      sendJson(response, status, { error: { code, message, field } }, headers);
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
    calls: () => calls,
    planted: [...said],
    stored: (wanted) => {
      const found = state.schools.flatMap(({ coupons, labs, submissions }) =>
        [coupons, labs, submissions].map((map) => map.get(wanted) as unknown),
      );
      return structuredClone(found.find((one) => one !== undefined) ?? state.accounts.get(wanted));
    },
  };
}

await runAsProgram(import.meta.url, (flags) => start(commonOptions(flags)));
