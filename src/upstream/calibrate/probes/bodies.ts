import { bodyStatuses, malformedStatuses } from '../../../answer/statuses.ts';
import { good, malformed, predictBatch } from '../model/predict.ts';
import type { Ask } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import { ask, because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import type { Reply } from '../reply.ts';
import type { GoodElement } from '../school.ts';

const operation = 'get-instructor-permission-presets';

const broken: readonly (readonly [body: string, what: string])[] = [
  ['{"data":', 'a body that is not JSON'],
  ['{}', 'a body without a data array'],
  ['{"data":[{}]}', 'an element without a data object'],
];

/** Bodies that are not the envelope, empty batches, and large bodies. */
export const bodies: readonly Probe[] = [
  {
    name: 'malformed-body',
    what: 'bodies that are not the envelope: not JSON, no data array, no data object',
    calls: broken.length,
    tells: ['malformedBody', 'refusalBody'],
    run: async (scene) => {
      const readings = [];
      for (const [body, what] of broken)
        readings.push(
          await ask(scene, 'malformedBody', what, { operation, body }, (asked) => malformed(asked)),
        );
      return { readings };
    },
  },
  {
    name: 'empty-batch',
    what: 'an empty data array',
    calls: 1,
    tells: ['emptyBatch', 'malformedBody', 'refusalBody'],
    run: async (scene) => ({
      readings: [
        await ask(scene, 'emptyBatch', 'an empty data array', { operation, elements: [] }, (asked) =>
          predictBatch(asked, []),
        ),
      ],
    }),
  },
  {
    name: 'large-body',
    what: 'a call with 110 kB of trailing spaces, then (if accepted) with 1.1 MB',
    calls: 2,
    tells: ['maxPayload'],
    run: (scene) => withGood(scene, largeBodies),
  },
  {
    name: 'batch-of-26',
    what: 'a batch of 26 elements',
    calls: 1,
    tells: ['maxBatchSize'],
    run: (scene) => withGood(scene, (_, element) => largeBatch(scene, element, 26)),
  },
  {
    name: 'batch-of-101',
    what: 'a batch of 101 elements, if 26 were accepted',
    calls: 1,
    tells: ['maxBatchSize', 'rateLimitUnit'],
    waits: 61,
    run: (scene) =>
      withGood(scene, async (_, element) =>
        scene.school.takesManyElements ? largeBatch(scene, element, 101) : { readings: [] },
      ),
  },
];

/** Runs a probe that needs a successful element. */
export function withGood(
  scene: Scene,
  run: (scene: Scene, element: GoodElement) => Promise<Finding>,
): Promise<Finding> {
  const { good: element } = scene.school;
  return element === null ? Promise.resolve(because(noGood)) : run(scene, element);
}

const noGood =
  'found no identifier that a reading operation accepts: add productId, liveEventSessionId, courseItemId or quizId to --known';

/** Predicts the response to a large body. `isTooLarge` decides for an option of maxPayload. */
function sizeOutcome(asking: Ask, isTooLarge: (most: string) => boolean): string {
  if (!isTooLarge(asking('maxPayload'))) return '200 ok';
  return malformedStatuses[asking('malformedBody')] === 'inside-body'
    ? '200 error'
    : String(bodyStatuses['too-large']);
}

function sizeReading(what: string, reply: Reply, isTooLarge: (most: string) => boolean): Reading {
  const reading = readingOf('maxPayload', what, reply, (asking) => sizeOutcome(asking, isTooLarge));
  // Often a gateway rejects large bodies, with a body of its own.
  return reply.status === 413 ? { ...reading, seen: '413' } : reading;
}

async function largeBodies({ pace }: Scene, { operation: asked, parameters }: GoodElement): Promise<Finding> {
  const send = (bytes: number): Promise<Reply> =>
    pace.call({ operation: asked, body: JSON.stringify({ data: [{ data: parameters }] }).padEnd(bytes) });
  const smaller = await send(110_000);
  const first = sizeReading('a body of 110 kB', smaller, (most) => most === '100kb');
  if (first.seen !== '200 ok') return { readings: [first] };
  return {
    readings: [first, sizeReading('a body of 1.1 MB', await send(1_100_000), (most) => most !== '10mb')],
  };
}

async function largeBatch(
  scene: Scene,
  { operation: asked, parameters }: GoodElement,
  count: number,
): Promise<Finding> {
  const elements = Array.from({ length: count }, () => parameters);
  const expected = (asking: Ask) =>
    predictBatch(
      asking,
      elements.map(() => good),
    );
  const reading = await ask(
    scene,
    'maxBatchSize',
    `a batch of ${count}`,
    { operation: asked, elements },
    expected,
  );
  scene.school.takesManyElements = reading.seen.startsWith('200 ok');
  return { readings: [reading] };
}
