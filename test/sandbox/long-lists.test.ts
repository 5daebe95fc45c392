import { describe, expect, it } from 'vitest';
import { findFolders } from '../../src/operations/shared/video-folders.ts';
import { VideoSearch } from '../../src/operations/shared/video-search.ts';
import { findMagicIdentifiers } from '../../src/faults/magic-identifier.ts';
import { findExcess } from '../../src/base/json-depth.ts';
import { decodedText } from '../../src/base/utf8.ts';
import { ListTooLongError, Views } from '../../src/sandbox/views.ts';
import { withoutPause, type SlicedWork } from '../../src/base/sliced-work.ts';
import { sorts } from '../../src/answer/list-order.ts';

/** How often work can be interrupted, and what comes of it. */
function pausesOf<T>(work: SlicedWork<T>): { readonly pauses: number; readonly result: T } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done === true) return { pauses, result: step.value };
  }
}

const records = Array.from({ length: 6400 }, (_, number) => ({ id: String(number) }));
const view = ({ id }: { readonly id: string }) => ({ id, text: 'x'.repeat(100) });

/** A view. */
function textOf({ text }: { readonly text: string }) {
  return { text };
}

function titled(title: string) {
  return records.map(({ id }) => ({
    id,
    schoolId: 's',
    folderPath: '/',
    createdAt: '',
    status: 'Ready',
    videoTitle: `${title}${id}`,
  }));
}

describe('work on a list of 6,400 records can be interrupted', () => {
  const views = new Views('http://sandbox.example', 10_000_000);

  it('while the records are shown', () => {
    const { pauses, result } = pausesOf(views.showingAll(records, view));
    expect(result).toHaveLength(6400);
    expect(pauses).toBeGreaterThan(100);
  });

  it('while a result with new members is written', () => {
    const { pauses, result } = pausesOf(views.writing({ list: records, none: undefined, some: [1] }));
    expect(result).toBe(JSON.stringify({ list: records, some: [1] }));
    expect(pauses).toBeGreaterThan(90);
  });

  it('while lists inside of its members are written', { tags: ['slow'] }, () => {
    const { pauses, result } = pausesOf(views.writing({ list: [{ inner: records }, { inner: [] }] }));
    expect(result).toBe(JSON.stringify({ list: [{ inner: records }, { inner: [] }] }));
    expect(pauses).toBeGreaterThan(90);
  });

  it('while they are put in another order', { tags: ['slow'] }, () => {
    const backwards = pausesOf(sorts.reversed(records));
    expect(backwards.result).toEqual(records.toReversed());
    expect(backwards.pauses).toBe(2);
    const { pauses, result } = pausesOf(sorts.shuffled(records));
    expect(pauses).toBeGreaterThan(20);
    expect(result.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual(records);
    const fewer = withoutPause(sorts.shuffled(records.slice(0, 3200)));
    expect(result.filter((record) => fewer.includes(record))).toEqual(fewer);
  });

  it('while folders are found', () => {
    const { pauses, result } = pausesOf(findFolders(records.map(({ id }) => ({ folderPath: `/all/${id}` }))));
    expect(result).toHaveLength(6401);
    expect(pauses).toBe(6);
  });

  it.each([
    ['short', '', 3],
    ['of 400 characters', 'x'.repeat(400), 43],
    ['of 4,000 characters', 'x'.repeat(4000), 400],
  ])('while titles are searched that are %s', (_, title, expected) => {
    const videos = titled(title);
    const search = { term: '6399', matching: 'substring' } as const;
    const { pauses, result } = pausesOf(new VideoSearch(videos).find(search, '', () => true));
    expect(result).toEqual([videos[6399]]);
    expect(pauses).toBe(expected);
  });
});

describe('a long text', () => {
  it('is measured in pieces, before it is parsed', () => {
    const { pauses, result } = pausesOf(
      findExcess(`"${'x'.repeat(5_000_000)}"`, { jsonValues: 10, objectFields: 10 }),
    );
    expect(result).toBeNull();
    expect(pauses).toBe(76);
  });

  it.each([
    ['an escaped quote', '\\"'],
    ['an escaped backslash', '\\\\'],
  ])('is measured right where a piece ends inside %s', { tags: ['slow'] }, (_, escaped) => {
    for (let length = 65_531; length < 65_536; length += 1) {
      const text = `["${'x'.repeat(length)}${escaped}[[[[",1,2]${' '.repeat(600_000)}`;
      expect(pausesOf(findExcess(text, { jsonValues: 4, objectFields: 1 })).result).toBeNull();
      expect(pausesOf(findExcess(text, { jsonValues: 3, objectFields: 1 })).result).toBe('jsonValues');
    }
  });
});

describe('a body of many bytes', () => {
  it.each(['Ж', '€', '🧿', 'a'])(
    'is decoded in pieces, none of which ends inside %j',
    { tags: ['slow'] },
    (letter) => {
      for (const before of ['', 'a', 'aa', 'aaa']) {
        const text = `${before}${letter.repeat(400_000)}`;
        const { pauses, result } = pausesOf(decodedText(Buffer.from(text)));
        expect(result === text).toBe(true);
        expect(pauses).toBeGreaterThan(1);
      }
    },
  );

  it('is decoded at once if it is short', () => {
    expect(pausesOf(decodedText(Buffer.from('Ж')))).toEqual({ pauses: 0, result: 'Ж' });
  });
});

describe('a list that is longer than the largest reply', () => {
  it('is not built to its end', () => {
    const views = new Views('http://sandbox.example', 1000);
    expect(() => pausesOf(views.showingAll(records, view))).toThrow(ListTooLongError);
  });
});

describe('a list of long records', () => {
  const long = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(1_000_000) }));

  it.each(['showingAll', 'showingEach'] as const)('is given up at the size of a reply: %s', (showing) => {
    const views = new Views('http://sandbox.example', 5_000_000);
    let shown = 0;
    const counted = ({ text }: { readonly text: string }) => {
      shown += 1;
      return { text };
    };
    const work = views[showing](long, counted);
    expect(() => pausesOf(work)).toThrow(ListTooLongError);
    expect(shown).toBe(5);
  });

  it('takes memory before it is complete', { tags: ['slow'] }, () => {
    const views = new Views('http://sandbox.example', 50_000_000);
    const taken: number[] = [];
    const [first, ...others] = long.slice(0, 3);
    if (first === undefined) throw new Error('There is no record.');
    const few = [first, ...others];
    const perRecord = '{"text":""}'.length + 1_000_000;
    pausesOf(views.showingEach(few, textOf, (chars) => void taken.push(chars)));
    pausesOf(views.showingAll(few, textOf, (chars) => void taken.push(chars)));
    expect(taken).toEqual([perRecord, perRecord, perRecord]);
    const other = { ...first };
    expect(pausesOf(views.showing(other, textOf, (chars) => void taken.push(chars)))).toEqual({
      pauses: 1,
      result: other,
    });
    expect(taken).toHaveLength(4);
    expect(() =>
      pausesOf(
        views.showingEach([{ ...first }], textOf, () => {
          throw new ListTooLongError();
        }),
      ),
    ).toThrow(ListTooLongError);
  });

  it('can be interrupted after each of them', { tags: ['slow'] }, () => {
    const views = new Views('http://sandbox.example', 5_000_000);
    const few = long.slice(0, 4);
    expect(pausesOf(views.showingEach(few, textOf)).pauses).toBe(4);
    expect(pausesOf(views.writing({ list: few })).pauses).toBe(4);
    expect(pausesOf(views.showingPlain(few)).pauses).toBe(4);
  });
});

/** A list, deep inside of others. */
function deep(list: readonly unknown[]): unknown {
  return Array.from({ length: 900 }).reduce<unknown>((inner) => [inner], list);
}

describe('magic identifiers', () => {
  it('are looked for in a deep list with interruptions, and each is found once', () => {
    const list = Array.from({ length: 60_000 }, (_, number) => `fault.throttled.${number % 3}`);
    const { pauses, result } = pausesOf(findMagicIdentifiers([{ quizId: deep(list) }], 2));
    expect(result).toEqual({ wrong: expect.stringContaining('too many different magic identifiers') });
    expect(pauses).toBeLessThan(5);
    const all = pausesOf(findMagicIdentifiers([{ quizId: deep(list.map(() => 'fault.throttled')) }], 20));
    expect(all.result).toMatchObject([{ fault: { name: 'throttled' }, elements: [0] }]);
    expect(all.pauses).toBeGreaterThan(10);
  });
});
