import type { OperationName } from '../../../contract/operation-types.ts';
import { good, predictBatch, type Element } from '../model/predict.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { resultOf } from '../reply.ts';
import { goodElement } from '../school.ts';
import { besideGood } from './batches.ts';

const mp4 = 'get-live-event-session-processed-mp4';

/** Maximum number of products to try. */
const maxTries = 3;

/** The operations that read a record by its identifier, apart from that of the assignments. */
const otherReads = 4;

/**
 * Finds an existing identifier for later probes, first in the assignments of a course. Calls each operation that reads
 * by an identifier, because only a success shows what it sends beyond the contract.
 */
export const courses: readonly Probe[] = [
  {
    name: 'an-identifier',
    what: 'an existing identifier: of a product, a session, a course item and a quiz',
    calls: maxTries + otherReads,
    tells: [],
    run: findGood,
  },
  {
    name: 'course-identifier-type',
    what: 'a courseIdentifier with a type other than product-id, alone, before and after a valid element',
    calls: 3,
    tells: ['courseIdentifierTypes', 'batchProcessing', 'operationFailureStatus'],
    run: otherTypes,
  },
];

async function findGood({ pace, school, known }: Scene): Promise<Finding> {
  const products = [
    ...new Set([...(known.productId === undefined ? [] : [known.productId]), ...school.productIds]),
  ];
  const candidates = [
    ...products.slice(0, maxTries).map((id) => goodElement('list-assignments', 'digitalProductId', id)),
    ...(school.recorded === null
      ? []
      : [
          goodElement(
            'get-signed-url-data-for-live-event-session-playback',
            'liveEventSessionId',
            school.recorded.id,
          ),
          goodElement(mp4, 'liveEventSessionId', school.recorded.id),
        ]),
    ...(known.courseItemId === undefined
      ? []
      : [goodElement('get-course-item-data', 'courseItemId', known.courseItemId)]),
    ...(known.quizId === undefined ? [] : [goodElement('get-quiz-details', 'quizId', known.quizId)]),
  ];
  const shown = new Set<OperationName>();
  for (const candidate of candidates) {
    const { operation, parameters } = candidate;
    if (shown.has(operation)) continue;
    if (resultOf(await pace.call({ operation, elements: [parameters] })) === null) continue;
    shown.add(operation);
    // The mp4 has a limit of its own.
    if (operation !== mp4) school.good ??= candidate;
  }
  if (school.good !== null) return { readings: [] };
  school.unread.good =
    'found no identifier that a reading operation accepts: add productId, liveEventSessionId, courseItemId or quizId to --known';
  return because(school.unread.good);
}

const otherTypeFare: Element = (asked) =>
  asked('courseIdentifierTypes') === 'product-id-only' ? 'invalid' : 'ok';

async function otherTypes(scene: Scene): Promise<Finding> {
  const { good: element } = scene.school;
  if (element?.operation !== 'list-assignments')
    return because('found no product whose assignments can be listed: add productId to --known');
  const { operation, id, parameters } = element;
  const other = { courseIdentifier: { type: 'lp-sandbox-calibrate', digitalProductId: id } };
  const reply = await scene.pace.call({ operation, elements: [other] });
  noteMessage(scene, 'for a courseIdentifier of an unknown type', reply, [
    'courseIdentifier',
    'lp-sandbox-calibrate',
  ]);
  return {
    readings: [
      readingOf('courseIdentifierTypes', 'a courseIdentifier of an unknown type', reply, (asked) =>
        predictBatch(asked, [otherTypeFare]),
      ),
      ...(await besideGood(scene, ['a courseIdentifier of an unknown type', 'a valid one'], operation, [
        [other, otherTypeFare],
        [parameters, good],
      ])),
    ],
  };
}
