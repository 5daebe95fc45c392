import type { School } from '../plumbing.ts';

export type Values = Record<string, unknown>;

interface Option {
  readonly optionId: string;
  readonly text: string;
  readonly isCorrectOption: boolean;
}
interface Question {
  readonly questionId: string;
  readonly type: string;
  readonly title: string;
  readonly explanation: string | null;
  readonly description: string | null;
  readonly options: readonly Option[];
}
export interface Session {
  readonly liveEventSessionId: string;
  readonly scheduledStartAtIso: string;
  readonly scheduledDurationInSecs: number;
  readonly endedAtIso?: string;
}
export interface Teacher {
  readonly serviceInstructorId: string;
  readonly name: string;
  readonly email: string;
  readonly rest: Values;
  readonly userId: string;
}
interface Video {
  readonly createdAt: string;
  readonly status: string;
  readonly videoId: string;
  readonly videoTitle: string;
  readonly folder: string;
}

/** What one school owns. */
export interface Loom {
  quizzes: { quizId: string; createdAtIso: string; quizTitle: string; questions: readonly Question[] }[];
  items: { id: string; quizId: string; createdAt: string; updatedAt: string; courseItemData: Values }[];
  products: { productId: string; productTitle: string; assignments: readonly Values[] }[];
  coupons: Map<string, Values>;
  labs: Map<string, Values>;
  learners: { userId: string; email: string }[];
  submissions: Map<string, Values>;
  teacherIds: string[];
  events: { fields: Values; sessions: readonly Session[] }[];
  videos: readonly Video[];
  presets: readonly Values[];
}

export const schools: readonly School[] = [
  { name: 'Tecelagem da Ilha Nova', apiKeys: ['dk_ilhanova_2f6a0d', 'dk_ilhanova_88c1e4'] },
  { name: 'Oficina do Cais Velho', apiKeys: ['dk_caisvelho_51b97e'] },
];

const first = [
  'Inês',
  'Baltasar',
  'Conceição',
  'Gaspar',
  'Leonilde',
  'Abrãao',
  'Felícia',
  'Tomé',
  'Ermelinda',
  'Zulmira',
];
const family = [
  'Bettencourt',
  'Vasconcelos-Nóbrega',
  'Silveirinha',
  'Corte-Real',
  'Furtado',
  'Lacerdinha',
  'Ávila',
];
const cloths = [
  'burel',
  'chita',
  'linen damask',
  'serrobeco',
  'wool brocade',
  'basketweave',
  'tapestry twill',
];
const parts = ['heddle', 'bobbin', 'treadle', 'warp beam', 'shuttle race', 'reed', 'temple', 'raddle'];
const places = ['Lajes das Flores', 'Velas', 'Angra', 'Horta', 'Calheta', 'Povoação', 'Madalena', 'Topo'];

function el(list: readonly string[], n: number): string {
  return list[n % list.length] ?? '';
}

/** Identifiers are a word, the school's letter and a number. */
function ref(kind: string, school: number, ...n: readonly number[]): string {
  return [kind, school === 0 ? 'n' : 'v', ...n].join('-');
}

function iso(n: number): string {
  return new Date(Date.UTC(2023, 4, 3) + n * 111_111_111).toISOString();
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/\W+/g, '-')
    .toLowerCase();
}

type Note = (text: string) => string;

function makeQuizzes(s: number, note: Note): Loom['quizzes'] {
  return [0, 1, 2, 3, 4, 5].map((q) => ({
    quizId: ref('quiz', s, q),
    createdAtIso: iso(q),
    quizTitle: note(
      `${el(cloths, q + s)} of ${el(places, q + s * 3)}: ${el(parts, q)} questions, skein ${q + 1}`,
    ),
    questions: [0, 1, 2, 3].map((n) => ({
      questionId: ref('question', s, q, n),
      type: n === 2 ? 'MultiCorrect' : 'SingleCorrect',
      title: note(
        `Na oficina ${s + 1}.${q}.${n}: which ${el(parts, n + q)} tightens ${el(cloths, n + s)} in ${el(places, q)}?`,
      ),
      explanation:
        n === 3
          ? null
          : note(
              `The ${el(parts, n + q)} from ${el(places, n + q)} holds ${120 + s * 60 + q * 8 + n} threads of ${el(cloths, n)}.`,
            ),
      description:
        n === 1
          ? note(`Amostra ${s}/${q}: ${el(cloths, q + 2)}, woven by ${el(first, q + s)} ${el(family, q)}`)
          : null,
      options: [0, 1, 2].map((o) => ({
        optionId: ref('option', s, q, n, o),
        text: note(`the ${el(parts, o + q)} with ${el(cloths, o + n)} selvedge, row ${s}.${q}.${n}.${o}`),
        isCorrectOption: o === 2 || (n === 2 && o === 0),
      })),
    })),
  }));
}

function makeTeacher(s: number, n: number, note: Note): Teacher {
  const name = note(`${el(first, n + s * 5)} ${el(family, n * 2 + s)} de ${el(places, n + s)}`);
  return {
    serviceInstructorId: ref('teacher', s, n),
    userId: ref('account', s, n),
    name,
    email: note(`${slug(name).replaceAll('-', '_')}@${s === 0 ? 'ilhanova' : 'caisvelho'}.example`),
    rest: {
      profilePhotoUrl: note(`https://retratos.ilhanova.example/${slug(name)}.jpg`),
      tagline: note(
        `${el(parts, n + s)}, ${el(cloths, n)} e maresia (${el(places, n + 4)}, ${1990 + n + s * 10})`,
      ),
      longDescriptionMarkdown: note(
        `**${name}** threads the ${el(parts, n)} blind.\n\n* ${el(places, n + s)}`,
      ),
      createdAt: iso(n),
      lastUpdatedAt: iso(n + 2),
    },
  };
}

function makeItem(s: number, n: number, note: Note): Loom['items'][number] {
  const title = note(`Caderno ${n + 1}: ${el(cloths, n + s)} on a ${el(parts, n + s)} in ${el(places, n)}`);
  const line = note(
    `Soak the ${el(cloths, n)} in ${el(places, n + s)} brine before the ${el(parts, n)} (${s}${n}).`,
  );
  return {
    id: ref('item', s, n),
    quizId: ref('quiz', s, n),
    createdAt: iso(n),
    updatedAt: iso(n + 1),
    courseItemData: {
      serviceCourseItemId: ref('item', s, n),
      serviceDigitalProductId: ref('product', s, n % 3),
      courseItemSlug: note(slug(title)),
      articleUniqueId: ref('article', s, n),
      type: 'Article',
      title,
      contentJson: JSON.stringify({ ops: [{ insert: line }] }),
      isEditorContent: true,
    },
  };
}

function makeEvent(s: number, n: number, note: Note): Loom['events'][number] {
  const name = note(`Serão ${n + 1} in ${el(places, n + s * 2)}: ${el(cloths, n + s)} by lamplight`);
  return {
    fields: {
      serviceDigitalProductId: ref('product', s, n % 3),
      liveEventId: ref('event', s, n),
      type: 'LiveEventProduct',
      status: 'Active',
      name,
      slug: note(slug(name)),
      link: note(`https://ilhanova.example/serao/${slug(name)}`),
      thumbnailUrl: note(`https://retratos.ilhanova.example/serao/${slug(name)}.jpg`),
    },
    sessions: [0, 1].map((k) => ({
      liveEventSessionId: ref('session', s, n, k),
      scheduledStartAtIso: iso(n + k),
      scheduledDurationInSecs: 4500,
      ...(k === 0 ? { endedAtIso: iso(n + k + 1) } : {}),
    })),
  };
}

function makeLoom(s: number, teacherIds: string[], note: Note): Loom {
  const folders = [
    '/',
    note('/Teares manuais'),
    note('/Teares manuais/Pedal duplo'),
    note('/Tinturaria de urzela'),
  ];
  return {
    quizzes: makeQuizzes(s, note),
    items: [0, 1, 2, 3, 4].map((n) => makeItem(s, n, note)),
    products: [0, 1, 2].map((p) => ({
      productId: ref('product', s, p),
      productTitle: note(`${el(cloths, p + s * 3)} from fleece to shawl, winter in ${el(places, p + s)}`),
      assignments: [0, 1, 2].map((a) => ({
        assignmentId: ref('assignment', s, p, a),
        assignmentTitle: note(
          `Weave ${a + p + 1} palms of ${el(cloths, a + p)} without a ${el(parts, a + s)}`,
        ),
      })),
    })),
    coupons: new Map(
      [0, 1, 2].map((n) => [
        ref('coupon', s, n),
        {
          serviceDigitalProductId: ref('product', s, 0),
          serviceDigitalProductCouponSlug: note(`novelo-${slug(el(places, n + s))}-${n}${s}`),
          description: note(`Rebate for the weavers of ${el(places, n + s)}, ball ${s}${n}`),
        },
      ]),
    ),
    labs: new Map(
      [0, 1].map((n) => [
        ref('lab', s, n),
        { labTitle: note(`Draft compiler for ${el(cloths, n + s)} number ${s}${n}`) },
      ]),
    ),
    learners: [0, 1, 2, 3, 4].map((n) => ({
      userId: ref('learner', s, n),
      email: note(`aprendiz.${slug(el(first, n))}${n}@${s === 0 ? 'ilhanova' : 'caisvelho'}.example`),
    })),
    submissions: new Map(),
    teacherIds,
    events: [0, 1, 2, 3].map((n) => makeEvent(s, n, note)),
    videos: Array.from({ length: 32 }, (_, n) => ({
      createdAt: iso(n),
      status: n % 6 === 5 ? 'CcFailed' : 'CcReady',
      videoId: ref('video', s, n),
      videoTitle: note(
        `Fita ${n + 1}${s === 0 ? 'a' : 'b'}, ${el(places, n)}: the ${el(parts, n)} and ${el(cloths, n)}`,
      ),
      folder: el(folders, n),
    })),
    presets: [0, 1, 2, 3].map((n) => ({
      requiresResourceIds: n > 1,
      permissionSets: [
        { permissions: ['view', 'edit', 'grade'].slice(0, 1 + (n % 3)), resourceIdType: 'All' },
      ],
    })),
  };
}

/** Returns the data with which the service starts. */
export function weave(): { looms: Loom[]; teachers: Teacher[]; planted: readonly string[] } {
  const notes: string[] = [];
  const note: Note = (text) => {
    notes.push(text);
    return text;
  };
  const staffs = [0, 1].map((s) => Array.from({ length: 8 }, (_, n) => makeTeacher(s, n, note)));
  const looms = staffs.map((staff, s) =>
    makeLoom(
      s,
      staff.map((one) => one.serviceInstructorId),
      note,
    ),
  );
  return { looms, teachers: staffs.flat(), planted: [...new Set(notes)] };
}

/** Valid parameters of each operation for the first school. */
export const samples: Readonly<Record<string, Readonly<Values>>> = {
  'get-quiz-details': { quizId: 'quiz-n-0' },
  'update-digital-product-coupon': {
    serviceCouponCodeId: 'coupon-n-0',
    serviceDigitalProductId: 'product-n-0',
    serviceDigitalProductCouponSlug: 'outono',
    description: 'Autumn',
    expireAtIsoString: '2035-11-11T11:11:11.000Z',
    shouldApplyAutomatically: false,
    numberOfRedemptionsAllowed: 5,
    couponTypeData: { type: 'percent-off', percentOff: 50 },
  },
  'update-interactive-coding-lab': {
    labId: 'lab-n-0',
    labTitle: 'Draft compiler, second weave',
    labDescriptionAsMarkdown: 'Compile.',
    defaultGitRepositoryUrl: 'https://git.ilhanova.example/draft.git',
    defaultGitRepositoryBranchName: 'main',
    evaluationScriptBashCommand: 'make',
    evaluationScriptTestFileContent: 'all:',
    testCases: [],
  },
  'submit-user-course-item': {
    courseItemId: 'item-n-0',
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [{ questionUniqueId: 'question-n-0-0', newSelectedOptionIds: ['option-n-0-0-2'] }],
    },
    userId: 'learner-n-0',
    userEmail: 'aprendiz.ines0@ilhanova.example',
    shouldMarkAsCompleted: true,
  },
  'create-instructor-account': { instructorEmail: 'nova@ilhanova.example', instructorName: 'Nova Pessoa' },
  'get-video-library': { filterTerm: '', pageNumber: 1, folderPath: '/' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: 'session-n-0-0' },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: 'product-n-0' } },
  'get-course-item-data': { courseItemId: 'item-n-0' },
  'get-instructor-permission-presets': { pageNumber: 1, limit: 2.5 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: 'session-n-0-0' },
};
