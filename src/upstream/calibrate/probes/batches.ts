import type { AssumptionName } from '../../../assumptions.ts';
import { good, predictBatch, unknown, violating, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { strangeId, type GoodElement } from '../school.ts';
import { withGood } from './bodies.ts';

const ofEveryFailure: readonly AssumptionName[] = ['batchProcessing', 'maxBatchSize', 'operationFailureStatus', 'refusalBody'];

/** Elements that go well and elements that fail, alone and in batches of two. */
export const batches: readonly Probe[] = [
  {
    name: 'unknown-id',
    what: 'an identifier that names nothing, alone and in batches of two',
    calls: 4,
    tells: ['unknownId', 'failureMessages', ...ofEveryFailure],
    run: (scene) => withGood(scene, unknownIds),
  },
  {
    name: 'wrong-type',
    what: 'a number in the place of an identifier, alone and in batches of two',
    calls: 3,
    tells: ['invalidParameters', 'failureMessages', ...ofEveryFailure],
    run: (scene) => withGood(scene, wrongTypes),
  },
  {
    name: 'missing-field',
    what: 'calls without any parameters, alone and in batches of two',
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
        const reply = await scene.pace.call({ operation, elements: [{ ...parameters, lpSandboxCalibrate: true }] });
        return {
          readings: [
            readingOf('unknownFields', what, reply, (asked) =>
              predictBatch(asked, [(one) => (one('unknownFields') === 'refuse' ? 'violation' : 'ok')]),
            ),
          ],
        };
      }),
  },
];

/** One element as it is sent, beside how it fares. */
type Sent = readonly [parameters: unknown, fare: Element];

/** Sends elements, and reads what comes back. `tokens` are what a failure's message may name. */
export async function pair(
  scene: Scene,
  about: AssumptionName,
  what: string,
  operation: GoodElement['operation'],
  elements: readonly Sent[],
  tokens: readonly string[] = [],
): Promise<Reading> {
  const reply = await scene.pace.call({ operation, elements: elements.map(([parameters]) => parameters) });
  // Only whether each goes well is looked at.
  if (tokens.length > 0) noteMessage(scene, `for ${what}`, reply, tokens);
  const fares = elements.map(([, fare]): Element => (asked) => {
    const full = fare(asked);
    return full.startsWith('ok:') ? 'ok' : full;
  });
  return readingOf(about, what, reply, (asked) => predictBatch(asked, fares));
}

async function unknownIds(scene: Scene, { operation, parameters, naming, id }: GoodElement): Promise<Finding> {
  const strange = strangeId(id);
  const [fine, bad]: [Sent, Sent] = [
    [parameters, good],
    [naming(strange), unknown],
  ];
  const alone = await scene.pace.call({ operation, elements: [naming(strange)] });
  noteMessage(scene, 'for an unknown identifier', alone, [strange]);
  return {
    readings: [
      await pair(scene, 'maxBatchSize', 'two elements that go well', operation, [fine, fine]),
      readingOf('unknownId', 'an unknown identifier', alone, (asked) => predictBatch(asked, [unknown])),
      await pair(scene, 'unknownId', 'an unknown identifier behind a known one', operation, [fine, bad]),
      await pair(scene, 'batchProcessing', 'an unknown identifier before a known one', operation, [bad, fine]),
    ],
  };
}

async function wrongTypes(scene: Scene, { operation, parameters, naming, field }: GoodElement): Promise<Finding> {
  const [fine, bad]: [Sent, Sent] = [
    [parameters, good],
    [naming(42), violating],
  ];
  const alone = await scene.pace.call({ operation, elements: [naming(42)] });
  noteMessage(scene, 'for a number in the place of an identifier', alone, [field]);
  return {
    readings: [
      readingOf('invalidParameters', `a number as ${field}`, alone, (asked) => predictBatch(asked, [violating])),
      await pair(scene, 'invalidParameters', `a number as ${field}, behind a good element`, operation, [fine, bad]),
      await pair(scene, 'batchProcessing', `a number as ${field}, before a good element`, operation, [bad, fine]),
    ],
  };
}

/** The video library, asked for without any parameters. */
const library: Element = (asked) => (asked('requiredFields') === 'all' ? 'violation' : 'ok');

async function missingFields(scene: Scene, { operation, parameters, field }: GoodElement): Promise<Finding> {
  // Where it is not required, the operation itself cannot do without it; quizId is stated as required.
  const identifier: Element = (asked) => (asked('requiredFields') === 'stated-only' && field !== 'quizId' ? 'invalid' : 'violation');
  return {
    readings: [
      await pair(scene, 'requiredFields', 'the video library without any parameters', 'get-video-library', [[{}, library]]),
      await pair(scene, 'requiredFields', `${operation} without ${field}`, operation, [[{}, identifier]], [field]),
      await pair(scene, 'requiredFields', `${operation} without ${field}, behind a good element`, operation, [
        [parameters, good],
        [{}, identifier],
      ]),
      await pair(scene, 'batchProcessing', `${operation} without ${field}, before a good element`, operation, [
        [{}, identifier],
        [parameters, good],
      ]),
    ],
  };
}
