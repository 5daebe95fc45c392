import type { School } from '../plumbing.ts';

export type Doc = Record<string, unknown>;

/** A collection of documents, as a document database has them. `tenant` is the number of the school. */
export interface Collections {
  readonly quizzes: Doc[];
  readonly coupons: Doc[];
  readonly labs: Doc[];
  readonly items: Doc[];
  readonly products: Doc[];
  readonly users: Doc[];
  readonly answers: Doc[];
  readonly instructors: Doc[];
  readonly videos: Doc[];
  readonly events: Doc[];
  readonly presets: Doc[];
}

export const schools: readonly School[] = [
  { name: 'Hochtourenschule Gratfuß', apiKeys: ['8812-fo-gratfuss-a', '8812-fo-gratfuss-b'] },
  { name: 'Jöklaskólinn Heiðarbrún', apiKeys: ['8813-fo-heidarbrun-a'] },
];

const who = [
  'Þorgerður',
  'Ægir',
  'Kunigunde',
  'Hjörleifur',
  'Mechthild',
  'Snæbjörn',
  'Rüdiger',
  'Álfheiður',
  'Gerlinde',
];
const whose = [
  'Steingrímsdóttir',
  'Firnschnee',
  'Hallvarðsson',
  'Überhang',
  'Gletscherspalt',
  'Möðrudal',
  'Rauhreif',
];
const gear = [
  'Steigeisen',
  'Prusikschlinge',
  'Abalakov anchor',
  'glacier probe',
  'Ísöxi',
  'Bandschlinge',
  'snow fluke',
];
const moves = [
  'front-pointing',
  'abseiling',
  'crevasse rescue',
  'stemming',
  'short-roping',
  'bivouacking',
  'belaying',
];
const peaks = [
  'Hvannadalshnúkur',
  'Öræfajökull',
  'Schreckhorn-Südgrat',
  'Eyjafjöll',
  'Piz Zweispitz',
  'Kerlingarfjöll',
];

function nth(list: readonly string[], n: number): string {
  return list[n % list.length] ?? '';
}

/** Identifiers have 24 hexadecimal digits. */
export function oid(kind: number, ...numbers: readonly number[]): string {
  return `65f0${kind.toString(16).padStart(2, '0')}${numbers.map((n) => n.toString(16).padStart(2, '0')).join('')}`.padEnd(
    24,
    '0',
  );
}

function millis(n: number): number {
  return 1_735_689_600_000 + n * 93_600_000 + (n % 7) * 61_000;
}

/** A date-time without zone, in UTC. */
function local(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** A date-time with the zone +0200, without colon. */
function offset(ms: number): string {
  return `${local(ms + 7_200_000)}+0200`;
}

const heard = new Set<string>();

function mark(text: string): string {
  heard.add(text);
  return text;
}

function ascii(text: string): string {
  const folded = text
    .replaceAll(/[Þþ]/g, 'th')
    .replaceAll(/[Ææ]/g, 'ae')
    .replaceAll(/[Ðð]/g, 'd')
    .replaceAll('ß', 'ss');
  return folded
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
}

function quiz(tenant: number, q: number): Doc {
  return {
    _id: oid(1, tenant, q),
    tenant,
    createdAtIso: local(millis(q)),
    quizTitle: mark(
      `Prüfung ${q + 1}: ${nth(moves, q + tenant)} with the ${nth(gear, q)} on ${nth(peaks, q + tenant)}`,
    ),
    questions: [0, 1, 2, 3].map((n) => ({
      questionId: oid(2, tenant, q, n),
      type: nth(['SingleCorrect', 'MultiCorrect', 'TrueFalse'], q === 0 ? n % 2 : n),
      title: mark(
        `Rope team ${tenant + 1} stands on ${nth(peaks, q + n)}: is the ${nth(gear, n + tenant)} fit for ${nth(moves, q)} at ${2000 + q * 100 + n * 10}m?`,
      ),
      explanation:
        n === 1
          ? null
          : mark(
              `Vorsicht: ${nth(gear, n + q)} slips below −${tenant * 40 + q * 5 + n} °C near ${nth(peaks, n)}.`,
            ),
      description:
        n === 0
          ? mark(
              `Skizze „${nth(peaks, q)}“ № ${tenant}${q}, drawn by ${nth(who, q)} ${nth(whose, tenant + q)}`,
            )
          : null,
      difficulty: n + 1,
      options: [0, 1, 2].map((o) => ({
        optionId: oid(3, tenant, q, n, o),
        text: mark(`${nth(moves, o + n)} behind ${nth(peaks, o + q)}, hold ${tenant}-${q}-${n}-${o}`),
        isCorrectOption: o === n % 3 || (n === 1 && o === 2),
        position: o,
      })),
    })),
    __v: 3,
  };
}

function instructor(tenant: number, n: number): Doc {
  const name = mark(`${nth(who, n + tenant * 4)} ${nth(whose, n * 2 + tenant)}-${nth(peaks, n).slice(0, 5)}`);
  return {
    serial: 9000 + tenant * 100 + n,
    userSerial: 70_000 + tenant * 100 + n,
    tenants: [tenant],
    name,
    email: mark(`${ascii(name)}@${tenant === 0 ? 'gratfuss' : 'heidarbrun'}.example`),
    profilePhotoUrl: mark(`//bilder.gratfuss.example/seilschaft/${ascii(name)}.png`),
    tagline: mark(
      `${nth(moves, n + tenant)} ist mein Wetter; ${nth(peaks, n + 1)} is my desk (${n + tenant * 10})`,
    ),
    longDescriptionMarkdown: mark(`1. **${name}**\n2. ${nth(gear, n)} on \`${nth(peaks, n + tenant)}\``),
    createdAt: Math.floor(millis(n) / 1000),
    lastUpdatedAt: Math.floor(millis(n + 3) / 1000),
    phone: null,
  };
}

function item(tenant: number, n: number): Doc {
  const title = mark(
    `${nth(gear, n + tenant)} für ${nth(moves, n)}: Blatt ${n + 1} from ${nth(peaks, n + tenant)}`,
  );
  return {
    _id: oid(4, tenant, n),
    tenant,
    createdAt: offset(millis(n)),
    updatedAt: local(millis(n + 2)),
    courseItemData: {
      serviceCourseItemId: oid(4, tenant, n),
      serviceDigitalProductId: oid(5, tenant, n % 3),
      courseItemSlug: mark(ascii(title)),
      articleUniqueId: 330_000 + tenant * 100 + n,
      type: nth(['Article', 'Quiz', 'VideoLesson'], n),
      title,
      contentJson: `{"v":2,"md":${JSON.stringify(mark(`Knüpfe die ${nth(gear, n)} above ${nth(peaks, n + 3)}; Zug ${tenant}${n}.`))}}`,
      isEditorContent: n % 2 === 0,
      isPublished: n % 4 !== 3,
      tags: [],
    },
  };
}

function event(tenant: number, n: number): Doc {
  const name = mark(`Funkgespräch ${n + 1}: ${nth(peaks, n + tenant * 2)} while ${nth(moves, n + tenant)}`);
  return {
    tenant,
    serviceDigitalProductId: oid(5, tenant, n % 3),
    liveEventId: 4400 + tenant * 100 + n,
    type: nth(['LiveEventProduct', 'Webinar'], n),
    status: nth(['Active', 'SCHEDULED', 'Archiviert', ''], n),
    name,
    slug: mark(ascii(name)),
    link: mark(`https://gratfuss.example/funk/${ascii(name)}`),
    thumbnailUrl: mark(`https://bilder.gratfuss.example/funk/${ascii(name)}.jpeg`),
    capacity: 25 + n,
    sessions: [0, 1, 2].map((k) => ({
      liveEventSessionId: 880_000 + tenant * 1000 + n * 10 + k,
      scheduledStartAtIso: offset(millis(n + k)),
      scheduledDurationInSecs: k === 1 ? '5400' : 5400.5,
      endedAtIso: k === 2 ? '0001-01-01T00:00:00' : local(millis(n + k + 1)),
      isMp4Ready: k === 0,
    })),
  };
}

function product(tenant: number, p: number): Doc {
  return {
    _id: oid(5, tenant, p),
    tenant,
    title: mark(`Lehrgang ${nth(peaks, p + tenant * 3)} mit ${nth(gear, p + tenant)}, Saison ${p + 1}`),
    assignments: [0, 1, 2, 3].map((a) => ({
      assignmentId: a % 2 === 0 ? oid(6, tenant, p, a) : 6600 + p * 10 + a,
      assignmentTitle: mark(
        `Film yourself ${nth(moves, a + p)} on ${nth(peaks, a + tenant)}, Seil ${p * 4 + a}`,
      ),
      dueInDays: a + 1,
    })),
  };
}

function each(count: number, make: (tenant: number, n: number) => Doc): Doc[] {
  return [0, 1].flatMap((tenant) => Array.from({ length: count }, (_, n) => make(tenant, n)));
}

/** Returns the data with which the service starts, and all texts in it. */
export function load(): { all: Collections; planted: readonly string[] } {
  const folders = ['', mark('/Gipfelbuch'), mark('/Gipfelbuch/Nordwand 1938'), mark('/Þokuljós')];
  const all: Collections = {
    quizzes: each(6, quiz),
    items: each(6, item),
    instructors: each(9, instructor),
    events: each(4, event),
    products: each(3, product),
    coupons: each(3, (tenant, n) => ({
      _id: oid(7, tenant, n),
      tenant,
      serviceDigitalProductCouponSlug: mark(`firn_rabatt_${nth(['rot', 'blau', 'gelb'], n)}_${tenant}`),
      description: mark(`Nachlass for ${nth(whose, n + tenant)} families, hut ${tenant}${n}`),
    })),
    labs: each(2, (tenant, n) => ({
      _id: oid(8, tenant, n),
      tenant,
      labTitle: mark(`Lawinenmodell ${nth(peaks, n + tenant)} in code ${tenant}${n}`),
    })),
    users: each(5, (tenant, n) => ({
      _id: oid(9, tenant, n),
      tenant,
      email: mark(`bergfex.${ascii(nth(who, n))}.${n}@${tenant === 0 ? 'gratfuss' : 'heidarbrun'}.example`),
    })),
    videos: each(38, (tenant, n) => ({
      tenant,
      createdAt: n % 3 === 0 ? offset(millis(n)) : local(millis(n)),
      status: nth(['CcDone', 'CcFailed', 'Queued', 'unknown_7'], n),
      videoId: n % 5 === 4 ? 120_000 + tenant * 100 + n : oid(10, tenant, n),
      videoTitle: mark(
        `Kamera ${n + 1}.${tenant}: ${nth(moves, n)} below ${nth(peaks, n)} with ${nth(gear, n)}`,
      ),
      durationSeconds: 60 + n,
      folder: nth(folders, n),
    })),
    presets: each(5, (tenant, n) => ({
      tenant,
      presetId: n,
      requiresResourceIds: n % 2 === 0,
      permissionSets: [
        { permissions: [n, 'grade'], resourceIdType: nth(['All', 'Course', 'Folder'], n), scope: null },
      ],
    })),
    answers: [],
  };
  return { all, planted: [...heard] };
}

/** Valid parameters of each operation for the first school. */
export const samples: Readonly<Record<string, Readonly<Doc>>> = {
  'get-quiz-details': { quizId: oid(1, 0, 0) },
  'update-digital-product-coupon': {
    serviceCouponCodeId: oid(7, 0, 0),
    serviceDigitalProductId: oid(5, 0, 0),
    serviceDigitalProductCouponSlug: 'sommerfirn',
    description: 'Summer on the glacier',
    expireAtIsoString: '2033-07-01T00:00:00Z',
    shouldApplyAutomatically: true,
    numberOfRedemptionsAllowed: 3,
    couponTypeData: { type: 'percent-off', percentOff: 15 },
  },
  'update-interactive-coding-lab': {
    labId: oid(8, 0, 0),
    labTitle: 'Avalanche model',
    labDescriptionAsMarkdown: '# Model',
    defaultGitRepositoryUrl: 'https://git.gratfuss.example/model.git',
    defaultGitRepositoryBranchName: 'main',
    evaluationScriptBashCommand: 'true',
    evaluationScriptTestFileContent: '',
    testCases: [],
  },
  'submit-user-course-item': {
    courseItemId: oid(4, 0, 1),
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [{ questionUniqueId: oid(2, 0, 1, 0), newSelectedOptionIds: [oid(3, 0, 1, 0, 0)] }],
    },
    userId: oid(9, 0, 0),
    userEmail: 'neu@gratfuss.example',
    shouldMarkAsCompleted: true,
  },
  'create-instructor-account': { instructorEmail: 'gast@gratfuss.example', instructorName: 'Ein Gast' },
  'get-video-library': { filterTerm: '', pageNumber: 0, folderPath: '' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: '880000' },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: oid(5, 0, 0) } },
  'get-course-item-data': { courseItemId: oid(4, 0, 0) },
  'get-instructor-permission-presets': { pageNumber: 0, limit: 2.5 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: '880000' },
};
