import { good, predictBatch, type Element } from '../model/predict.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { resultOf, type Reply } from '../reply.ts';
import { goodElement } from '../school.ts';
import { besideGood } from './batches.ts';

/** Maximum number of products to try. */
const maxTries = 3;

/** Finds an existing identifier for later probes, in the assignments of a course. */
export const courses: readonly Probe[] = [
  {
    name: 'an-identifier',
    what: 'an existing identifier: of a product, a session, a course item or a quiz',
    calls: 2 * maxTries,
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
        ]),
    ...(known.courseItemId === undefined
      ? []
      : [goodElement('get-course-item-data', 'courseItemId', known.courseItemId)]),
    ...(known.quizId === undefined ? [] : [goodElement('get-quiz-details', 'quizId', known.quizId)]),
  ];
  for (const candidate of candidates) {
    const reply: Reply = await pace.call({
      operation: candidate.operation,
      elements: [candidate.parameters],
    });
    if (resultOf(reply) === null) continue;
    school.good = candidate;
    return { readings: [] };
  }
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
