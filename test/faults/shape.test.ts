import { describe, expect, it } from 'vitest';
import { faultGroups } from '../../src/faults/index.ts';
import type { NewFaultRule, NewSandbox, SandboxHandle } from '../../src/index.ts';
import { items, quiz, schools } from '../support/demo.ts';
import { outputsOf, resultOf, world, type World } from '../support/world.ts';
import { fetchCall, frozen, newTerms, openPlace, type WireCall } from '../support/wire.ts';

const faults: readonly NewFaultRule['fault'][] = faultGroups.shape.map(({ name }) => name);

type Collection = 'quizzes' | 'courseItems' | 'products' | 'liveEventSessions';

/** The parameters of an operation for each record of a school. */
function ofEach(collection: Collection, parameters: (id: string) => object) {
  return async ({ state }: SandboxHandle, schoolId: string | undefined): Promise<readonly object[]> =>
    (await state.list(collection))
      .filter((record) => record.schoolId === schoolId)
      .map(({ id }) => parameters(id));
}

const once = async (): Promise<readonly object[]> => [{}];
const prose = (...fields: readonly string[]) => ({ 'long-strings': fields, 'unicode-strings': fields });

interface Read {
  /** Elements that ask for all that a school has. */
  readonly elements: (sandbox: SandboxHandle, schoolId: string | undefined) => Promise<readonly object[]>;
  /** The fields that each fault changes; none where it is not listed. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
}

const reads: Readonly<Record<string, Read>> = {
  'get-quiz-details': {
    elements: ofEach('quizzes', (quizId) => ({ quizId })),
    changes: {
      'missing-fields': ['description', 'explanation', 'options', 'title', 'type'],
      'null-fields': ['description', 'explanation'],
      'empty-lists': ['questions'],
      ...prose('description', 'explanation', 'quizTitle', 'text', 'title'),
    },
  },
  'get-video-library': {
    elements: once,
    changes: {
      'missing-fields': ['createdAt', 'status', 'videoTitle'],
      'unknown-enum-values': ['status'],
      'empty-lists': ['absoluteFolderPaths', 'videoData'],
      ...prose('videoTitle'),
    },
  },
  'get-signed-url-data-for-live-event-session-playback': {
    elements: ofEach('liveEventSessions', (liveEventSessionId) => ({ liveEventSessionId })),
    changes: { 'empty-lists': ['playbackSources'] },
  },
  'list-assignments': {
    elements: ofEach('products', (digitalProductId) => ({
      courseIdentifier: { type: 'product-id', digitalProductId },
    })),
    changes: {
      'missing-fields': ['assignmentTitle'],
      'empty-lists': ['assignments'],
      ...prose('assignmentTitle', 'productTitle'),
    },
  },
  'get-course-item-data': {
    elements: ofEach('courseItems', (courseItemId) => ({ courseItemId })),
    changes: {
      'missing-fields': [
        'articleUniqueId',
        'contentJson',
        'courseItemSlug',
        'isEditorContent',
        'serviceDigitalProductId',
        'title',
        'type',
      ],
      'unknown-enum-values': ['type'],
      ...prose('title'),
    },
  },
  'get-instructor-permission-presets': {
    elements: once,
    changes: {
      'missing-fields': ['permissionSets', 'requiresResourceIds'],
      'unknown-enum-values': ['resourceIdType'],
      'empty-lists': ['presets'],
    },
  },
  'get-all-live-events': {
    elements: once,
    changes: {
      'missing-fields': [
        'link',
        'name',
        'serviceDigitalProductId',
        'sessions',
        'slug',
        'status',
        'thumbnailUrl',
        'type',
      ],
      'null-fields': ['endedAtIso'],
      'unknown-enum-values': ['status', 'type'],
      'empty-lists': ['liveEvents'],
      ...prose('name'),
    },
  },
  'get-all-instructors': {
    elements: once,
    changes: {
      'missing-fields': [
        'createdAt',
        'email',
        'lastUpdatedAt',
        'longDescriptionMarkdown',
        'name',
        'profilePhotoUrl',
        'tagline',
      ],
      'empty-lists': ['instructors'],
      ...prose('longDescriptionMarkdown', 'name', 'tagline'),
    },
  },
  'get-live-event-session-processed-mp4': {
    elements: ofEach('liveEventSessions', (liveEventSessionId) => ({ liveEventSessionId })),
    changes: {},
  },
};

/** What `extra-fields` adds to every object. */
const additions = ['addedLater', 'addedLaterCount', 'addedLaterList', 'addedLaterNothing', 'constructor'];

/** The names of the fields whose values are not the same on both sides, or that only one side has. */
function changedFields(one: unknown, other: unknown, name = ''): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return unique(one.flatMap((member, number) => changedFields(member, other[number], name)));
  }
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other) ? [] : [name];
  const names = unique([...Object.keys(one), ...Object.keys(other)]);
  return unique(
    names.flatMap((field) =>
      Object.hasOwn(one, field) && Object.hasOwn(other, field)
        ? changedFields(one[field], other[field], field)
        : [field],
    ),
  );
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value inside a value, itself included. */
function everyPart(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(everyPart)]
    : [value];
}

function statusesIn(result: unknown): ReadonlySet<unknown> {
  return new Set(
    everyPart(result).flatMap((part) => (isObject(part) && 'status' in part ? [part['status']] : [])),
  );
}

/** The result of one call with a fault, and of the same call without; both held against the contract. */
async function bothResults({ call }: World, operation: string, parameters: object, fault: string) {
  const sound = resultOf(await call(operation, parameters));
  return { sound, hit: resultOf(await call(operation, parameters).set('Sandbox-Fault', fault)) };
}

describe.each(Object.entries(reads))('%s', (operation, { elements, changes }) => {
  // The one result with a list of values that the contract closes.
  const broken = operation === 'get-quiz-details' ? 'unknown-enum-values' : null;

  it.each(['riverside', 'hillcrest'])(
    'matches the contract with each fault as far as its name allows, and differs in the fields that this is about: %s',
    async (slug) => {
      const { batch, sandbox } = await world(frozen);
      const school = (await sandbox.state.list('schools')).find((one) => one.slug === slug);
      const parameters = await elements(sandbox, school?.id);
      const sound = await batch(operation, parameters, slug);
      expect(outputsOf(sound).some(({ status }) => status === 'ok')).toBe(true);
      for (const fault of faults) {
        const hit = batch(operation, parameters, slug).set('Sandbox-Fault', fault);
        if (fault === broken) {
          await expect(hit).rejects.toThrow('must be equal to one of the allowed values');
          continue;
        }
        const expected = fault === 'extra-fields' ? additions : (changes[fault] ?? []);
        expect([fault, ...changedFields(sound.body, (await hit).body)]).toEqual([fault, ...expected]);
      }
    },
  );
});

describe('extra-fields', () => {
  it.each([
    ['get-quiz-details', { quizId: quiz.id }, {}],
    ['get-all-live-events', {}, {}],
    ['get-instructor-permission-presets', {}, { assumptions: { permissionShape: 'objects' } }],
  ] satisfies readonly (readonly [string, object, NewSandbox])[])(
    'puts them into every object of the result, and changes nothing else: %s',
    async (operation, parameters, request) => {
      const { hit, sound } = await bothResults(await world(request), operation, parameters, 'extra-fields');
      const objects = everyPart(hit).filter(
        (part) => isObject(part) && !('nested' in part) && !('deep' in part),
      );
      expect(objects.length).toBe(everyPart(sound).filter(isObject).length);
      for (const part of objects)
        expect(Object.keys(part as object).slice(-additions.length)).toEqual(additions);
      const stripped: unknown = JSON.parse(JSON.stringify(hit), (name, value: unknown) =>
        additions.includes(name) ? undefined : value,
      );
      expect(stripped).toEqual(sound);
    },
  );

  it('has a text, a number, a list and null among them', async () => {
    const { hit } = await bothResults(await world(), 'get-all-instructors', {}, 'extra-fields');
    expect(new Set(additions.map((name) => Object.prototype.toString.call(hit[name])))).toEqual(
      new Set(['[object String]', '[object Number]', '[object Array]', '[object Null]']),
    );
  });

  it('stands in the empty result of an operation that writes', async () => {
    const { sandbox, terms } = await openPlace();
    const { text } = await fetchCall(sandbox, { ...newTerms('Written'), fault: 'extra-fields' });
    expect(text).toMatch(/^\[\{"output":\{"status":"ok","data":\{"addedLater":/);
    expect(await terms()).toBe('Written');
  });
});

describe('missing-fields', () => {
  it('leaves what the contract requires, in as many members as before', async () => {
    const { hit, sound } = await bothResults(
      await world(),
      'get-quiz-details',
      { quizId: quiz.id },
      'missing-fields',
    );
    const { createdAtIso, quizTitle, questions } = sound as {
      createdAtIso: string;
      quizTitle: string;
      questions: { questionId: string }[];
    };
    expect(hit).toEqual({
      createdAtIso,
      quizTitle,
      questions: questions.map(({ questionId }) => ({ questionId })),
    });
  });

  it('leaves the objects of a list empty that require nothing', async () => {
    const { hit } = await bothResults(
      await world(),
      'get-instructor-permission-presets',
      {},
      'missing-fields',
    );
    expect(hit).toEqual({ totalPresetCount: 8, presets: Array.from({ length: 8 }, () => ({})) });
  });
});

describe('null-fields', () => {
  it('makes null of what may be null, and adds no field', async () => {
    const { hit, sound } = await bothResults(
      await world(),
      'get-quiz-details',
      { quizId: quiz.id },
      'null-fields',
    );
    const expected = JSON.stringify(sound).replaceAll(
      /"(explanation|description)":("(\\.|[^"\\])*"|null)/g,
      '"$1":null',
    );
    expect(JSON.stringify(hit)).toBe(expected);
    expect(expected).toContain('"explanation":null');
  });
});

describe('unknown-enum-values', () => {
  it.each([
    ['unknown-enum-values', 'AddedLater'],
    ['unknown-enum-values; value=Paused', 'Paused'],
    ['unknown-enum-values; value="in Prüfung"', undefined],
    ['unknown-enum-values; value="under review"', 'under review'],
  ])('takes the value that it is given: %s', async (fault, value) => {
    const { call } = await world();
    const reply = await call('get-course-item-data', { courseItemId: items.article }).set(
      'Sandbox-Fault',
      fault,
    );
    if (value === undefined) expect(reply.status).toBe(400);
    else expect(resultOf(reply)).toMatchObject({ courseItemData: { type: value } });
  });

  it('replaces values that the contract lists in full, which is what it breaks, and nothing else', async () => {
    const { sandbox } = await world();
    const call: WireCall = { operation: 'get-quiz-details', elements: [{ quizId: quiz.id }] };
    const hit = (await fetchCall(sandbox, { ...call, fault: 'unknown-enum-values' })).text;
    expect(hit).toBe(
      (await fetchCall(sandbox, call)).text.replaceAll(/"type":"\w+"/g, '"type":"AddedLater"'),
    );
    expect(hit).toContain('AddedLater');
  });

  it('replaces values that a reading of the data has brought in', async () => {
    const { hit, sound } = await bothResults(
      await world({ assumptions: { openValues: 'plausible' } }),
      'get-video-library',
      {},
      'unknown-enum-values',
    );
    expect(statusesIn(sound)).not.toEqual(new Set(['CcFailed']));
    expect(statusesIn(hit)).toEqual(new Set(['AddedLater']));
  });
});

describe('empty-lists', () => {
  it('leaves the totals as they are', async () => {
    const { hit } = await bothResults(await world(), 'get-video-library', {}, 'empty-lists');
    expect(hit).toEqual({ totalResults: 39, pageSize: 20, videoData: [], absoluteFolderPaths: [] });
  });
});

describe('long-strings', () => {
  it.each([
    ['long-strings', 10_000],
    ['long-strings; length=100000', 100_000],
    ['long-strings; length=3', 3],
    ['long-strings; length=1', 1],
  ])('has texts of just the length that is asked for, which begin as before: %s', async (fault, length) => {
    const { hit, sound } = await bothResults(await world(), 'get-quiz-details', { quizId: quiz.id }, fault);
    const [long, short] = [hit['quizTitle'], sound['quizTitle']] as [string, string];
    expect(long).toHaveLength(length);
    expect(long.startsWith(short.slice(0, length))).toBe(true);
    expect(
      everyPart(hit).some((part) => typeof part === 'string' && part.length > Math.max(length, 24)),
    ).toBe(false);
  });
});

describe('unicode-strings', () => {
  it('comes through whole: characters of one to four bytes, right to left, joined, escaped', async () => {
    const { hit, sound } = await bothResults(
      await world(),
      'get-quiz-details',
      { quizId: quiz.id },
      'unicode-strings',
    );
    const title = String(hit['quizTitle']);
    expect(title.endsWith(String(sound['quizTitle']))).toBe(true);
    for (const kind of [
      /\p{Script=Greek}/u,
      /\p{Script=Hebrew}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Han}/u,
      /\p{M}/u,
      /[\u{10000}-\u{10ffff}]/u,
    ]) {
      expect(title).toMatch(kind);
    }
    for (const text of ['\u200d', '\u200b', '\u2028', '"', '\\', '<b>', '&amp;'])
      expect(title).toContain(text);
    expect(Buffer.from(title).toString()).toBe(title);
  });

  it('has a length in bytes, not in characters', async () => {
    const { sandbox } = await world();
    const { headers, text } = await fetchCall(sandbox, {
      operation: 'get-all-live-events',
      elements: [{}],
      fault: 'unicode-strings',
    });
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });
});

/**
 * The numbers of the members of a reply to a call of quizzes, which every fault changes, that are not as
 * without the fault.
 */
async function changedMembers(
  sandbox: SandboxHandle,
  elements: readonly object[],
  fault?: string,
): Promise<readonly number[]> {
  const call: WireCall = { operation: 'get-quiz-details', elements };
  const members = async (sent: WireCall): Promise<readonly unknown[]> =>
    JSON.parse((await fetchCall(sandbox, sent)).text) as unknown[];
  const hit = await members(fault === undefined ? call : { ...call, fault });
  await sandbox.faults.clear();
  // What is planted in a field that nobody reads is left out.
  const sound = await members({ ...call, elements: elements.map((element) => ({ ...element, note: '' })) });
  expect(hit).toHaveLength(sound.length);
  return [...sound.keys()].filter((number) => changedFields(sound[number], hit[number]).length > 0);
}

describe.each(faults)('%s', (fault) => {
  const one = { quizId: quiz.id };

  it.each([
    ['all of them where it is not told which', '', [0, 1, 2, 3]],
    ['the element of an index', '; index=2', [2]],
    ['every so-manieth element', '; every=2', [1, 3]],
    ['no element where none has the index', '; index=4', []],
  ])('changes the outputs of the chosen elements alone: %s', async (_, choice, expected) => {
    const { sandbox } = await world();
    expect(await changedMembers(sandbox, [one, one, one, one], `${fault}${choice}`)).toEqual(expected);
  });

  it('changes the outputs of the elements that a magic identifier is in', async () => {
    const planted = { ...one, note: `fault.${fault}` };
    expect(await changedMembers((await world()).sandbox, [one, planted, one, planted])).toEqual([1, 3]);
  });

  it('changes the outputs of the elements that fit a rule', async () => {
    const { sandbox } = await world();
    const quizzes = await sandbox.state.list('quizzes');
    const other = quizzes.find(({ id, schoolId }) => id !== quiz.id && schoolId === schools.riverside);
    await sandbox.faults.add({ fault, match: { parameters: { quizId: quiz.id } } });
    expect(await changedMembers(sandbox, [{ quizId: other?.id }, one, { quizId: other?.id }])).toEqual([1]);
  });

  it('leaves errors and refusals untouched', async () => {
    const { batch } = await world();
    const unknown = { quizId: 'f'.repeat(24) };
    const wrong = [unknown, { quizId: 7 }];
    const sound = await batch('get-quiz-details', wrong);
    const hit = await batch('get-quiz-details', wrong).set('Sandbox-Fault', fault);
    expect(outputsOf(sound).map(({ status }) => status)).toEqual(['error', 'error']);
    expect(hit.text).toBe(sound.text);
    const strict = await world({ assumptions: { unknownId: 'http-404' } });
    const refused = await strict.call('get-quiz-details', unknown).set('Sandbox-Fault', fault);
    expect({ status: refused.status, text: refused.text }).toEqual({
      status: 404,
      text: (await strict.call('get-quiz-details', unknown)).text,
    });
  });

  it('leaves the next reply, and what is stored, as they were', async () => {
    const { call, sandbox } = await world(frozen);
    const stored = JSON.stringify(await sandbox.state.list('liveEvents'));
    const sound = (await call('get-all-live-events')).text;
    await call('get-all-live-events').set('Sandbox-Fault', fault);
    expect((await call('get-all-live-events')).text).toBe(sound);
    expect(JSON.stringify(await sandbox.state.list('liveEvents'))).toBe(stored);
  });
});
