/**
 * A learning platform with a bad network in front of it: two weaving schools.
 *
 * Misbehaviour comes from a seed: the n-th request to the service always has the same fate. Rates are shares of
 * requests from 0 to 1 and add up to at most 1.
 *
 * - `drop`: the connection breaks without a response. Every second drop comes after the request took effect.
 * - `hang`: no response ever; the request took no effect.
 * - `burst`: this request and the next two get 502 (HTML) and 503 (text, `Retry-After: 1`) in turn, without effect.
 * - `truncate`: the request takes effect; `Content-Length` is right, but the connection breaks after half of the body.
 * - `slow`: the request takes effect; the body arrives in 4 parts over `slowMs`.
 *
 * Misbehaviour precedes the key check. Where the specification is silent, the rest does the following.
 *
 * - Failures of the whole request: `{"status":"error","errorMessage"}` without an array, with a status.
 *   Missing key: 401 `An API key is required`. Unknown key: 401 `The API key is not known`. Unknown path or other
 *   method: 404. Malformed JSON, envelope or empty batch: 400. Body above 5 MiB: 413.
 * - Failures of an element: an error output with HTTP 200. Element by element, in order; maximum 100 (400).
 * - Validation per element: missing or wrong parameters are `Invalid parameter NAME`; unknown fields ignored.
 *   `filterTerm`, `pageNumber`, `folderPath`, `limit` and `shouldMarkAsCompleted` are optional.
 * - Unknown identifier or another school's: `NAME was not found`, with the identifier.
 * - Absent values: the key is left out (`endedAtIso`).
 * - Updates: partial; only the identifier is required; types of the fields sent are checked; other coupon types
 *   than `percent-off` are refused.
 * - Submissions: the user must exist (`User … was not found`) and have the e-mail; a completed item refuses further
 *   submissions with an error output; unknown questions are refused.
 * - Instructors: e-mail compared without case; the existing name stays. ISO dates. In order of creation.
 * - Video library: pages of 12 from page 1; below 1 is invalid; beyond the end is empty; `filterTerm` matches
 *   title without case; `folderPath` with subfolders; `absoluteFolderPaths` lists the folders of all matches.
 * - Presets: pages from 1; `limit` rounds to the nearest; below 1 is invalid; default 10.
 * - Live events: all, in order of creation. Playback and mp4 of a session that has not ended: error output.
 * - Rate limits: per school and endpoint, the last 60 seconds; throttled requests count as well, so a client that
 *   keeps calling stays throttled. mp4 and playback share one limit of 60. Exceeded: 429 with `Retry-After` in seconds.
 *   Requests that misbehave without effect do not count.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { schools, weave, type Loom, type Session, type Teacher, type Values } from './drops/data.ts';
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

export { samples, schools } from './drops/data.ts';

const kinds = ['drop', 'hang', 'burst', 'truncate', 'slow'] as const;
type Kind = (typeof kinds)[number];

export interface DropsOptions extends StartOptions {
  /** Default 1. */
  readonly seed?: number;
  /** The share of requests for each kind of misbehaviour. Kinds left out keep their default. */
  readonly rates?: Partial<Readonly<Record<Kind, number>>>;
  /** Milliseconds that a slow body takes. Default 2000. */
  readonly slowMs?: number;
}

const defaultRates: Readonly<Record<Kind, number>> = {
  drop: 0.05,
  hang: 0.01,
  burst: 0.03,
  truncate: 0.03,
  slow: 0.05,
};

/** Rates for a service that behaves. */
export const calm: Readonly<Record<Kind, number>> = { drop: 0, hang: 0, burst: 0, truncate: 0, slow: 0 };

export const personality = {
  misbehaviour: kinds,
  defaultRates,
  seeded: 'by request number',
  burstLength: 3,
  burstStatuses: [502, 503],
  dropAfterEffect: 'every second',
  truncatedTakesEffect: true,
  hangTakesEffect: false,
  requestFailureBody: { status: 'error', errorMessage: '…' },
  missingKeyStatus: 401,
  wrongKeyStatus: 401,
  wrongPathStatus: 404,
  wrongMethodStatus: 404,
  malformedStatus: 400,
  emptyBatchStatus: 400,
  maxBodyBytes: 5_242_880,
  maxBatch: 100,
  elementFailureStatus: 200,
  unknownFields: 'ignored',
  absentValues: 'left out',
  updates: 'partial',
  couponTypes: ['percent-off'],
  completedItems: 'refuse submissions',
  emailCase: 'ignored',
  repeatedCreateRenames: false,
  videoFirstPage: 1,
  videoPageSize: 12,
  videoFolder: 'with subfolders',
  presetFirstPage: 1,
  presetLimitRounding: 'nearest',
  unendedPlayback: 'error output',
  unendedMp4: 'error output',
  liveEventOrder: 'creation',
  instructorOrder: 'creation',
  videoOrder: 'oldest first',
  unknownId: 'error output with the identifier',
  batch: 'each element for itself, in order',
  secondKey: 'valid, shares the limits',
  precedesKeyCheck: 'misbehaviour',
  throttledStatus: 429,
  retryAfter: 'seconds',
  throttledRequestsCount: true,
  limitScope: 'school and endpoint',
  limitWindow: 'sliding',
  mp4Limit: 'shared with playback, 60',
} as const;

/** Returns a number from 0 to 1 that depends on the seed and the position only. */
function chance(seed: number, position: number): number {
  let x = (seed * 0x9e3779b1 + position * 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
}

/** Returns the kind of misbehaviour for each request in turn, or null. */
class Fates {
  readonly #seed: number;
  readonly #rates: Readonly<Record<Kind, number>>;
  #position = 0;
  #burstLeft = 0;
  #drops = 0;
  constructor(seed: number, rates: Readonly<Record<Kind, number>>) {
    this.#seed = seed;
    this.#rates = rates;
  }
  next(): { kind: Kind | null; isSecond: boolean } {
    this.#position += 1;
    let draw = chance(this.#seed, this.#position);
    if (this.#burstLeft > 0) {
      this.#burstLeft -= 1;
      return { kind: 'burst', isSecond: this.#burstLeft % 2 === 1 };
    }
    for (const kind of kinds) {
      draw -= this.#rates[kind];
      if (draw >= 0) continue;
      if (kind === 'burst') this.#burstLeft = 2;
      if (kind === 'drop') this.#drops += 1;
      return { kind, isSecond: kind === 'drop' && this.#drops % 2 === 0 };
    }
    return { kind: null, isSecond: false };
  }
}

class ElementError extends Error {}

function invalid(name: string): never {
  throw new ElementError(`Invalid parameter ${name}`);
}

function text(input: Values, name: string, fallback?: string): string {
  const value = input[name] ?? fallback;
  return typeof value === 'string' ? value : invalid(name);
}

function id(input: Values, name: string): string {
  return text(input, name) || invalid(name);
}

function number(input: Values, name: string, fallback: number): number {
  const value = input[name] ?? fallback;
  return typeof value === 'number' && value >= 1 ? value : invalid(name);
}

function inner(input: Values, name: string): Values {
  const value = input[name];
  return typeof value === 'object' && value !== null ? (value as Values) : invalid(name);
}

function present<T>(found: T | undefined, what: string, wanted: string): T {
  if (found === undefined) throw new ElementError(`${what} ${wanted} was not found`);
  return found;
}

/** The types of the fields of the two updates, apart from texts. */
const fieldTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  expireAtIsoString: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  shouldApplyAutomatically: (value) => typeof value === 'boolean',
  numberOfRedemptionsAllowed: (value) => Number.isInteger(value),
  testCases: Array.isArray,
  couponTypeData: (value) => {
    const { type, percentOff } = (value ?? {}) as Values;
    return type === 'percent-off' && typeof percentOff === 'number';
  },
};

const couponFields = [
  'serviceDigitalProductId',
  'serviceDigitalProductCouponSlug',
  'description',
  'expireAtIsoString',
  'shouldApplyAutomatically',
  'numberOfRedemptionsAllowed',
  'couponTypeData',
];
const labFields = [
  'labTitle',
  'labDescriptionAsMarkdown',
  'defaultGitRepositoryUrl',
  'defaultGitRepositoryBranchName',
  'evaluationScriptBashCommand',
  'evaluationScriptTestFileContent',
  'testCases',
];

function change(record: Values, names: readonly string[], input: Values): Values {
  const sent = names.filter((name) => input[name] !== undefined);
  for (const name of sent) {
    const isRight = fieldTypes[name] ?? ((value: unknown) => typeof value === 'string');
    if (!isRight(input[name])) invalid(name);
  }
  for (const name of sent) record[name] = input[name];
  return {};
}

interface Work {
  readonly loom: Loom;
  readonly teachers: Teacher[];
  readonly now: () => number;
}

function sessionOf(input: Values, { loom }: Work): Session {
  const wanted = id(input, 'liveEventSessionId');
  const sessions = loom.events.flatMap((event) => event.sessions);
  const session = present(
    sessions.find((one) => one.liveEventSessionId === wanted),
    'Session',
    wanted,
  );
  if (session.endedAtIso === undefined) throw new ElementError('The session has not ended');
  return session;
}

function submit(input: Values, { loom }: Work): Values {
  const wanted = id(input, 'courseItemId');
  const item = present(
    loom.items.find((one) => one.id === wanted),
    'Course item',
    wanted,
  );
  const userId = id(input, 'userId');
  const email = text(input, 'userEmail').toLowerCase();
  present(
    loom.learners.find((one) => one.userId === userId && one.email === email),
    'User',
    `${userId} (${email})`,
  );
  const key = `${wanted}/${userId}`;
  if (loom.submissions.get(key)?.['isCompleted'] === true) throw new ElementError('The item is completed');
  const answers = inner(input, 'details')['questionsToUpsert'];
  if (!Array.isArray(answers)) return invalid('details.questionsToUpsert');
  const quiz = loom.quizzes.find((one) => one.quizId === item.quizId);
  for (const answer of answers as Values[]) {
    const question = id(answer, 'questionUniqueId');
    present(
      quiz?.questions.find((one) => one.questionId === question),
      'Question',
      question,
    );
    if (!Array.isArray(answer['newSelectedOptionIds'])) invalid('newSelectedOptionIds');
  }
  loom.submissions.set(key, { answers, isCompleted: input['shouldMarkAsCompleted'] === true });
  return {};
}

function createInstructor(input: Values, { loom, teachers, now }: Work): Values {
  const email = id(input, 'instructorEmail').toLowerCase();
  if (!/.@./.test(email)) invalid('instructorEmail');
  let teacher = teachers.find((one) => one.email === email);
  if (!teacher) {
    const at = new Date(now()).toISOString();
    const rest = {
      profilePhotoUrl: '',
      tagline: '',
      longDescriptionMarkdown: '',
      createdAt: at,
      lastUpdatedAt: at,
    };
    const n = teachers.length;
    teacher = {
      serviceInstructorId: `teacher-x-${n}`,
      userId: `account-x-${n}`,
      name: id(input, 'instructorName'),
      email,
      rest,
    };
    teachers.push(teacher);
  }
  if (!loom.teacherIds.includes(teacher.serviceInstructorId))
    loom.teacherIds.push(teacher.serviceInstructorId);
  return { serviceInstructorId: teacher.serviceInstructorId, associatedServiceUserId: teacher.userId };
}

function listVideos(input: Values, { loom }: Work): Values {
  const term = text(input, 'filterTerm', '').toLowerCase();
  const folder = text(input, 'folderPath', '/').replace(/\/$/, '');
  const page = Math.floor(number(input, 'pageNumber', 1));
  const found = loom.videos.filter(
    (video) => `${video.folder}/`.startsWith(`${folder}/`) && video.videoTitle.toLowerCase().includes(term),
  );
  return {
    totalResults: found.length,
    pageSize: 12,
    videoData: found.slice(page * 12 - 12, page * 12).map(({ folder: _folder, ...video }) => video),
    absoluteFolderPaths: [...new Set(found.map((video) => video.folder))].toSorted(),
  };
}

function listPresets(input: Values, { loom }: Work): Values {
  const limit = Math.max(1, Math.round(number(input, 'limit', 10)));
  const from = (Math.floor(number(input, 'pageNumber', 1)) - 1) * limit;
  return { totalPresetCount: loom.presets.length, presets: loom.presets.slice(from, from + limit) };
}

const work: Readonly<Record<string, (input: Values, w: Work) => Values>> = {
  'get-quiz-details': (input, { loom }) => {
    const wanted = id(input, 'quizId');
    const { quizId: _id, ...quiz } = present(
      loom.quizzes.find((one) => one.quizId === wanted),
      'Quiz',
      wanted,
    );
    return quiz;
  },
  'update-digital-product-coupon': (input, { loom }) => {
    const wanted = id(input, 'serviceCouponCodeId');
    return change(present(loom.coupons.get(wanted), 'Coupon', wanted), couponFields, input);
  },
  'update-interactive-coding-lab': (input, { loom }) => {
    const wanted = id(input, 'labId');
    return change(present(loom.labs.get(wanted), 'Lab', wanted), labFields, input);
  },
  'submit-user-course-item': submit,
  'create-instructor-account': createInstructor,
  'get-video-library': listVideos,
  'get-signed-url-data-for-live-event-session-playback': (input, w) => {
    const { liveEventSessionId } = sessionOf(input, w);
    const source = {
      masterM3u8Pathname: `/tape/${liveEventSessionId}/master.m3u8`,
      origin: 'https://fitas.ilhanova.example',
      urlSearchParamString: `exp=${Math.floor(w.now() / 1000) + 600}&sig=${Buffer.from(liveEventSessionId).toString('hex')}`,
      clearkeyDecryptionKeyInHex: Buffer.from(liveEventSessionId.padEnd(16, '.')).toString('hex'),
    };
    return { playbackSources: [source] };
  },
  'list-assignments': (input, { loom }) => {
    const identifier = inner(input, 'courseIdentifier');
    if (identifier['type'] !== 'product-id') invalid('courseIdentifier.type');
    const wanted = id(identifier, 'digitalProductId');
    return present(
      loom.products.find((one) => one.productId === wanted),
      'Product',
      wanted,
    );
  },
  'get-course-item-data': (input, { loom }) => {
    const wanted = id(input, 'courseItemId');
    const { createdAt, updatedAt, courseItemData } = present(
      loom.items.find((one) => one.id === wanted),
      'Course item',
      wanted,
    );
    return { createdAt, updatedAt, courseItemData };
  },
  'get-instructor-permission-presets': listPresets,
  'get-all-live-events': (_, { loom }) => ({
    liveEvents: loom.events.map(({ fields, sessions }) => ({ ...fields, sessions })),
  }),
  'get-all-instructors': (_, { loom, teachers }) => ({
    instructors: teachers
      .filter((one) => loom.teacherIds.includes(one.serviceInstructorId))
      .map(({ serviceInstructorId, name, email, rest }) => ({ serviceInstructorId, name, email, ...rest })),
  }),
  'get-live-event-session-processed-mp4': (input, w) => ({
    downloadUrl: `https://fitas.ilhanova.example/mp4/${sessionOf(input, w).liveEventSessionId}.mp4`,
  }),
};

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: number;
}

function failure(status: number, errorMessage: string): Reply {
  return { status, body: { status: 'error', errorMessage } };
}

function runElement(name: string, element: unknown, w: Work): object {
  try {
    return { output: { status: 'ok', data: work[name]?.(inner((element ?? {}) as Values, 'data'), w) } };
  } catch (error) {
    const errorMessage = error instanceof ElementError ? error.message : 'Internal error';
    return { output: { status: 'error', errorMessage } };
  }
}

function runBatch(name: string, body: string, w: Work): Reply {
  let data: unknown;
  try {
    ({ data } = JSON.parse(body) as { data?: unknown });
  } catch {
    return failure(400, 'The body is not JSON');
  }
  if (!Array.isArray(data) || data.length === 0) return failure(400, 'data must be an array with an element');
  if (data.length > 100) return failure(400, 'data can have 100 elements');
  return { status: 200, body: data.map((element: unknown) => runElement(name, element, w)) };
}

/** Sends the reply as the misbehaviour wants it. */
async function deliver(
  response: ServerResponse,
  reply: Reply,
  kind: Kind | null,
  slowMs: number,
): Promise<void> {
  const headers = reply.retryAfter === undefined ? {} : { 'Retry-After': reply.retryAfter };
  if (kind === 'drop') return void response.destroy();
  if (kind !== 'truncate' && kind !== 'slow') return sendJson(response, reply.status, reply.body, headers);
  const body = Buffer.from(JSON.stringify(reply.body));
  response.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  });
  if (kind === 'truncate') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
    return;
  }
  for (let part = 0; part < 4; part += 1) {
    await new Promise<void>((done) => void setTimeout(done, slowMs / 4));
    response.write(
      body.subarray(Math.floor((part * body.length) / 4), Math.floor(((part + 1) * body.length) / 4)),
    );
  }
  response.end();
}

/** Starts the service. */
export async function start(options: DropsOptions = {}): Promise<Upstream> {
  const { now = Date.now, limitScale = 1, seed = 1, slowMs = 2000 } = options;
  const { looms, teachers, planted } = weave();
  const fates = new Fates(seed, { ...defaultRates, ...options.rates });
  const logs = new Map<string, number[]>();
  let calls = 0;

  /** Counts the request and returns the seconds to wait, or 0. */
  function throttle(school: number, name: string): number {
    const shared = /mp4|playback/.test(name) ? 'recordings' : name;
    const limit = Math.ceil((name.startsWith('get-all-') ? 15 : 60) * limitScale);
    const log = (logs.get(`${school} ${shared}`) ?? []).filter((at) => at > now() - 60_000);
    log.push(now());
    logs.set(`${school} ${shared}`, log);
    const blocking = log[log.length - 1 - limit];
    return blocking === undefined ? 0 : Math.max(1, Math.ceil((blocking + 60_000 - now()) / 1000));
  }

  function answer(request: IncomingMessage, body: string | null): Reply {
    const name = /^\/public\/([a-z0-9-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    if (request.method !== 'POST' || !Object.hasOwn(work, name)) return failure(404, 'There is nothing here');
    const key = headerOf(request, 'service-api-key');
    if (key === undefined) return failure(401, 'An API key is required');
    const school = schools.findIndex(({ apiKeys }) => apiKeys.includes(key));
    const loom = looms[school];
    if (!loom) return failure(401, 'The API key is not known');
    const retryAfter = throttle(school, name);
    if (retryAfter > 0) return { ...failure(429, 'Too many requests'), retryAfter };
    if (body === null) return failure(413, 'The body is too large');
    return runBatch(name, body, { loom, teachers, now });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    calls += 1;
    const { kind, isSecond } = fates.next();
    const body = await readBody(request, personality.maxBodyBytes);
    if (kind === 'hang') return;
    if (kind === 'burst') {
      if (isSecond) return send(response, 503, 'text/plain', 'upstream unavailable\n', { 'Retry-After': 1 });
      return send(response, 502, 'text/html', '<html><body><h1>502 Bad Gateway</h1></body></html>\n');
    }
    if (kind === 'drop' && !isSecond) return void response.destroy();
    await deliver(response, answer(request, body), kind, slowMs);
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
    stored: (wanted) => {
      const maps = looms.flatMap(({ coupons, labs, submissions }) => [coupons, labs, submissions]);
      const record = maps.map((map) => map.get(wanted)).find((one) => one !== undefined);
      return structuredClone(record ?? teachers.find((one) => one.serviceInstructorId === wanted));
    },
  };
}

function optionsFrom(flags: ReadonlyMap<string, string>): DropsOptions {
  const rates: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) {
    const rate = flags.get(`--${kind}`);
    if (rate !== undefined) rates[kind] = Number(rate);
  }
  const [seed, slowMs] = [Number(flags.get('--seed') ?? 1), Number(flags.get('--slow-ms') ?? 2000)];
  return { ...commonOptions(flags), seed, slowMs, rates };
}

await runAsProgram(import.meta.url, (flags) => start(optionsFrom(flags)));
