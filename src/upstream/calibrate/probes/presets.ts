import type { Ask } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import { pageFare, predictBatch, shownFare } from '../model/predict.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { listAt, numberAt, resultOf, textAt, whyNoNumber, type Reply } from '../reply.ts';
import { theirs } from '../shown-text.ts';
import { pair } from './batches.ts';
import { countPresets, maxFurtherPages } from './count-presets.ts';
import { noteValue, plainReading } from './listings.ts';

const operation = 'get-instructor-permission-presets';
/** The limit that requests all presets. */
const many = 100;

/** Pages and limits of permission presets. */
export const presets: readonly Probe[] = [
  {
    name: 'preset-pages',
    what: 'pages 1 and 0 of the permission presets, and if the service does not send their number, the pages after them',
    calls: 2 + maxFurtherPages,
    tells: ['permissionShape', 'firstPageNumber', 'pageOutOfRange', 'openValues'],
    run: pages,
  },
  {
    name: 'preset-page-size',
    what: 'permission presets without a limit',
    calls: 1,
    tells: ['presetPageSize', 'requiredFields'],
    run: (scene) =>
      withPresets(scene, async (total) => [
        await sized(scene, 'presetPageSize', 'permission presets without a limit', {}, (asked) =>
          asked('requiredFields') === 'all'
            ? 'violation'
            : `ok:${Math.min(total, Number(asked('presetPageSize')))}`,
        ),
      ]),
  },
  {
    name: 'limit-zero',
    what: 'a limit of 0, alone, before and after a valid one',
    calls: 4,
    tells: [
      'limitBelowOne',
      'presetPageSize',
      'batchProcessing',
      'operationFailureStatus',
      'failureMessages',
    ],
    run: (scene) =>
      withPresets(scene, (total) =>
        withLimit(
          scene,
          'limitBelowOne',
          0,
          total,
          (number) => (asked) =>
            asked('limitBelowOne') === 'element-error'
              ? 'invalid'
              : pageFare(asked, number, total, Number(asked('presetPageSize'))),
        ),
      ),
  },
  {
    name: 'fractional-limit',
    what: 'a limit of 2.5, alone, before and after a valid one',
    calls: 4,
    tells: ['fractionalLimit', 'batchProcessing', 'operationFailureStatus'],
    run: (scene) =>
      withPresets(scene, (total) =>
        withLimit(scene, 'fractionalLimit', 2.5, total, (number) => (asked) => {
          const reading = asked('fractionalLimit');
          return reading === 'refuse'
            ? 'invalid'
            : pageFare(asked, number, total, reading === 'floor' ? 2 : 3);
        }),
      ),
  },
];

/** Reads page 1 and page 0, because the number of the first page is not known. */
async function onFirstPages(read: (number: number) => Promise<Reading>): Promise<readonly Reading[]> {
  return [await read(1), await read(0)];
}

async function withPresets(
  scene: Scene,
  read: (total: number) => Promise<readonly Reading[]>,
): Promise<Finding> {
  const { presets: total } = scene.school;
  if (total === null) return because(scene.school.unread.presets);
  const few = (needed: number) => `the school has ${total} permission presets; it takes ${needed}`;
  const lacking = {
    ...(total > 19 ? {} : { presetPageSize: few(20) }),
    ...(total > 2 ? {} : { fractionalLimit: few(3) }),
    ...(total > 0 ? {} : { limitBelowOne: few(1) }),
  };
  return { readings: await read(total), lacking };
}

type Fare = (ask: Ask) => ReturnType<typeof pageFare>;

function count(result: unknown): number {
  return listAt(result, 'presets').length;
}

async function sized(
  scene: Scene,
  about: Reading['about'],
  what: string,
  parameters: object,
  fare: Fare,
): Promise<Reading> {
  const reply = await scene.pace.call({ operation, elements: [parameters] });
  noteMessage(scene, `for ${what}`, reply, ['limit', 'pageNumber']);
  const reading = readingOf(about, what, reply, (asked) => predictBatch(asked, [fare]), count);
  const result = resultOf(reply);
  return result === null ? reading : { ...reading, words: `${what}: ${count(result)} presets` };
}

async function pages(scene: Scene): Promise<Finding> {
  const { pace, school } = scene;
  const read = (pageNumber: number): Promise<Reply> =>
    pace.call({ operation, elements: [{ pageNumber, limit: many }] });
  const first = await read(1);
  const zero = await read(0);
  const replies = [first, zero];
  const results = replies.map(resultOf);
  const sets = results
    .flatMap((result) => listAt(result, 'presets'))
    .flatMap((preset) => listAt(preset, 'permissionSets'));
  for (const type of sets.map((set) => textAt(set, 'resourceIdType')))
    noteValue(scene, 'preset-pages', type, type === 'All');
  const shape = shapeIn(sets);
  const sent = results.map((result) => numberAt(result, 'totalPresetCount')).find((count) => count !== null);
  const counted = sent === undefined ? await countPresets(scene, many, { first, zero }) : { total: sent };
  if ('why' in counted) {
    // One of the pages may be out of range.
    const told = resultOf(first) === null && resultOf(zero) !== null ? zero : first;
    school.unread.presets = `${whyNoNumber(operation, told, ['totalPresetCount'])}; ${counted.why}`;
    // The presets show more than their number.
    return { ...because(school.unread.presets), readings: shape };
  }
  const { total } = counted;
  school.presets = total;
  const paging = replies.map((reply, index) =>
    pageReading(`page ${1 - index} of the permission presets`, reply, 1 - index, total),
  );
  return {
    readings: [...paging, ...shape],
    ...(shape.length === 0 ? { lacking: { permissionShape: 'no preset has a permission' } } : {}),
  };
}

/** Reads the shape of permissions; nothing if there is none. */
function shapeIn(sets: readonly unknown[]): readonly Reading[] {
  const [permission] = sets.flatMap((set) => listAt(set, 'permissions'));
  if (permission === undefined) return [];
  const shape = shapes.get(typeof permission) ?? typeof permission;
  return [plainReading('permissionShape', shape, `a permission: ${theirs(JSON.stringify(permission))}`)];
}

const shapes: ReadonlyMap<string, string> = new Map([
  ['string', 'strings'],
  ['object', 'objects'],
]);

function some(result: unknown): string {
  return count(result) > 0 ? 'some' : 'none';
}

function pageReading(what: string, reply: Reply, number: number, total: number): Reading {
  const reading = readingOf(
    'firstPageNumber',
    what,
    reply,
    (asked) => predictBatch(asked, [(one) => shownFare(one, number, total, many)]),
    some,
  );
  return { ...reading, words: `${reading.words}, ${listAt(resultOf(reply), 'presets').length} of ${total}` };
}

/**
 * Requests the first pages with a limit that is not the size of a page, and one before and one after a valid element.
 */
async function withLimit(
  scene: Scene,
  assumption: 'limitBelowOne' | 'fractionalLimit',
  limit: number,
  total: number,
  fareOf: (pageNumber: number) => Fare,
): Promise<readonly Reading[]> {
  const what = `a limit of ${limit}`;
  const alone = await onFirstPages((pageNumber) =>
    sized(scene, assumption, `${what}, page ${pageNumber}`, { pageNumber, limit }, fareOf(pageNumber)),
  );
  const [first] = alone;
  // By every option, one of the pages has presets.
  if (first !== undefined && alone.every(({ seen }) => seen === '200 ok:0'))
    return total === 0
      ? []
      : [{ ...first, seen: '200 no presets', words: `${what}, pages 0 and 1: no presets` }];
  return [...alone, ...(await beforeAndAfter(scene, what, [{ pageNumber: 1, limit }, fareOf(1)], total))];
}

/** An element that may fail, before and after a successful one. */
async function beforeAndAfter(
  scene: Scene,
  what: string,
  element: readonly [parameters: object, fare: Fare],
  total: number,
): Promise<readonly Reading[]> {
  const fine = [{ pageNumber: 1, limit: 10 }, (asked: Ask) => pageFare(asked, 1, total, 10)] as const;
  return [
    await pair(scene, 'batchProcessing', `${what} before a valid one`, operation, [element, fine]),
    await pair(scene, 'batchProcessing', `${what} after a valid one`, operation, [fine, element]),
  ];
}
