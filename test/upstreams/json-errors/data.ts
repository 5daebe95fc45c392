import { createHash } from 'node:crypto';
import type { School } from '../plumbing.ts';

export const schools: readonly School[] = [
  { name: 'Konzervatoř Lipová alej', apiKeys: ['lipova-7f3c9a51e0b84d26', 'lipova-rotace-19d04be7c3a2'] },
  { name: 'Hudební dílna Severka', apiKeys: ['severka-5b8e1f60a9d37c42'] },
];

interface Question {
  questionId: string;
  type: 'MultiCorrect' | 'SingleCorrect';
  title: string;
  explanation: string | null;
  description: string | null;
  options: { optionId: string; text: string; isCorrectOption: boolean }[];
}
interface Quiz {
  createdAtIso: string;
  quizTitle: string;
  questions: Question[];
}
interface CourseItem {
  createdAt: string;
  updatedAt: string;
  courseItemData: Fields & { title: string; type: string };
  quizId: string | null;
}
interface Account {
  serviceInstructorId: string;
  name: string;
  email: string;
  profilePhotoUrl: string | null;
  tagline: string | null;
  longDescriptionMarkdown: string;
  createdAt: string;
  lastUpdatedAt: string;
}
export interface Session {
  liveEventSessionId: string;
  scheduledStartAtIso: string;
  scheduledDurationInSecs: number;
  endedAtIso: string | null;
}
export interface SchoolData {
  quizzes: Map<string, Quiz>;
  coupons: Map<string, Fields & { serviceDigitalProductId: string; serviceDigitalProductCouponSlug: string }>;
  labs: Map<string, Fields>;
  items: Map<string, CourseItem>;
  users: Map<string, { email: string }>;
  submissions: Map<string, { completed: boolean; answers: Map<string, readonly string[]> }>;
  instructorIds: Set<string>;
  videos: { createdAt: string; status: string; videoId: string; videoTitle: string; folder: string }[];
  events: (Fields & { sessions: Session[] })[];
  processed: Set<string>;
  products: Map<string, { title: string; assignments: { assignmentId: string; assignmentTitle: string }[] }>;
  presets: Fields[];
}
export interface State {
  accounts: Map<string, Account & { userId: string }>;
  schools: SchoolData[];
}
export type Fields = Record<string, unknown>;

const given = ['Žofie', 'Ctibor', 'Ludmila', 'Vavřinec', 'Radana', 'Bořek', 'Květuše', 'Slavoj', 'Dobromila'];
const family = ['Křemenáč', 'Vrbenský', 'Pšenička', 'Zahálka', 'Říhošek', 'Tesklivý', 'Mlýnek', 'Ďurďák'];
const instruments = [
  'viola da gamba',
  'shawm',
  'theorbo',
  'hurdy-gurdy',
  'clavichord',
  'serpent',
  'nyckelharpa',
];
const skills = ['ornaments', 'fingering', 'tuning', 'phrasing', 'breathing', 'bow pressure', 'sight reading'];
const places = ['Loket', 'Telč', 'Jičín', 'Bechyně', 'Pelhřimov', 'Litomyšl', 'Prachatice', 'Štramberk'];

function pick(list: readonly string[], at: number): string {
  return list[at % list.length] ?? '';
}

/** Every name, address, title and text, once `makeState` ran. */
export const said = new Set<string>();
function say(text: string): string {
  said.add(text);
  return text;
}

/** Returns an identifier that depends only on the parts. */
export function uuid(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha1').update(parts.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function day(n: number): string {
  return new Date(
    Date.UTC(2024, 0, 8 + n, 9 + (n % 9), (n * 7) % 60, (n * 13) % 60, (n * 137) % 1000),
  ).toISOString();
}

function slugOf(text: string): string {
  const plain = text.normalize('NFD').toLowerCase();
  return plain.replaceAll(/[\u0300-\u036f]/g, '').replaceAll(/[^a-z0-9]+/g, '-');
}

function makeQuestion(s: number, q: number, n: number): Question {
  const tool = pick(instruments, q + n + s);
  const town = pick(places, q * 3 + n);
  return {
    questionId: uuid('question', s, q, n),
    type: n % 2 === 0 ? 'SingleCorrect' : 'MultiCorrect',
    title: say(
      `How did the ${tool} of ${town} change ${pick(skills, q + n)} in ${1600 + s * 90 + q * 10 + n}?`,
    ),
    explanation:
      n % 3 === 2 ? null : say(`Workshop ledgers of ${town} list ${tool} repairs, entry ${s}${q}${n}-ř.`),
    description: n % 4 === 1 ? say(`Listen to *${tool}* recording № ${s * 100 + q * 10 + n} first.`) : null,
    options: [0, 1, 2].map((o) => ({
      optionId: uuid('option', s, q, n, o),
      text: say(`${town}: ${pick(skills, n + o)} on ${tool}, variant ${s}${q}${n}${o}`),
      isCorrectOption: o === 0 || (n % 2 === 1 && o === 1),
    })),
  };
}

function makeAccount(s: number, n: number): Account & { userId: string } {
  const name = say(`${pick(given, n * 2 + s * 5)} ${pick(family, n + s * 3)}-${pick(places, n)}`);
  const email = say(`${slugOf(name).replaceAll('-', '.')}@${s === 0 ? 'lipova' : 'severka'}.example`);
  const tool = pick(instruments, n + s);
  return {
    serviceInstructorId: uuid('instructor', s, n),
    userId: uuid('user-of-instructor', s, n),
    name,
    email,
    profilePhotoUrl: n % 4 === 3 ? null : say(`https://img.lipova.example/portraits/${slugOf(name)}.jpg`),
    tagline:
      n % 5 === 4 ? null : say(`${tool} & ${pick(skills, n)} since ${1984 + n + s}, ${pick(places, n)}`),
    longDescriptionMarkdown: say(
      `## ${name}\n\nTeaches the **${tool}** in ${pick(places, n + 2)}.\n\n- ${pick(skills, n)}`,
    ),
    createdAt: day(n),
    lastUpdatedAt: day(n + 40),
  };
}

function makeItems(s: number): Map<string, CourseItem> {
  return new Map(
    [0, 1, 2, 3, 4, 5].map((n): [string, CourseItem] => {
      const isQuiz = n % 3 === 1;
      const title = say(
        `${isQuiz ? 'Exam' : 'Reading'}: ${pick(instruments, n + s)} at ${pick(places, n)}, part ${n + 1}`,
      );
      const paragraph = say(
        `In ${pick(places, n + 1)} the ${pick(instruments, n + s)} was strung anew in ${1700 + n + s}.`,
      );
      const id = uuid('item', s, n);
      const courseItemData = {
        serviceCourseItemId: id,
        serviceDigitalProductId: uuid('product', s, n % 3),
        courseItemSlug: say(slugOf(title)),
        articleUniqueId: isQuiz ? null : uuid('article', s, n),
        type: isQuiz ? 'Quiz' : 'Article',
        title,
        contentJson: JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', text: paragraph }] }),
        isEditorContent: !isQuiz,
      };
      return [
        id,
        {
          createdAt: day(n),
          updatedAt: day(n + 3),
          courseItemData,
          quizId: isQuiz ? uuid('quiz', s, n) : null,
        },
      ];
    }),
  );
}

function makeEvents(s: number): SchoolData['events'] {
  return [0, 1, 2, 3].map((n) => {
    const name = say(`${pick(places, n + s)} masterclass: ${pick(instruments, n * 2 + s)}, evening ${n + 1}`);
    return {
      serviceDigitalProductId: uuid('product', s, n % 3),
      liveEventId: uuid('event', s, n),
      type: 'LiveEventProduct',
      status: n === 3 ? 'Archived' : 'Active',
      name,
      slug: say(slugOf(name)),
      link: say(`https://lipova.example/live/${slugOf(name)}`),
      thumbnailUrl: say(`https://img.lipova.example/live/${slugOf(name)}.png`),
      sessions: [0, 1, 2].map((k) => ({
        liveEventSessionId: uuid('session', s, n, k),
        scheduledStartAtIso: day(n * 10 + k),
        scheduledDurationInSecs: 3600 + 900 * k,
        endedAtIso: k === 2 ? null : day(n * 10 + k + 1),
      })),
    };
  });
}

function makeProducts(s: number): SchoolData['products'] {
  return new Map(
    [0, 1, 2].map((p) => [
      uuid('product', s, p),
      {
        title: say(`Course of ${pick(instruments, p + s)} in ${pick(places, p + s * 2)}`),
        assignments: (p === 2 ? [] : [0, 1, 2]).map((a) => ({
          assignmentId: uuid('assignment', s, p, a),
          assignmentTitle: say(
            `Record ${pick(skills, p + a)} on the ${pick(instruments, p + s)}, take ${a + 1}`,
          ),
        })),
      },
    ]),
  );
}

function makeVideos(s: number): SchoolData['videos'] {
  const folders = ['/', say('/Mistrovské kurzy'), say('/Mistrovské kurzy/Loutna'), say('/Archiv Bechyně')];
  return Array.from({ length: 34 }, (_, n) => ({
    createdAt: day(n),
    status: n % 7 === 3 ? 'CcFailed' : 'Ready',
    videoId: uuid('video', s, n),
    videoTitle: say(
      `${pick(instruments, n + s)} — ${pick(skills, n)} (${pick(places, n)}, tape ${s + 1}/${n + 1})`,
    ),
    folder: pick(folders, n),
  }));
}

function makeSchool(s: number): SchoolData {
  const quizzes = [0, 1, 2, 3, 4, 5].map((q): [string, Quiz] => [
    uuid('quiz', s, q),
    {
      createdAtIso: day(q),
      quizTitle: say(
        `${pick(places, q + s)} entrance quiz on ${pick(instruments, q)} ${pick(skills, q + s)}`,
      ),
      questions: [0, 1, 2, 3].map((n) => makeQuestion(s, q, n)),
    },
  ]);
  const events = makeEvents(s);
  return {
    quizzes: new Map(quizzes),
    coupons: new Map(
      [0, 1, 2].map((n) => [
        uuid('coupon', s, n),
        {
          serviceCouponCodeId: uuid('coupon', s, n),
          serviceDigitalProductId: uuid('product', s, 0),
          serviceDigitalProductCouponSlug: say(`${slugOf(pick(places, n + s))}-sleva-${n}${s}`),
          description: say(`Discount for families from ${pick(places, n + s)}, tier ${n + 1}`),
        },
      ]),
    ),
    labs: new Map(
      [0, 1].map((n) => [
        uuid('lab', s, n),
        { labTitle: say(`Synthesize a ${pick(instruments, n + s)} chord`) },
      ]),
    ),
    items: makeItems(s),
    users: new Map(
      [0, 1, 2, 3, 4, 5].map((n) => [
        uuid('user', s, n),
        { email: say(`zak.${slugOf(pick(family, n + s))}.${n}@posta.example`) },
      ]),
    ),
    submissions: new Map(),
    instructorIds: new Set(Array.from({ length: 9 }, (_, n) => uuid('instructor', s, n))),
    videos: makeVideos(s),
    events,
    processed: new Set(
      events.flatMap(({ sessions }) => sessions.slice(0, 1).map((one) => one.liveEventSessionId)),
    ),
    products: makeProducts(s),
    presets: Array.from({ length: 5 }, (_, n) => ({
      requiresResourceIds: n % 2 === 1,
      permissionSets: [
        {
          permissions: ['courses:read', 'quizzes:grade'].slice(0, 1 + (n % 2)),
          resourceIdType: n % 2 === 1 ? 'Course' : 'All',
        },
      ],
    })),
  };
}

/** Returns the data with which the service starts. */
export function makeState(): State {
  const accounts = [0, 1].flatMap((s) => Array.from({ length: 9 }, (_, n) => makeAccount(s, n)));
  return {
    accounts: new Map(accounts.map((one) => [one.serviceInstructorId, one])),
    schools: [makeSchool(0), makeSchool(1)],
  };
}

/** Valid parameters of each operation for the first school. */
export const samples: Readonly<Record<string, Readonly<Fields>>> = {
  'get-quiz-details': { quizId: uuid('quiz', 0, 0) },
  'update-digital-product-coupon': {
    serviceCouponCodeId: uuid('coupon', 0, 0),
    serviceDigitalProductId: uuid('product', 0, 0),
    serviceDigitalProductCouponSlug: 'podzim-2031',
    description: 'Autumn discount',
    expireAtIsoString: '2199-10-01T00:00:00.000Z',
    shouldApplyAutomatically: false,
    numberOfRedemptionsAllowed: 40,
    couponTypeData: { type: 'percent-off', percentOff: 12.5 },
  },
  'update-interactive-coding-lab': {
    labId: uuid('lab', 0, 0),
    labTitle: 'A new title of the lab',
    labDescriptionAsMarkdown: '# Lab',
    defaultGitRepositoryUrl: 'https://git.lipova.example/lab.git',
    defaultGitRepositoryBranchName: 'main',
    evaluationScriptBashCommand: 'npm test',
    evaluationScriptTestFileContent: 'test()',
    testCases: [],
  },
  'submit-user-course-item': {
    courseItemId: uuid('item', 0, 1),
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [
        { questionUniqueId: uuid('question', 0, 1, 0), newSelectedOptionIds: [uuid('option', 0, 1, 0, 0)] },
      ],
    },
    userId: uuid('user', 0, 0),
    userEmail: 'zak.kremenac.0@posta.example',
    shouldMarkAsCompleted: false,
  },
  'create-instructor-account': { instructorEmail: 'Nova.Osoba@lipova.example', instructorName: 'Nová Osoba' },
  'get-video-library': { filterTerm: '', pageNumber: 1, folderPath: '/' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: uuid('session', 0, 0, 0) },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: uuid('product', 0, 0) } },
  'get-course-item-data': { courseItemId: uuid('item', 0, 0) },
  'get-instructor-permission-presets': { pageNumber: 1, limit: 3.5 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: uuid('session', 0, 0, 0) },
};
