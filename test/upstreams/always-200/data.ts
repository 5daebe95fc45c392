import type { School } from '../plumbing.ts';

/** Everything that one school has. Identifiers are `prefix_` with school and number. */
export class Kitchen {
  readonly quizzes = new Map<string, Row>();
  readonly coupons = new Map<string, Row>();
  readonly labs = new Map<string, Row>();
  readonly items = new Map<string, Row>();
  readonly products = new Map<string, { title: string; assignments: Row[] }>();
  readonly submissions = new Map<string, Row>();
  readonly staff = new Set<string>();
  readonly videos: {
    createdAt: string;
    status: string;
    videoId: string;
    videoTitle: string;
    path: string;
  }[] = [];
  readonly events: (Row & { status: string; sessions: Session[] })[] = [];
  readonly mp4 = new Map<string, string>();
  readonly presets: Row[] = [];
}

export type Row = Record<string, unknown>;

export interface Session {
  liveEventSessionId: string;
  scheduledStartAtIso: string;
  scheduledDurationInSecs: number;
  endedAtIso?: string;
}

export interface Person {
  userId: string;
  row: Row & { serviceInstructorId: string; email: string; name: string };
}

export const schools: readonly School[] = [
  { name: 'École Tournebroche', apiKeys: ['sbx_tb_4417a0c2e9', 'sbx_tb_90be33d715'] },
  { name: 'Fournil du Vieux Quai', apiKeys: ['sbx_vq_c58e02f6ab'] },
];

const first = 'Aliénor Foulques Guilhem Ysolde Thibaud Pernelle Enguerrand Mahaut Anselme Oriane'.split(' ');
const last = 'Castagnède Bourrinet Tranchecaille Pastourel Grosgurin Lamoulade Verjus Quenouille'.split(' ');
const doughs = ['brioche', 'kouign-amann', 'fougasse', 'pithiviers', 'canelé', 'gibassier', 'pastis landais'];
const acts = [
  'laminating',
  'proofing',
  'scoring',
  'glazing',
  'resting',
  'folding',
  'caramelizing',
  'shaping',
];
const things = [
  'copper mould',
  'rye starter',
  'linen couche',
  'chestnut flour',
  'orange blossom',
  'salted butter',
];

const texts: string[] = [];

/** Notes a text as planted. */
function t(text: string): string {
  texts.push(text);
  return text;
}

function at<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length];
  if (found === undefined) throw new Error('The list is empty.');
  return found;
}

/** Dates have no fraction of a second. */
function date(n: number): string {
  const iso = new Date(Date.UTC(2025, n % 12, 1 + (n % 27), 6 + (n % 12), (n * 11) % 60)).toISOString();
  return iso.replace('.000Z', 'Z');
}

function dash(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase();
}

function people(s: number): Person[] {
  return Array.from({ length: 11 }, (_, n) => {
    const name = t(`${at(first, n + s * 3)} ${at(last, n * 3 + s)} de ${at(last, n + 5)}`);
    const row: Person['row'] = {
      serviceInstructorId: `ins_${s}${n + 10}`,
      name,
      email: t(`${dash(name)}@${s === 0 ? 'tournebroche' : 'vieuxquai'}.example`),
      profilePhotoUrl: t(`https://photos.tournebroche.example/${dash(name)}@2x.webp`),
      tagline: t(
        `Hands for ${at(acts, n + s)} ${at(doughs, n)}, heart for ${at(things, n)} no. ${s * 20 + n}`,
      ),
      longDescriptionMarkdown: t(
        `*${name}* baked ${at(doughs, n + 1)} for ${n + 4} winters.\n\n> ${at(things, n + s)} first.`,
      ),
      createdAt: date(n).replace('T', ' ').replace('Z', ''),
      lastUpdatedAt: date(n + 6)
        .replace('T', ' ')
        .replace('Z', ''),
    };
    return { userId: `usr_${s}${n + 500}`, row };
  });
}

function quiz(s: number, q: number): Row {
  return {
    createdAtIso: date(q + s),
    quizTitle: t(`${at(doughs, q + s)} under glass: ${at(acts, q)} test for bench ${s * 10 + q}`),
    questions: [1, 2, 3, 4, 5].map((n) => ({
      questionId: `qn_${s}${q}${n}`,
      type: n === 3 ? 'MultiCorrect' : 'SingleCorrect',
      title: t(
        `Why does ${at(doughs, q + n)} fail when ${at(acts, n + s)} near the ${at(things, q)} (${s}.${q}.${n})?`,
      ),
      explanation:
        n % 2 === 0
          ? null
          : t(
              `Because ${at(things, n + q)} cools ${at(doughs, q + n)} by ${s + q + n} °C while ${at(acts, n)}.`,
            ),
      description:
        n === 5 ? t(`Bench photo ${s}${q}: "${at(things, q)}" beside <b>${at(doughs, n)}</b>`) : null,
      options: [1, 2, 3].map((o) => ({
        optionId: `op_${s}${q}${n}${o}`,
        text: t(
          `The ${at(things, o + n)} was ${at(acts, o + q)} for ${(s + 1) * 100 + q * 15 + n * 3 + o} minutes`,
        ),
        isCorrectOption: o === 1 || (n === 3 && o === 2),
      })),
    })),
  };
}

function event(s: number, n: number): Kitchen['events'][number] {
  const name = t(`Night oven ${n + 1}: ${at(doughs, n + s * 2)} with ${at(things, n + s)}`);
  return {
    serviceDigitalProductId: `prd_${s}${n % 3}`,
    liveEventId: `lev_${s}${n}`,
    type: 'LiveEventProduct',
    status: n === 2 ? 'Draft' : 'Active',
    name,
    slug: t(dash(name)),
    link: t(`https://tournebroche.example/direct/${dash(name)}`),
    thumbnailUrl: t(`https://photos.tournebroche.example/direct/${dash(name)}.webp`),
    sessions: [0, 1].map((k) => ({
      liveEventSessionId: `ses_${s}${n}${k}`,
      scheduledStartAtIso: date(n + k),
      scheduledDurationInSecs: 5400,
      // A session that has not ended has no such key.
      ...(k === 0 ? { endedAtIso: date(n + k + 1) } : {}),
    })),
  };
}

function item(s: number, n: number): Row {
  const title = t(`${at(acts, n + s)} ${at(doughs, n)} on a ${at(things, n + s)}, leaf ${n + 1}`);
  return {
    createdAt: date(n),
    updatedAt: date(n + 1),
    courseItemData: {
      serviceCourseItemId: `itm_${s}${n}`,
      serviceDigitalProductId: `prd_${s}${n % 3}`,
      courseItemSlug: t(dash(title)),
      articleUniqueId: `art_${s}${n}`,
      type: 'Article',
      title,
      contentJson: JSON.stringify([
        { h1: title },
        { p: t(`Keep the ${at(things, n)} away from ${at(doughs, n + s)} until bell ${n + 3}.`) },
      ]),
      isEditorContent: n % 2 === 0,
    },
  };
}

function kitchen(s: number): Kitchen {
  const all = new Kitchen();
  for (let n = 0; n < 6; n += 1) all.quizzes.set(`qz_${s}${n}`, quiz(s, n));
  for (let n = 0; n < 7; n += 1) all.items.set(`itm_${s}${n}`, item(s, n));
  for (let n = 0; n < 4; n += 1) all.events.push(event(s, n));
  for (const { sessions } of all.events) {
    for (const { liveEventSessionId: session, endedAtIso } of sessions) {
      if (endedAtIso !== undefined)
        all.mp4.set(session, `https://files.tournebroche.example/${session}/whole.mp4`);
    }
  }
  for (let n = 0; n < 3; n += 1) {
    all.products.set(`prd_${s}${n}`, {
      title: t(`The ${at(things, n + s * 3)} year: ${at(doughs, n + s)} from A to Z`),
      assignments: [0, 1, 2, 3].slice(n).map((a) => ({
        assignmentId: `asg_${s}${n}${a}`,
        assignmentTitle: t(`Bring ${a + 2} ${at(doughs, n + a + s)} after ${at(acts, a + n)} overnight`),
      })),
    });
    all.coupons.set(`cpn_${s}${n}`, {
      serviceDigitalProductId: `prd_${s}0`,
      serviceDigitalProductCouponSlug: t(`croute-doree-${s}${n}`),
      description: t(`Golden crust reduction no. ${s}${n} for ${at(last, n)} guests`),
    });
    all.labs.set(`lab_${s}${n}`, { labTitle: t(`Oven curve simulator ${s}${n} with ${at(things, n)}`) });
    all.presets.push({
      requiresResourceIds: n === 1,
      permissionSets: [{ permissions: [], resourceIdType: 'All' }],
    });
  }
  const paths = [
    '/',
    t('/Recettes filmées'),
    t('/Recettes filmées/Viennoiserie lente'),
    t('/Caves à levain'),
  ];
  for (let n = 0; n < 47; n += 1) {
    all.videos.push({
      createdAt: date(n),
      status: at(['CcReady', 'CcFailed', 'Processing'], n),
      videoId: `vid_${s}${n + 100}`,
      videoTitle: t(`${at(doughs, n + s)} ${at(acts, n)}, camera ${n + 1}, ${at(things, n + s)}`),
      path: at(paths, n),
    });
  }
  return all;
}

/** Returns the data with which the service starts. */
export function stock(): { people: Person[]; kitchens: Kitchen[]; planted: readonly string[] } {
  texts.length = 0;
  const staffs = [people(0), people(1)];
  const kitchens = staffs.map((staff, s) => {
    const made = kitchen(s);
    for (const { row } of staff) made.staff.add(row.serviceInstructorId);
    return made;
  });
  return { people: staffs.flat(), kitchens, planted: [...new Set(texts)] };
}

/** Valid parameters of each operation for the first school. */
export const samples: Readonly<Record<string, Readonly<Row>>> = {
  'get-quiz-details': { quizId: 'qz_00' },
  'update-digital-product-coupon': {
    serviceCouponCodeId: 'cpn_00',
    serviceDigitalProductId: 'prd_00',
    serviceDigitalProductCouponSlug: 'fin-de-saison',
    description: 'End of the season',
    expireAtIsoString: '2031-06-30T22:00:00Z',
    shouldApplyAutomatically: true,
    numberOfRedemptionsAllowed: 12,
    couponTypeData: { type: 'percent-off', percentOff: 20 },
  },
  'update-interactive-coding-lab': {
    labId: 'lab_00',
    labTitle: 'Oven curves, second edition',
    labDescriptionAsMarkdown: 'Write a *curve*.',
    defaultGitRepositoryUrl: 'https://git.tournebroche.example/curves.git',
    defaultGitRepositoryBranchName: 'levain',
    evaluationScriptBashCommand: 'make check',
    evaluationScriptTestFileContent: 'check: ;',
    testCases: [],
  },
  'submit-user-course-item': {
    courseItemId: 'itm_00',
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [{ questionUniqueId: 'qn_001', newSelectedOptionIds: ['op_0011'] }],
    },
    userId: 'usr_9001',
    userEmail: 'apprenti@tournebroche.example',
    shouldMarkAsCompleted: true,
  },
  'create-instructor-account': {
    instructorEmail: 'recrue@tournebroche.example',
    instructorName: 'Une Recrue',
  },
  'get-video-library': { filterTerm: '', pageNumber: 0, folderPath: '/' },
  'get-signed-url-data-for-live-event-session-playback': { liveEventSessionId: 'ses_000' },
  'list-assignments': { courseIdentifier: { type: 'product-id', digitalProductId: 'prd_00' } },
  'get-course-item-data': { courseItemId: 'itm_00' },
  'get-instructor-permission-presets': { pageNumber: 0, limit: 1.5 },
  'get-all-live-events': {},
  'get-all-instructors': {},
  'get-live-event-session-processed-mp4': { liveEventSessionId: 'ses_000' },
};
