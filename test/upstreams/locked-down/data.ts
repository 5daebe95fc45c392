import { createHash } from 'node:crypto';
import type { School } from '../plumbing.ts';

export type Shape = Readonly<Record<string, unknown>>;

export interface Session {
  readonly liveEventSessionId: string;
  readonly scheduledStartAtIso: string;
  readonly scheduledDurationInSecs: number;
  readonly endedAtIso: string | null;
}

/** What one school may read. Nothing changes, because the service allows no writes. */
export interface Shelf {
  readonly quizzes: ReadonlyMap<string, Shape>;
  readonly items: ReadonlyMap<string, Shape>;
  readonly products: ReadonlyMap<string, Shape>;
  readonly instructors: readonly (Shape & { readonly serviceInstructorId: string })[];
  readonly events: readonly (Shape & { readonly status: string; readonly sessions: readonly Session[] })[];
  readonly videos: readonly (Shape & { readonly videoTitle: string; readonly folder: string })[];
  readonly presets: readonly Shape[];
}

export const schools: readonly School[] = [
  { name: 'Pracownia Stolarska Dziupla', apiKeys: ['LD.dziupla.4e0f91c6aa', 'LD.dziupla.b7d2385f10'] },
  { name: 'Snycerze z Brzeziny', apiKeys: ['LD.brzezina.93ac05e7d8'] },
];

/** The value that the header X-Gateway-Key must have. */
export const gatewayKey = 'edge-3c9d7e21';

const names = [
  'Wścibisława',
  'Chwalimir',
  'Zdzieszko',
  'Świętożyźń',
  'Gniewomir',
  'Jaśmina',
  'Przecław',
  'Żywisława',
];
const clans = ['Dłutowski', 'Strugarz', 'Wiórkiewicz', 'Czopowy', 'Jaworzyński', 'Sękacz', 'Klepka-Bednarz'];
const woods = [
  'bog oak',
  'jarzębina',
  'lime burl',
  'larch heart',
  'dereń',
  'pear crotch',
  'hornbeam',
  'wiąz',
];
const tools = ['spokeshave', 'mortise gauge', 'strug kątnik', 'drawknife', 'żłobak', 'froe', 'card scraper'];
const towns = ['Kamianna', 'Łopuszna', 'Zubrzyca', 'Chochołów', 'Dębno', 'Orawka', 'Spytkowice'];

function choose(list: readonly string[], n: number): string {
  return list[n % list.length] ?? '';
}

/** Identifiers are 16 URL-safe characters. */
function tag(...parts: readonly (number | string)[]): string {
  return createHash('sha256').update(parts.join(':')).digest('base64url').slice(0, 16);
}

function moment(n: number): string {
  return new Date(Date.UTC(2026, 1, 2, 7) + n * 100_800_500).toISOString();
}

function path(text: string): string {
  const plain = text
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
  return plain.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.');
}

const inscribed = new Set<string>();

function inscribe(text: string): string {
  inscribed.add(text);
  return text;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function carveQuiz(s: number, q: number): Shape {
  return {
    createdAtIso: moment(q),
    quizTitle: inscribe(
      `Czeladnik ${q + 1}: ${choose(woods, q + s)} under the ${choose(tools, q + s * 2)}, ${choose(towns, q)}`,
    ),
    questions: numbers(4).map((n) => ({
      questionId: tag('question', s, q, n),
      type: n === 3 ? 'MultiCorrect' : 'SingleCorrect',
      title: inscribe(
        `Dlaczego the ${choose(tools, n + q)} tears ${choose(woods, n + s)} along ring ${s * 40 + q * 5 + n} in ${choose(towns, q)}?`,
      ),
      explanation:
        n === 2
          ? null
          : inscribe(
              `${choose(woods, n + q)} dries ${n + 2 + q * 4 + s * 30} weeks beside a ${choose(tools, n)} in ${choose(towns, n)}.`,
            ),
      description:
        n === 0
          ? inscribe(`Rycina ${s}.${q}: ${choose(tools, q)} of ${choose(names, q)} ${choose(clans, q + s)}`)
          : null,
      options: numbers(3).map((o) => ({
        optionId: tag('option', s, q, n, o),
        text: inscribe(
          `${choose(woods, o + n)} shavings by ${choose(tools, o + q)}, notch ${s}/${q}/${n}/${o}`,
        ),
        isCorrectOption: n === 3 ? o < 2 : o === 1,
      })),
    })),
  };
}

function carveInstructor(s: number, n: number): Shelf['instructors'][number] {
  const name = inscribe(`${choose(names, n + s * 3)} ${choose(clans, n * 2 + s)} z ${choose(towns, n)}`);
  return {
    serviceInstructorId: tag('instructor', s, n),
    name,
    email: inscribe(`${path(name)}@${s === 0 ? 'dziupla' : 'brzezina'}.example`),
    profilePhotoUrl: inscribe(`https://portrety.dziupla.example/${path(name)}.png`),
    tagline:
      n === 2
        ? null
        : inscribe(
            `${choose(tools, n + s)} w dłoni, ${choose(woods, n)} in the attic of ${choose(towns, n + 2)}`,
          ),
    longDescriptionMarkdown: inscribe(`# ${name}\n\n${choose(woods, n + s)} _and_ ${choose(tools, n)}.`),
    createdAt: moment(n),
    lastUpdatedAt: moment(n + 1),
  };
}

function carveItem(s: number, n: number): Shape {
  const title = inscribe(
    `Zeszyt ${n + 1}: ${choose(tools, n + s)} for ${choose(woods, n)} from ${choose(towns, n + s)}`,
  );
  const line = inscribe(
    `Namocz ${choose(woods, n + s)} in ${choose(towns, n)} rain before touching the ${choose(tools, n)} (${s}${n}).`,
  );
  return {
    createdAt: moment(n),
    updatedAt: moment(n + 4),
    courseItemData: {
      serviceCourseItemId: tag('item', s, n),
      serviceDigitalProductId: tag('product', s, n % 3),
      courseItemSlug: inscribe(path(title)),
      articleUniqueId: tag('article', s, n),
      type: 'Article',
      title,
      contentJson: JSON.stringify({ root: { children: [line] } }),
      isEditorContent: n % 2 === 0,
    },
  };
}

function carveEvent(s: number, n: number): Shelf['events'][number] {
  const name = inscribe(`Wieczór ${n + 1} w ${choose(towns, n + s * 2)}: ${choose(woods, n + s)} and candle`);
  return {
    serviceDigitalProductId: tag('product', s, n % 3),
    liveEventId: tag('event', s, n),
    type: 'LiveEventProduct',
    status: n === 3 ? 'Hidden' : 'Active',
    name,
    slug: inscribe(path(name)),
    link: inscribe(`https://dziupla.example/wieczory/${path(name)}`),
    thumbnailUrl: inscribe(`https://portrety.dziupla.example/wieczory/${path(name)}.png`),
    sessions: numbers(2).map((k) => ({
      liveEventSessionId: tag('session', s, n, k),
      scheduledStartAtIso: moment(n * 2 + k),
      scheduledDurationInSecs: 7200,
      endedAtIso: k === 0 ? moment(n * 2 + 1) : null,
    })),
  };
}

function carve(s: number): Shelf {
  const folders = ['/', inscribe('/Warsztat zimowy'), inscribe('/Warsztat zimowy/Rzeźba okienna')];
  return {
    quizzes: new Map(numbers(6).map((q) => [tag('quiz', s, q), carveQuiz(s, q)])),
    items: new Map(numbers(5).map((n) => [tag('item', s, n), carveItem(s, n)])),
    products: new Map(
      numbers(3).map((p) => [
        tag('product', s, p),
        {
          productId: tag('product', s, p),
          productTitle: inscribe(
            `Księga ${choose(woods, p + s * 3)} with the ${choose(tools, p + s)}, tom ${p + 1}`,
          ),
          assignments: numbers(3).map((a) => ({
            assignmentId: tag('assignment', s, p, a),
            assignmentTitle: inscribe(
              `Carve ${a + p + 2} spoons of ${choose(woods, a + p + s)} using a ${choose(tools, a + p)}`,
            ),
          })),
        },
      ]),
    ),
    instructors: numbers(8).map((n) => carveInstructor(s, n)),
    events: numbers(4).map((n) => carveEvent(s, n)),
    videos: numbers(33).map((n) => ({
      createdAt: moment(n),
      status: n % 4 === 2 ? 'CcFailed' : 'CcReady',
      videoId: tag('video', s, n),
      videoTitle: inscribe(
        `Szpula ${n + 1}${s === 0 ? 'D' : 'B'}: ${choose(tools, n)} through ${choose(woods, n)}, ${choose(towns, n)}`,
      ),
      folder: choose(folders, n),
    })),
    presets: numbers(5).map((n) => ({
      requiresResourceIds: n === 4,
      permissionSets: [{ permissions: [{ scope: 'view' }], resourceIdType: 'All' }],
    })),
  };
}

/** Returns the data of both schools, and all texts in it. */
export function shelves(): { all: readonly Shelf[]; planted: readonly string[] } {
  const all = [carve(0), carve(1)];
  return { all, planted: [...inscribed] };
}

/** Parameters of each operation that are valid for the first school; the service refuses those that write. */
export const samples: Readonly<Record<string, Shape>> = {
  'get-quiz-details': { quizId: tag('quiz', 0, 0) },
  'update-digital-product-coupon': {
    serviceCouponCodeId: tag('coupon', 0, 0),
    serviceDigitalProductId: tag('product', 0, 0),
    serviceDigitalProductCouponSlug: 'zima',
    description: 'Winter',
    expireAtIsoString: '2036-02-01T00:00:00.000Z',
    shouldApplyAutomatically: false,
    numberOfRedemptionsAllowed: 2,
    couponTypeData: { type: 'percent-off', percentOff: 5 },
  },
  'update-interactive-coding-lab': { labId: tag('lab', 0, 0), labTitle: 'Lab' },
  'submit-user-course-item': {
    courseItemId: tag('item', 0, 0),
    details: { courseItemType: 'Quiz', questionsToUpsert: [] },
    userId: tag('user', 0, 0),
    userEmail: 'uczen@dziupla.example',
    shouldMarkAsCompleted: false,
  },
  'create-instructor-account': { instructorEmail: 'nowa@dziupla.example', instructorName: 'Nowa Osoba' },
  'get-video-library': { filterTerm: '', pageNumber: 1, folderPath: '' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: tag('session', 0, 0, 0) },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: tag('product', 0, 0) } },
  'get-course-item-data': { courseItemId: tag('item', 0, 0) },
  'get-instructor-permission-presets': { pageNumber: 1, limit: 1.5 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: tag('session', 0, 0, 0) },
};
