import { bodyStatuses, malformedStatuses } from '../../../answer/statuses.ts';
import { good, malformed, maxPerWindow, predictBatch } from '../model/predict.ts';
import type { Ask } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import {
  acceptedOperation,
  ask,
  because,
  readingOf,
  type Finding,
  type Probe,
  type Scene,
} from '../probe.ts';
import { outcomeOf, type Reply } from '../reply.ts';
import type { GoodElement } from '../school.ts';
import type { Request, Sight } from '../upstream.ts';

/** The sizes of bodies, each with its description: the maximum of every option, and a little more. */
const bodySizes: readonly (readonly [bytes: number, what: string])[] = [
  [102_400, 'a body of 100 KiB'],
  [110_000, 'a body of 110 kB'],
  [1_048_576, 'a body of 1 MiB'],
  [1_100_000, 'a body of 1.1 MB'],
  [10_485_760, 'a body of 10 MiB'],
  [10_600_000, 'a body of 10.6 MB'],
];

/** The options of maxPayload, in bytes. */
const payloads: ReadonlyMap<string, number> = new Map([
  ['100kb', 102_400],
  ['1mb', 1_048_576],
  ['10mb', 10_485_760],
]);

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
      const operation = acceptedOperation(scene);
      const readings = [];
      for (const [body, what] of broken)
        readings.push(
          await ask(
            scene,
            'malformedBody',
            what,
            { operation, body, sightOf: malformedSight(what) },
            malformed,
          ),
        );
      return { readings };
    },
  },
  {
    name: 'text-body',
    what: 'a valid call with Content-Type: text/plain, which no assumption covers',
    calls: 1,
    tells: [],
    isForDepartures: true,
    run: async (scene) => {
      const { pace, school } = scene;
      const [operation, parameters] =
        school.good === null
          ? ([acceptedOperation(scene), {}] as const)
          : ([school.good.operation, school.good.parameters] as const);
      const body = JSON.stringify({ data: [{ data: parameters }] });
      await pace.call({ operation, body, contentType: 'text/plain' });
      return { readings: [] };
    },
  },
  {
    name: 'empty-batch',
    what: 'an empty data array',
    calls: 1,
    tells: ['emptyBatch', 'malformedBody', 'refusalBody'],
    run: async (scene) => ({
      readings: [
        await ask(
          scene,
          'emptyBatch',
          'an empty data array',
          { operation: acceptedOperation(scene), elements: [] },
          (asked) => predictBatch(asked, []),
        ),
      ],
    }),
  },
  {
    name: 'large-body',
    what: 'a call with 100 KiB of trailing spaces, then (while accepted) with 110 kB, 1 MiB, 1.1 MB, 10 MiB and 10.6 MB',
    calls: bodySizes.length,
    tells: ['maxPayload'],
    run: (scene) => withGood(scene, largeBodies),
  },
  {
    name: 'batch-of-26',
    what: 'a batch of 26 elements, then (if it is refused) one of 25',
    calls: 2,
    tells: ['maxBatchSize'],
    run: (scene) => withGood(scene, (_, element) => overMaximum(scene, element, 25)),
  },
  {
    name: 'batch-of-101',
    what: `a batch of 101 elements, if 26 were accepted, then (if it is refused) one of 100, and one of ${maxPerWindow} if both may have been throttled`,
    calls: 3,
    tells: ['maxBatchSize', 'rateLimitUnit'],
    waits: 183,
    run: (scene) =>
      withGood(scene, async (_, element) =>
        scene.school.takesManyElements ? overMaximum(scene, element, 100) : { readings: [] },
      ),
  },
];

/** Services refuse different malformed bodies in different ways, which no option does. */
export function malformedSight(what: string): NonNullable<Request['sightOf']> {
  return (reply) => ({ what, seen: outcomeOf(reply), expected: malformed });
}

/** Runs a probe that needs a successful element. */
export function withGood(
  scene: Scene,
  run: (scene: Scene, element: GoodElement) => Promise<Finding>,
): Promise<Finding> {
  const { good: element } = scene.school;
  return element === null ? Promise.resolve(because(scene.school.unread.good)) : run(scene, element);
}

/** Predicts the response to a body of a size. */
function sizeOutcome(asking: Ask, bytes: number, refusal: string): string {
  return bytes <= (payloads.get(asking('maxPayload')) ?? 0) ? '200 ok' : refusal;
}

function tooLarge(asking: Ask): string {
  return malformedStatuses[asking('malformedBody')] === 'inside-body' ? '200 error' : status413;
}

const status413 = String(bodyStatuses['too-large']);

/** A 413 is about the size also where other malformed bodies have HTTP 200: often a gateway sends it, with a body of its own. */
function sizeReading(what: string, reply: Reply, bytes: number): Reading {
  if (reply.status !== bodyStatuses['too-large'])
    return readingOf('maxPayload', what, reply, (asking) => sizeOutcome(asking, bytes, tooLarge(asking)));
  const reading = readingOf('maxPayload', what, reply, (asking) => sizeOutcome(asking, bytes, status413));
  return { ...reading, seen: status413 };
}

/** Such a 413 departs from the sandbox. */
function sizeSight(reply: Reply): Sight {
  const what = 'the refusal of a body that is too large';
  return reply.status === bodyStatuses['too-large']
    ? { what, seen: status413, expected: tooLarge }
    : { what, seen: 'none', expected: () => 'none' };
}

/** Sends ever larger bodies until one is refused: only then is the maximum between two sizes. */
async function largeBodies({ pace }: Scene, { operation: asked, parameters }: GoodElement): Promise<Finding> {
  const body = JSON.stringify({ data: [{ data: parameters }] });
  const readings: Reading[] = [];
  for (const [bytes, what] of bodySizes) {
    const request = { operation: asked, body: body.padEnd(bytes), sightOf: sizeSight };
    const reading = sizeReading(what, await pace.call(request), bytes);
    readings.push(reading);
    if (reading.seen !== '200 ok') break;
  }
  return { readings };
}

/** Sends a batch over a maximum. If it is refused, the maximum may be any number below. */
async function overMaximum(scene: Scene, element: GoodElement, maximum: number): Promise<Finding> {
  const over = await largeBatch(scene, element, maximum + 1);
  scene.school.takesManyElements = isTaken(over);
  if (isTaken(over)) return { readings: [over] };
  const most = await largeBatch(scene, element, maximum);
  const isStatusTold = !most.seen.startsWith('200');
  if (isTaken(most) || isStatusTold || maximum <= maxPerWindow) return { readings: [over, most] };
  // An error in an output may come from the limit, if elements count.
  const fitting = await largeBatch(scene, element, maxPerWindow);
  if (!isTaken(fitting)) return { readings: [fitting] };
  const why = `batches of ${maximum + 1} and ${maximum} have an error, and one of ${maxPerWindow} has none, so the service may have throttled them, or its maximum is another number`;
  return { readings: [fitting], lacking: { maxBatchSize: why } };
}

/** Whether a service accepts a batch, of which it may process only a part. A refusal can have the status 200. */
export function isTaken({ seen }: Reading): boolean {
  return seen.startsWith('200 ok');
}

function largeBatch(
  scene: Scene,
  { operation: asked, parameters }: GoodElement,
  count: number,
): Promise<Reading> {
  const elements = Array.from({ length: count }, () => parameters);
  const expected = (asking: Ask) =>
    predictBatch(
      asking,
      elements.map(() => good),
    );
  return ask(scene, 'maxBatchSize', `a batch of ${count}`, { operation: asked, elements }, expected);
}
