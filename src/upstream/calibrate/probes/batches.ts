import type { AssumptionName } from '../../../assumptions.ts';
import { good, predictBatch, unknown, type Element } from '../model/predict.ts';
import { isRefusal, type Reading } from '../model/infer.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { outcomeOf } from '../reply.ts';
import { strangeId, type GoodElement } from '../school.ts';
import { withGood } from './bodies.ts';

export const ofEveryFailure: readonly AssumptionName[] = [
  'batchProcessing',
  'maxBatchSize',
  'operationFailureStatus',
  'operationFailureBody',
  'ruleFailureStatus',
  'refusalBody',
];

/** Successful and failing elements, alone and in batches of two. */
export const batches: readonly Probe[] = [
  {
    name: 'unknown-id',
    what: 'an unknown identifier, alone and in batches of two',
    calls: 4,
    tells: ['unknownId', 'failureMessages', ...ofEveryFailure],
    run: (scene) => withGood(scene, unknownIds),
  },
  {
    name: 'missing-field',
    what: 'elements without parameters, alone and in batches of two',
    calls: 4,
    tells: ['requiredFields', 'invalidParameters', 'batchProcessing'],
    run: (scene) => withGood(scene, missingFields),
  },
  {
    name: 'unknown-field',
    what: 'a parameter that the specification does not list',
    calls: 1,
    tells: ['unknownFields'],
    run: (scene) =>
      withGood(scene, async (_, { operation, parameters }) => {
        const what = 'an unknown parameter';
        const reply = await scene.pace.call({
          operation,
          elements: [{ ...parameters, lpSandboxCalibrate: true }],
        });
        return {
          readings: [
            readingOf('unknownFields', what, reply, (asked) =>
              predictBatch(asked, [(one) => (one('unknownFields') === 'refuse' ? 'violation' : 'ok')]),
            ),
          ],
        };
      }),
  },
  {
    name: 'null-field',
    what: 'the video library with null for every parameter',
    calls: 1,
    tells: ['nullFields', 'requiredFields'],
    run: async (scene) => {
      if (scene.school.library === null) return because(scene.school.unread.library);
      return {
        readings: [
          await pair(scene, 'nullFields', 'parameters that are null', 'get-video-library', [
            [{ filterTerm: null, pageNumber: null, folderPath: null }, nulls],
          ]),
        ],
      };
    },
  },
];

/** An element to send, with its predicted result. */
type Sent = readonly [parameters: unknown, fare: Element];

/** Sends elements and returns the reading. `tokens` are words that a failure message may contain. */
export async function pair(
  scene: Scene,
  about: AssumptionName,
  what: string,
  operation: GoodElement['operation'],
  elements: readonly Sent[],
  tokens: readonly string[] = [],
): Promise<Reading> {
  const reply = await scene.pace.call({ operation, elements: elements.map(([parameters]) => parameters) });
  if (outcomeOf(reply) === '200 ok,error') scene.school.hasFailedInBatch = true;
  // Only the success of each element counts.
  if (tokens.length > 0) noteMessage(scene, `for ${what}`, reply, tokens);
  const fares = elements.map(([, fare]): Element => (asked) => {
    const full = fare(asked);
    return full.startsWith('ok:') ? 'ok' : full;
  });
  return readingOf(about, what, reply, (asked) => predictBatch(asked, fares));
}

/**
 * Sends an element that may fail before a successful one. A refusal of that batch may be the failure of its first element
 * alone, so the elements follow in the other order, unless another batch has shown the output of a failure.
 */
export async function besideGood(
  scene: Scene,
  [what, goodWhat]: readonly [what: string, goodWhat: string],
  operation: GoodElement['operation'],
  [element, fine]: readonly [Sent, Sent],
): Promise<readonly Reading[]> {
  const about = 'batchProcessing';
  const before = await pair(scene, about, `${what} before ${goodWhat}`, operation, [element, fine]);
  if (scene.school.hasFailedInBatch || !isRefusal(before.seen)) return [before];
  return [before, await pair(scene, about, `${what} after ${goodWhat}`, operation, [fine, element])];
}

async function unknownIds(
  scene: Scene,
  { operation, parameters, naming, id }: GoodElement,
): Promise<Finding> {
  const strange = strangeId(id);
  const [fine, bad]: [Sent, Sent] = [
    [parameters, good],
    [naming(strange), unknown],
  ];
  const alone = await scene.pace.call({ operation, elements: [naming(strange)] });
  noteMessage(scene, 'for an unknown identifier', alone, [strange]);
  return {
    readings: [
      await pair(scene, 'maxBatchSize', 'two successful elements', operation, [fine, fine]),
      readingOf('unknownId', 'an unknown identifier', alone, (asked) => predictBatch(asked, [unknown])),
      await pair(scene, 'unknownId', 'an unknown identifier after a known one', operation, [fine, bad]),
      await pair(scene, 'batchProcessing', 'an unknown identifier before a known one', operation, [
        bad,
        fine,
      ]),
    ],
  };
}

/** The video library without parameters. */
const library: Element = (asked) => (asked('requiredFields') === 'all' ? 'violation' : 'ok');

/** The video library with parameters that are null. */
const nulls: Element = (asked) => (asked('nullFields') === 'refuse' ? 'violation' : library(asked));

async function missingFields(scene: Scene, { operation, parameters, field }: GoodElement): Promise<Finding> {
  // If the field is not required, the operation still cannot work without it; quizId is documented as
  // required.
  const identifier: Element = (asked) =>
    asked('requiredFields') === 'stated-only' && field !== 'quizId' ? 'invalid' : 'violation';
  const { library: read } = scene.school;
  return {
    readings: [
      // A refusal shows something only if the operation succeeds with parameters.
      ...(read === null
        ? []
        : [
            await pair(scene, 'requiredFields', 'the video library without parameters', 'get-video-library', [
              [{}, library],
            ]),
          ]),
      await pair(
        scene,
        'requiredFields',
        `${operation} without ${field}`,
        operation,
        [[{}, identifier]],
        [field],
      ),
      await pair(scene, 'requiredFields', `${operation} without ${field}, after a valid element`, operation, [
        [parameters, good],
        [{}, identifier],
      ]),
      await pair(
        scene,
        'batchProcessing',
        `${operation} without ${field}, before a valid element`,
        operation,
        [
          [{}, identifier],
          [parameters, good],
        ],
      ),
    ],
  };
}
