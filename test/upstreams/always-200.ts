/**
 * A learning platform that always returns HTTP 200: two baking schools.
 *
 * Where the specification is silent, this service does the following.
 *
 * - Failures: HTTP 200 with error outputs and generic messages (`Something went wrong`, `Invalid input`,
 *   `Not found`). No other status is ever sent.
 * - Missing key: one error output `missing key`. Unknown key: one error output `unknown key …` that echoes the
 *   key received. The body does not matter.
 * - Keys: both keys of the first school are valid; rate limits count for each key alone.
 * - Unknown path: an error output `Something went wrong` for every element. The method and the content type
 *   do not matter.
 * - Malformed JSON or envelope: one error output `Invalid input`.
 * - Envelope: an object in place of the outer array is one element; an element without an inner `data` is its
 *   own parameters. An empty batch returns an empty array.
 * - Batch: every element in order, each for itself; no maximum; a failed element does not affect others.
 * - Leniency: unknown fields are ignored; numbers as text and text as numbers are converted; `"true"`, `"1"` and
 *   1 are true; identifiers are trimmed. A value that cannot be converted: `Invalid input`.
 * - Unknown identifier, or another school's: `Not found`.
 * - Absent values: the key is left out (`endedAtIso`).
 * - Updates: a field left out or null keeps its value. Coupons: any object as `couponTypeData`, any date, slugs
 *   may repeat, the product is not compared. Labs: every array as `testCases`.
 * - Submissions: any user; any course item; the e-mail is not compared; unknown questions are stored;
 *   answers merge by question; completed items can be submitted again and stay completed.
 * - Instructors: the e-mail is trimmed and compared with case; a repeated creation renames the instructor.
 *   `createdAt` is `YYYY-MM-DD hh:mm:ss` without zone. Ordered by creation.
 * - Video library: pages of 20 from page 0; a page beyond the end returns the last page; oldest first; every
 *   word of `filterTerm` must occur in title or identifier, without case; `folderPath` is a plain prefix;
 *   `absoluteFolderPaths` always lists all folders.
 * - Presets: pages from 0; `limit` is rounded up; 0 or none returns all.
 * - Live events: only `Active` ones, in order of creation.
 * - Playback: a session that has not ended has an empty list. mp4: an empty `downloadUrl`.
 * - Assignments: the identifier's type is ignored.
 * - Rate limits: per key and endpoint; windows are the minutes of the clock; every request with a valid key
 *   counts. Exceeded: HTTP 200, `Too many requests` for every element; no headers. mp4: unlimited.
 * - Body: up to 64 MiB. Dates have no fraction of a second.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { schools, stock, type Kitchen, type Person, type Row } from './always-200/data.ts';
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

export { samples, schools } from './always-200/data.ts';

export const personality = {
  errors: 'output, always HTTP 200',
  messages: [
    'Something went wrong',
    'Invalid input',
    'Not found',
    'Too many requests',
    'missing key',
    'unknown key …',
  ],
  echoesRefusedKey: true,
  unknownPath: 'an error output for every element',
  methodMatters: false,
  contentTypeMatters: false,
  emptyBatch: 'empty array',
  batch: 'every element, each for itself',
  batchMaximum: null,
  unknownFields: 'ignored',
  numbersAsText: 'accepted',
  otherSchoolsRecords: 'Not found',
  absentValues: 'key left out',
  nullInUpdate: 'keeps the value',
  couponTypes: 'any',
  submissionUser: 'any',
  repeatSubmission: 'merges',
  emailComparison: 'with case, trimmed',
  repeatedCreationRenames: true,
  videoFirstPage: 0,
  videoPageSize: 20,
  videoBeyondEnd: 'last page',
  videoFilter: 'all words, title or identifier',
  videoFolders: 'prefix',
  presetFirstPage: 0,
  presetLimit: 'rounded up',
  liveEvents: 'Active only',
  playbackNotEnded: 'empty list',
  mp4NotReady: 'empty url',
  throttle: 'HTTP 200, an error output for each element',
  throttleScope: 'key and endpoint',
  throttleWindow: 'minute of the clock',
  mp4Limit: null,
  throttleCountsFailures: true,
  malformed: 'one error output',
  bareElements: 'accepted',
  objectAsBatch: 'accepted',
  instructorOrder: 'creation',
  instructorDates: 'YYYY-MM-DD hh:mm:ss',
  videoOrder: 'oldest first',
  secondKey: 'valid, with limits of its own',
  dateFractions: false,
} as const;

/** A failure of one element. */
class Failure extends Error {}

const limits: Readonly<Record<string, number>> = {
  'get-all-live-events': 15,
  'get-all-instructors': 15,
  'get-live-event-session-processed-mp4': Infinity,
};

/** Reads parameters leniently. */
class Input {
  readonly #row: Row;
  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null) throw new Failure('Invalid input');
    this.#row = value as Row;
  }
  has(name: string): boolean {
    return this.#row[name] !== undefined && this.#row[name] !== null;
  }
  raw(name: string): unknown {
    return this.#row[name];
  }
  text(name: string, fallback?: string): string {
    const value = this.#row[name] ?? fallback;
    if (typeof value === 'string') return value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new Failure('Invalid input');
  }
  number(name: string, fallback: number): number {
    const value = this.#row[name];
    if (value === undefined || value === null || value === '') return fallback;
    const number = typeof value === 'string' ? Number(value.replace(',', '.')) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new Failure('Invalid input');
    return number;
  }
  flag(name: string): boolean {
    return ['true', '1', 'yes'].includes(this.text(name, 'false').toLowerCase());
  }
  list(name: string): unknown[] {
    const value = this.#row[name] ?? [];
    return Array.isArray(value) ? value : [value];
  }
  inner(name: string): Input {
    return new Input(this.#row[name]);
  }
}

/** A school as the operations see it. */
class Service {
  readonly #kitchen: Kitchen;
  readonly #people: Person[];
  readonly #now: () => number;
  constructor(kitchen: Kitchen, people: Person[], now: () => number) {
    this.#kitchen = kitchen;
    this.#people = people;
    this.#now = now;
  }

  /** @throws {Failure} */
  run(operation: string, input: Input): object {
    switch (operation) {
      case 'get-quiz-details':
        return this.#get(this.#kitchen.quizzes, input.text('quizId'));
      case 'update-digital-product-coupon':
        return this.#updateCoupon(input);
      case 'update-interactive-coding-lab':
        return this.#updateLab(input);
      case 'submit-user-course-item':
        return this.#submit(input);
      case 'create-instructor-account':
        return this.#hire(input);
      case 'get-video-library':
        return this.#listVideos(input);
      case 'get-signed-url-data-for-live-event-session-playback':
        return this.#playback(input.text('liveEventSessionId'));
      case 'list-assignments':
        return this.#listAssignments(input.inner('courseIdentifier').text('digitalProductId'));
      case 'get-course-item-data':
        return this.#get(this.#kitchen.items, input.text('courseItemId'));
      case 'get-instructor-permission-presets':
        return this.#listPresets(input);
      case 'get-all-live-events':
        return { liveEvents: this.#kitchen.events.filter(({ status }) => status === 'Active') };
      case 'get-all-instructors': {
        const own = this.#people.filter(({ row }) => this.#kitchen.staff.has(row.serviceInstructorId));
        return { instructors: own.map(({ row }) => row) };
      }
      case 'get-live-event-session-processed-mp4': {
        const session = input.text('liveEventSessionId');
        this.#session(session);
        return { downloadUrl: this.#kitchen.mp4.get(session) ?? '' };
      }
      default:
        throw new Failure('Something went wrong');
    }
  }

  #get<T>(map: ReadonlyMap<string, T>, id: string): T {
    const found = map.get(id);
    if (found === undefined) throw new Failure('Not found');
    return found;
  }

  #session(id: string): { endedAtIso?: string } {
    const sessions = this.#kitchen.events.flatMap((event) => event.sessions);
    const found = sessions.find(({ liveEventSessionId }) => liveEventSessionId === id);
    if (!found) throw new Failure('Not found');
    return found;
  }

  #updateCoupon(input: Input): object {
    const coupon = this.#get(this.#kitchen.coupons, input.text('serviceCouponCodeId'));
    const changes: Row = {};
    for (const name of [
      'serviceDigitalProductId',
      'serviceDigitalProductCouponSlug',
      'description',
      'expireAtIsoString',
    ]) {
      if (input.has(name)) changes[name] = input.text(name);
    }
    if (input.has('shouldApplyAutomatically'))
      changes['shouldApplyAutomatically'] = input.flag('shouldApplyAutomatically');
    if (input.has('numberOfRedemptionsAllowed')) {
      changes['numberOfRedemptionsAllowed'] = Math.trunc(input.number('numberOfRedemptionsAllowed', 0));
    }
    if (input.has('couponTypeData')) {
      input.inner('couponTypeData');
      changes['couponTypeData'] = input.raw('couponTypeData');
    }
    Object.assign(coupon, changes);
    return {};
  }

  #updateLab(input: Input): object {
    const lab = this.#get(this.#kitchen.labs, input.text('labId'));
    const names = [
      'labTitle',
      'labDescriptionAsMarkdown',
      'defaultGitRepositoryUrl',
      'defaultGitRepositoryBranchName',
      'evaluationScriptBashCommand',
      'evaluationScriptTestFileContent',
    ];
    const changes: Row = {};
    for (const name of names) if (input.has(name)) changes[name] = input.text(name);
    if (input.has('testCases')) changes['testCases'] = input.list('testCases');
    Object.assign(lab, changes);
    return {};
  }

  #submit(input: Input): object {
    const item = input.text('courseItemId');
    this.#get(this.#kitchen.items, item);
    const key = `${item}:${input.text('userId')}`;
    const answers = new Map<string, unknown>();
    if (input.has('details')) {
      for (const one of input.inner('details').list('questionsToUpsert')) {
        const question = new Input(one);
        answers.set(question.text('questionUniqueId'), question.list('newSelectedOptionIds'));
      }
    }
    const before = this.#kitchen.submissions.get(key) ?? {};
    this.#kitchen.submissions.set(key, {
      ...before,
      answers: { ...(before['answers'] as Row | undefined), ...Object.fromEntries(answers) },
      completed: before['completed'] === true || input.flag('shouldMarkAsCompleted'),
    });
    return {};
  }

  #hire(input: Input): object {
    const email = input.text('instructorEmail');
    if (!email.includes('@')) throw new Failure('Invalid input');
    const name = input.text('instructorName', email.split('@')[0] ?? email);
    const stamp = new Date(this.#now()).toISOString().slice(0, 19).replace('T', ' ');
    let person = this.#people.find(({ row }) => row.email === email);
    if (!person) {
      const n = this.#people.length;
      const rest = {
        profilePhotoUrl: '',
        tagline: '',
        longDescriptionMarkdown: '',
        createdAt: stamp,
        lastUpdatedAt: stamp,
      };
      person = { userId: `usr_x${n}`, row: { serviceInstructorId: `ins_x${n}`, name, email, ...rest } };
      this.#people.push(person);
    }
    Object.assign(person.row, { name, lastUpdatedAt: stamp });
    this.#kitchen.staff.add(person.row.serviceInstructorId);
    return { serviceInstructorId: person.row.serviceInstructorId, associatedServiceUserId: person.userId };
  }

  #listVideos(input: Input): object {
    const { videos } = this.#kitchen;
    const words = input.text('filterTerm', '').toLowerCase().split(/\s+/);
    const found = videos.filter(
      ({ path, videoTitle, videoId }) =>
        path.startsWith(input.text('folderPath', '')) &&
        words.every((word) => `${videoTitle} ${videoId}`.toLowerCase().includes(word)),
    );
    const lastPage = Math.max(0, Math.ceil(found.length / 20) - 1);
    const page = Math.min(lastPage, Math.max(0, Math.trunc(input.number('pageNumber', 0))));
    return {
      totalResults: found.length,
      pageSize: 20,
      videoData: found
        .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
        .slice(page * 20, page * 20 + 20)
        .map(({ path: _path, ...video }) => video),
      absoluteFolderPaths: [...new Set(videos.map(({ path }) => path))],
    };
  }

  #playback(session: string): object {
    if (this.#session(session).endedAtIso === undefined) return { playbackSources: [] };
    const token = createHash('sha256').update(`${session}${this.#now()}`).digest('base64url');
    const source = {
      masterM3u8Pathname: `/v/${session}/index.m3u8`,
      origin: 'https://stream.tournebroche.example',
      urlSearchParamString: `?token=${token}`,
      clearkeyDecryptionKeyInHex: token.length.toString(16).padStart(32, 'a7'),
    };
    return { playbackSources: [source] };
  }

  #listAssignments(id: string): object {
    const product = this.#get(this.#kitchen.products, id);
    return { productId: id, productTitle: product.title, assignments: product.assignments };
  }

  #listPresets(input: Input): object {
    const { presets } = this.#kitchen;
    const limit = Math.ceil(input.number('limit', 0)) || presets.length;
    const from = Math.max(0, input.number('pageNumber', 0)) * limit;
    return { totalPresetCount: presets.length, presets: presets.slice(from, from + limit) };
  }
}

function parse(body: string | null): readonly unknown[] | null {
  try {
    const { data } = JSON.parse(body ?? '') as { data?: unknown };
    if (typeof data !== 'object' || data === null) return null;
    const elements: readonly unknown[] = Array.isArray(data) ? data : [data];
    return elements.map((one) => (one as { data?: unknown } | null)?.data ?? one);
  } catch {
    return null;
  }
}

function failed(errorMessage: string): object {
  return { output: { status: 'error', errorMessage } };
}

/** Starts the service. */
export async function start(options: StartOptions = {}): Promise<Upstream> {
  const { now = Date.now, limitScale = 1 } = options;
  const { people, kitchens, planted } = stock();
  const services = kitchens.map((kitchen) => new Service(kitchen, people, now));
  const counts = new Map<string, number>();
  let calls = 0;

  function isThrottled(key: string, operation: string): boolean {
    const slot = `${key} ${operation} ${Math.floor(now() / 60_000)}`;
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    return count > Math.ceil((limits[operation] ?? 60) * limitScale);
  }

  async function answer(request: IncomingMessage): Promise<readonly object[]> {
    const key = headerOf(request, 'service-api-key');
    const body = await readBody(request, 64 * 1024 * 1024);
    if (key === undefined) return [failed('missing key')];
    const service = services[schools.findIndex(({ apiKeys }) => apiKeys.includes(key))];
    if (!service) return [failed(`unknown key ${key}`)];
    const operation = /^\/public\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? '';
    const elements = parse(body);
    if (isThrottled(key, operation)) return (elements ?? [null]).map(() => failed('Too many requests'));
    if (!elements) return [failed('Invalid input')];
    return elements.map((element) => {
      try {
        return { output: { status: 'ok', data: service.run(operation, new Input(element)) } };
      } catch (error) {
        return failed(error instanceof Failure ? error.message : 'Something went wrong');
      }
    });
  }

  const server = createServer((request, response) => {
    calls += 1;
    void answer(request).then(
      (body) => sendJson(response, 200, body),
      () => sendJson(response, 200, [failed('Something went wrong')]),
    );
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
    calls: () => calls,
    planted,
    stored: (id) => {
      const maps = kitchens.flatMap(({ coupons, labs, submissions }) => [coupons, labs, submissions]);
      const person = people.find(({ row }) => row.serviceInstructorId === id);
      return structuredClone(maps.map((map) => map.get(id)).find((row) => row !== undefined) ?? person?.row);
    },
  };
}

await runAsProgram(import.meta.url, (flags) => start(commonOptions(flags)));
