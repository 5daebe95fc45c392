import type { School } from '../plumbing.ts';

/** A record with the number of the school that owns it. */
export interface Owned<T> {
  readonly owner: number;
  value: T;
}
export type Row = Record<string, unknown>;
export interface Session {
  liveEventSessionId: string;
  scheduledStartAtIso: string;
  scheduledDurationInSecs: number;
  endedAtIso: string;
}
interface LiveEvent extends Row {
  sessions: Session[];
}
interface Video {
  createdAt: string;
  status: string;
  videoId: string;
  videoTitle: string;
  folder: string;
}
interface Instructor extends Row {
  serviceInstructorId: string;
  email: string;
  name: string;
}

/** One table for each kind of record, by identifier, as in a database of all schools. */
export interface Tables {
  quizzes: Map<string, Owned<{ questions: { questionId: string }[] } & Row>>;
  coupons: Map<string, Owned<Row>>;
  labs: Map<string, Owned<Row>>;
  items: Map<string, Owned<Row>>;
  products: Map<string, Owned<{ productTitle: string; assignments: Row[] }>>;
  members: Map<string, Owned<string>>;
  submissions: Map<string, Owned<Row>>;
  events: Map<string, Owned<LiveEvent>>;
  recordings: Map<string, Owned<string>>;
  videos: Map<string, Owned<Video>>;
  presets: Owned<Row>[];
  instructors: Map<string, { schools: Set<number>; userId: string; value: Instructor }>;
  planted: Set<string>;
}

export const schools: readonly School[] = [
  { name: 'Harrowmere Observatory School', apiKeys: ['gwk-HM-6d1f0b7a2c', 'gwk-HM-e3b94c5581'] },
  { name: 'Skellan Lighthouse Academy', apiKeys: ['gwk-SK-0a97d4f36b'] },
];

const forenames = ['Siobhán', 'Tadhg', 'Gwenllian', 'Fionnuala', 'Ruairí', 'Eilidh', 'Cadwgan', 'Muireann'];
const surnames = [
  "O'Dálaigh",
  'Ní Mhurchú',
  'ap Rhisiart',
  "M'Corquodale",
  "O'Shaughnessy-Pym",
  'Llewelyn-Foss',
];
const stars = [
  'Menkalinan',
  'Zubenelgenubi',
  'Albireo',
  'Rasalhague',
  'Fomalhaut',
  'Alphecca',
  'Mirach',
  'Sadalmelik',
];
const tools = [
  'transit circle',
  'Fresnel lens',
  'sextant',
  'heliostat',
  'fog siren',
  'chronograph',
  'spectroscope',
];
const verbs = ['collimate', 'time', 'polish', 'sight', 'log', 'shutter', 'calibrate', 'align', 'rewind'];

function of(list: readonly string[], n: number): string {
  return list[n % list.length] ?? '';
}

/** Identifiers are digits: kind, school and number. */
export function key(kind: number, school: number, ...numbers: readonly number[]): string {
  return `${kind}${school + 1}${numbers.map((n) => String(n).padStart(2, '0')).join('')}`;
}

function stamp(n: number): string {
  return new Date(1_700_000_000_000 + n * 86_461_000).toISOString();
}

function kebab(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/[^\w\s-]/g, '')
    .toLowerCase();
  return words.trim().replaceAll(/[\s_-]+/g, '-');
}

function addQuizzes(tables: Tables, s: number, plant: (text: string) => string): void {
  for (let q = 0; q < 7; q += 1) {
    const quizTitle = plant(
      `Night watch ${q + 1}: ${of(verbs, q)} the ${of(tools, q + s)} by ${of(stars, q + s * 4)}`,
    );
    const questions = [0, 1, 2].map((n) => ({
      questionId: key(22, s, q, n),
      type: n === 1 ? 'MultiCorrect' : 'SingleCorrect',
      title: plant(
        `When ${of(stars, q + n)} culminates & the ${of(tools, n + s)} drifts ${q * 10 + n + s * 100}", what do you ${of(verbs, q + n)}?`,
      ),
      explanation:
        n === 0
          ? plant(
              `${of(stars, q + n)} leads the ${of(tools, q)} by ${s * 50 + q * 3 + n} arcseconds at "Skellan" height.`,
            )
          : null,
      description: n === 2 ? plant(`See plate ${s}-${q}-${n}, engraved under ${of(stars, q + 2)}.`) : null,
      options: [0, 1, 2, 3].map((o) => ({
        optionId: key(23, s, q, n, o),
        text: plant(
          `${of(verbs, o + n)} the ${of(tools, o + q)} at ${of(stars, o + s)}, mark ${s}${q}${n}${o}`,
        ),
        isCorrectOption: n === 1 ? o > 1 : o === 2,
      })),
    }));
    tables.quizzes.set(key(21, s, q), { owner: s, value: { createdAtIso: stamp(q), quizTitle, questions } });
  }
}

function addInstructors(tables: Tables, s: number, plant: (text: string) => string): void {
  for (let n = 0; n < 8; n += 1) {
    const name = plant(
      `${of(forenames, n + s)} ${of(surnames, n + s * 2)} ${of(['the Elder', 'FRAS', 'Jr.'], n)}`,
    );
    const value = {
      serviceInstructorId: key(31, s, n),
      name,
      email: plant(`${kebab(name)}@${s === 0 ? 'harrowmere' : 'skellan'}.example`),
      profilePhotoUrl: plant(`https://cdn.harrowmere.example/faces/${kebab(name)}.avif`),
      tagline: plant(`I ${of(verbs, n)} ${of(stars, n + s * 3)} with a borrowed ${of(tools, n)}`),
      longDescriptionMarkdown: plant(
        `### ${name}\n\nKeeps the *${of(tools, n + s)}* of watch ${n + 1}; see [${of(stars, n)}](https://harrowmere.example).`,
      ),
      createdAt: new Date(stamp(n)).toUTCString(),
      lastUpdatedAt: new Date(stamp(n + 9)).toUTCString(),
    };
    // The first instructor of the first school teaches at both.
    const teachesAt = s === 0 && n === 0 ? [0, 1] : [s];
    tables.instructors.set(value.email, { schools: new Set(teachesAt), userId: key(32, s, n), value });
  }
}

function addProducts(tables: Tables, s: number, plant: (text: string) => string): void {
  for (let p = 0; p < 4; p += 1) {
    const productTitle = plant(
      `${of(stars, p + s * 4)} almanac course, volume ${p + 1}, with ${of(tools, p)}`,
    );
    const assignments = [0, 1, 2].map((a) => ({
      assignmentId: key(42, s, p, a),
      assignmentTitle: plant(
        `${of(verbs, p + a)} twelve plates of ${of(stars, p + a + s)} before dawn ${a + p}`,
      ),
    }));
    tables.products.set(key(41, s, p), { owner: s, value: { productTitle, assignments } });
    const slug = plant(`lantern-${kebab(of(stars, p + s))}-${p}`);
    const description = plant(`Keepers' rebate for ${of(stars, p + s)} subscribers, berth ${p}`);
    tables.coupons.set(key(43, s, p), {
      owner: s,
      value: { serviceDigitalProductId: key(41, s, p), serviceDigitalProductCouponSlug: slug, description },
    });
    tables.labs.set(key(44, s, p), {
      owner: s,
      value: { labTitle: plant(`Reduce the ${of(stars, p)} plates of ${1890 + p + s * 10}`) },
    });
    const title = plant(`How to ${of(verbs, p + s)} a ${of(tools, p + s * 3)} under ${of(stars, p)}`);
    const courseItemData = {
      serviceCourseItemId: key(45, s, p),
      serviceDigitalProductId: key(41, s, p),
      courseItemSlug: plant(kebab(title)),
      articleUniqueId: key(46, s, p),
      type: p === 3 ? 'Quiz' : 'Article',
      title,
      contentJson: JSON.stringify({
        blocks: [
          {
            text: plant(
              `Cover the ${of(tools, p)} when ${of(stars, p + 1)} sets; ring twice, berth ${s}${p}.`,
            ),
          },
        ],
      }),
      isEditorContent: true,
    };
    tables.items.set(key(45, s, p), {
      owner: s,
      value: { createdAt: stamp(p), updatedAt: stamp(p + 5), courseItemData },
    });
  }
}

function addEvents(tables: Tables, s: number, plant: (text: string) => string): void {
  for (let n = 0; n < 5; n += 1) {
    const name = plant(`Open dome ${n + 1} for ${of(stars, n + s * 3)}: ${of(verbs, n)} with us`);
    const sessions = [0, 1, 2].map((k) => ({
      liveEventSessionId: key(52, s, n, k),
      scheduledStartAtIso: stamp(n * 3 + k),
      scheduledDurationInSecs: 2700,
      endedAtIso: k === 2 ? '' : stamp(n * 3 + k + 1),
    }));
    const value = {
      serviceDigitalProductId: key(41, s, n % 4),
      liveEventId: key(51, s, n),
      type: 'LiveEventProduct',
      status: of(['Active', 'Ended', 'Cancelled'], n),
      name,
      slug: plant(kebab(name)),
      link: plant(`https://harrowmere.example/domes/${kebab(name)}`),
      thumbnailUrl: plant(`https://cdn.harrowmere.example/domes/${kebab(name)}.avif`),
      sessions,
    };
    tables.events.set(value.liveEventId, { owner: s, value });
    tables.recordings.set(key(52, s, n, 0), {
      owner: s,
      value: `https://vault.harrowmere.example/${key(52, s, n, 0)}.mp4`,
    });
  }
}

function addVideos(tables: Tables, s: number, plant: (text: string) => string): void {
  const folders = [
    '/',
    plant('/Domes & Lamps'),
    plant('/Domes & Lamps/Winter logbook'),
    plant('/Foghorn archive'),
  ];
  for (let n = 0; n < 61; n += 1) {
    const videoTitle = plant(
      `Reel ${n + 1}${s === 0 ? 'H' : 'S'}: ${of(tools, n)} and ${of(stars, n + s)}, ${of(verbs, n)}`,
    );
    const status = of(['Encoded', 'CcFailed', 'Uploading', 'Encoded'], n);
    const value = { createdAt: stamp(n), status, videoId: key(61, s, n), videoTitle, folder: of(folders, n) };
    tables.videos.set(value.videoId, { owner: s, value });
  }
}

/** Returns the data with which the service starts. */
export function fill(): Tables {
  const planted = new Set<string>();
  const plant = (text: string): string => {
    planted.add(text);
    return text;
  };
  const tables: Tables = {
    quizzes: new Map(),
    coupons: new Map(),
    labs: new Map(),
    items: new Map(),
    products: new Map(),
    members: new Map(),
    submissions: new Map(),
    events: new Map(),
    recordings: new Map(),
    videos: new Map(),
    presets: [],
    instructors: new Map(),
    planted,
  };
  for (const s of [0, 1]) {
    for (const add of [addQuizzes, addInstructors, addProducts, addEvents, addVideos]) add(tables, s, plant);
    for (let n = 0; n < 5; n += 1) {
      const address = plant(
        `keeper.${kebab(of(stars, n))}.${n}@${s === 0 ? 'harrowmere' : 'skellan'}.example`,
      );
      tables.members.set(key(71, s, n), { owner: s, value: address });
      const sets = [
        { permissions: [{ action: 'read', on: 'domes' }], resourceIdType: n === 0 ? 'All' : 'Product' },
      ];
      tables.presets.push({ owner: s, value: { requiresResourceIds: n > 0, permissionSets: sets } });
    }
  }
  return tables;
}

/** Valid parameters of each operation for the first school. */
export const samples: Readonly<Record<string, Readonly<Row>>> = {
  'get-quiz-details': { quizId: key(21, 0, 0) },
  'update-digital-product-coupon': {
    serviceCouponCodeId: key(43, 0, 0),
    serviceDigitalProductId: key(41, 0, 0),
    serviceDigitalProductCouponSlug: 'equinox',
    description: 'Equinox week',
    expireAtIsoString: '2040-03-20T12:00:00.000Z',
    shouldApplyAutomatically: false,
    numberOfRedemptionsAllowed: 7,
    couponTypeData: { type: 'percent-off', percentOff: 33 },
  },
  'update-interactive-coding-lab': {
    labId: key(44, 0, 0),
    labTitle: 'Plates, revised',
    labDescriptionAsMarkdown: 'Reduce **all** plates.',
    defaultGitRepositoryUrl: 'https://git.harrowmere.example/plates',
    defaultGitRepositoryBranchName: 'trunk',
    evaluationScriptBashCommand: './check.sh',
    evaluationScriptTestFileContent: 'exit 0',
    testCases: [{ any: 'shape' }],
  },
  'submit-user-course-item': {
    courseItemId: key(45, 0, 3),
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [
        { questionUniqueId: key(22, 0, 3, 0), newSelectedOptionIds: [key(23, 0, 3, 0, 2)] },
      ],
    },
    userId: key(71, 0, 0),
    userEmail: 'keeper.menkalinan.0@harrowmere.example',
    shouldMarkAsCompleted: true,
  },
  'create-instructor-account': {
    instructorEmail: 'new.keeper@harrowmere.example',
    instructorName: 'A New Keeper',
  },
  'get-video-library': { filterTerm: '', pageNumber: 1, folderPath: '/' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: key(52, 0, 0, 0) },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: key(41, 0, 0) } },
  'get-course-item-data': { courseItemId: key(45, 0, 0) },
  'get-instructor-permission-presets': { pageNumber: 1, limit: 2.7 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: key(52, 0, 0, 0) },
};
