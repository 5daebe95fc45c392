import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { instructors, products, quiz, schools, sessions } from '../support/demo.ts';
import { resultOf, world, type World } from '../support/world.ts';
import { assumedBy, seedFolder, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/** The operations with lists, their parameters, and what identifies the members of each list. */
const lists = [
  ['get-video-library', {}, 'videoData', 'videoId'],
  ['list-assignments', byProduct(), 'assignments', 'assignmentId'],
  ['get-instructor-permission-presets', {}, 'presets', null],
  ['get-all-live-events', {}, 'liveEvents', 'liveEventId'],
  ['get-all-instructors', {}, 'instructors', 'serviceInstructorId'],
] as const;

function byProduct(): object {
  return { courseIdentifier: { type: 'product-id', digitalProductId: products.python } };
}

/** The members of the lists of a school, in order, and the sessions of its events. */
async function listed({ call }: World, noted: (reply: Awaited<ReturnType<World['call']>>) => void) {
  const found: Record<string, readonly string[]> = {};
  for (const [operation, parameters, list, id] of lists) {
    const reply = await call(operation, parameters);
    const members = membersOf(resultOf(reply), list);
    found[list] = members.map((member) => (id === null ? JSON.stringify(member) : String(member[id])));
    for (const event of list === 'liveEvents' ? members : [])
      found[`sessions of ${String(event['liveEventId'])}`] = membersOf(event, 'sessions').map((session) =>
        String(session['liveEventSessionId']),
      );
    if (list === 'videoData') {
      // The contract's own list, which every reply of `world` is held against.
      found['folders'] = resultOf(reply)['absoluteFolderPaths'] as readonly string[];
    }
    noted(reply);
  }
  return found;
}

function membersOf(of: Record<string, unknown>, list: string): readonly Record<string, unknown>[] {
  // The contract's own lists, which every reply of `world` is held against.
  return of[list] as readonly Record<string, unknown>[];
}

const onePage: PartialOptions = { videoPageSize: '50' };

/** Compares each list with that of a sandbox in which nobody has chosen an order. */
function listOrder(expectOrder: (lists: Lists, whole: Lists) => void, isNoted = true): OptionTest {
  return async ({ open, noted }) => {
    const whole = await listed(await world({ assumptions: onePage }), () => {});
    const place = await open({ assumptions: onePage });
    const found = await listed(place, isNoted ? noted : () => {});
    expectOrder(found, whole);
    expect(await listed(place, () => {})).toEqual(found);
  };
}

type Lists = Readonly<Record<string, readonly string[]>>;

function sortedLists(all: Lists): Lists {
  return Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.toSorted()]));
}

/** A quiz, an instructor and a live event with fields that have no value. */
function sparseSeed(): string {
  const school = { id: schools.riverside, slug: 'riverside', name: 'Riverside Academy' };
  const question = {
    questionId: 'q1',
    type: 'SingleCorrect',
    title: '',
    explanation: null,
    description: 'In short.',
  };
  return seedFolder({
    schools: [school],
    quizzes: [
      {
        id: quiz.id,
        schoolId: school.id,
        createdAtIso: '2026-02-11T09:30:00.000Z',
        quizTitle: '',
        // The type is one of the enum.
        questions: [{ ...question, type: 'SingleCorrect', options: [] }],
      },
    ],
    users: [{ id: 'mira', schoolIds: [school.id] }],
    instructors: [
      {
        id: instructors.riverside.id,
        schoolIds: [school.id],
        userId: 'mira',
        name: 'Mira Okafor',
        email: instructors.riverside.email,
        profilePhotoUrl: '/assets/mira.svg',
        tagline: '',
        longDescriptionMarkdown: '',
        createdAt: '2026-02-11T09:30:00.000Z',
        lastUpdatedAt: '2026-02-11T09:30:00.000Z',
      },
    ],
    permissionPresets: [
      {
        id: 'preset',
        schoolId: school.id,
        name: 'Nothing',
        requiresResourceIds: false,
        permissionSets: [],
      },
    ],
  });
}

/** The fields of a question, an instructor and a preset without values; the result itself always has its own. */
function responseFields(fields: {
  readonly question: readonly string[];
  readonly instructor: readonly string[];
  readonly preset: readonly string[];
}): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open({ seed: sparseSeed() });
    const replies = [
      await call('get-quiz-details', { quizId: quiz.id }),
      await call('get-all-instructors'),
      await call('get-instructor-permission-presets'),
    ] as const;
    const [ofQuiz, ofInstructors, ofPresets] = [
      resultOf(replies[0]),
      resultOf(replies[1]),
      resultOf(replies[2]),
    ];
    expect(ofQuiz).toMatchObject({ quizTitle: '' });
    expect(namesOf(membersOf(ofQuiz, 'questions')[0])).toEqual(fields.question);
    expect(namesOf(membersOf(ofInstructors, 'instructors')[0])).toEqual(fields.instructor);
    expect(namesOf(membersOf(ofPresets, 'presets')[0])).toEqual(fields.preset);
    expect(resultOf(await call('get-all-live-events'))).toEqual({ liveEvents: [] });
    expect(resultOf(await call('get-video-library'))).toMatchObject({
      videoData: [],
      absoluteFolderPaths: [],
    });
    if (fields !== whole) for (const reply of replies) noted(reply);
  };
}

function namesOf(record: object | undefined): readonly string[] {
  return Object.keys(record ?? {});
}

const whole = {
  question: ['questionId', 'type', 'title', 'explanation', 'description', 'options'],
  instructor: [
    'serviceInstructorId',
    'name',
    'email',
    'profilePhotoUrl',
    'tagline',
    'longDescriptionMarkdown',
    'createdAt',
    'lastUpdatedAt',
  ],
  preset: ['requiresResourceIds', 'permissionSets'],
};

function without(names: readonly string[], ...absent: readonly string[]): readonly string[] {
  return names.filter((name) => !absent.includes(name));
}

export const responses = {
  listOrder: {
    added: listOrder((found, stored) => {
      expect(found).toEqual(stored);
      expect(found['folders']).toEqual(stored['folders']?.toSorted());
    }, false),
    reversed: listOrder((found, stored) => {
      for (const [name, list] of Object.entries(stored)) expect(found[name]).toEqual(list.toReversed());
    }),
    shuffled: listOrder((found, stored) => {
      expect(sortedLists(found)).toEqual(sortedLists(stored));
      for (const name of ['videoData', 'presets', 'instructors', 'folders']) {
        expect(found[name]).not.toEqual(stored[name]);
        expect(found[name]).not.toEqual(stored[name]?.toReversed());
      }
    }),
  },
  responseFields: {
    all: responseFields(whole),
    'not-null': responseFields({ ...whole, question: without(whole.question, 'explanation') }),
    'not-empty': responseFields({
      question: without(whole.question, 'explanation', 'title', 'options'),
      instructor: without(whole.instructor, 'tagline', 'longDescriptionMarkdown'),
      preset: without(whole.preset, 'permissionSets'),
    }),
  },
} satisfies Partial<OptionTests>;

testOptions(responses);

describe.each(['added', 'reversed', 'shuffled'] as const)('pages of a list in the order %s', (listOrder) => {
  it.each([
    ['get-video-library', 'videoData', 'videoId', {}],
    ['get-video-library', 'videoData', 'videoId', { filterTerm: 'e', folderPath: '/' }],
    ['get-instructor-permission-presets', 'presets', null, { limit: 3 }],
  ] as const)('have each record of %s once: %s', async (operation, list, id, parameters) => {
    const { call } = await world({
      assumptions: { listOrder, videoPageSize: '10', folderMatching: 'recursive' },
    });
    const seen: string[] = [];
    let total = 0;
    for (let pageNumber = 1; pageNumber === 1 || seen.length < total; pageNumber += 1) {
      const result = resultOf(await call(operation, { ...parameters, pageNumber }));
      total = Number(result['totalResults'] ?? result['totalPresetCount']);
      const page = membersOf(result, list);
      expect(page.length).toBeGreaterThan(0);
      seen.push(...page.map((one) => (id === null ? JSON.stringify(one) : String(one[id]))));
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
  });
});

describe('a record that is added to a list', () => {
  it.each([
    ['added', -1],
    ['reversed', 0],
  ] as const)('is where the order %s has it', async (listOrder, place) => {
    const { call } = await world({ assumptions: { listOrder } });
    const listing = async () => membersOf(resultOf(await call('get-all-instructors')), 'instructors');
    const before = await listing();
    await call('create-instructor-account', { instructorEmail: 'ada.nwosu@postbox.example' });
    const after = await listing();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(place)?.['email']).toBe('ada.nwosu@postbox.example');
  });

  it('moves no other, where the order is shuffled', async () => {
    const { call } = await world({ assumptions: { listOrder: 'shuffled' } });
    const listing = async () => membersOf(resultOf(await call('get-all-instructors')), 'instructors');
    const before = await listing();
    await call('create-instructor-account', { instructorEmail: 'ada.nwosu@postbox.example' });
    const after = await listing();
    expect(after.filter(({ email }) => email !== 'ada.nwosu@postbox.example')).toEqual(before);
    expect(after).toHaveLength(before.length + 1);
  });
});

describe('the assumptions about lists and fields', () => {
  it('are not listed by a reply without a list, or that changes something', async () => {
    const { call } = await world({ assumptions: { listOrder: 'shuffled', responseFields: 'not-empty' } });
    const details = await call('get-quiz-details', { quizId: quiz.id });
    expect(assumedBy(details)).toEqual(['responseFields=not-empty']);
    const created = await call('create-instructor-account', {
      instructorEmail: 'ada.nwosu@postbox.example',
      instructorName: 'Ada Nwosu',
    });
    expect(assumedBy(created).filter((one) => /listOrder|responseFields/.test(one))).toEqual([]);
  });

  it('can be changed at any time, and changed back', async () => {
    const { call, sandbox } = await world();
    const ask = async () => (await call('get-quiz-details', { quizId: quiz.id })).body as unknown;
    const before = await ask();
    await sandbox.assumptions.choose({ responseFields: 'not-null' });
    expect(JSON.stringify(await ask())).not.toContain('null');
    await sandbox.assumptions.choose({ responseFields: 'all' });
    expect(await ask()).toEqual(before);
    expect(JSON.stringify(before)).toContain('"explanation":null');
  });

  it('leave the null of an unended session out, like any other', async () => {
    const { call } = await world({
      clock: { mode: 'frozen', now: '2026-11-20T10:00:00.000Z' },
      assumptions: { unendedSessionEnd: 'null', responseFields: 'not-null' },
    });
    const shown = membersOf(resultOf(await call('get-all-live-events')), 'liveEvents').flatMap((event) =>
      membersOf(event, 'sessions'),
    );
    const running = shown.find(({ liveEventSessionId }) => liveEventSessionId === sessions.running);
    expect(running).toBeDefined();
    expect(running).not.toHaveProperty('endedAtIso');
  });
});
