import type { OperationName } from '../../../contract/operation-types.ts';
import { predictBatch, shownFare, unknown } from '../model/predict.ts';
import { acceptedOperation, type Finding, type Probe, type Scene } from '../probe.ts';
import { listAt, outcomeOf } from '../reply.ts';
import { goodElement, strangeId } from '../school.ts';
import { malformedSight } from './bodies.ts';

/** Bodies beside those that show an option. */
const malformedBodies: readonly (readonly [body: string, what: string])[] = [
  ['', 'an empty body'],
  ['{"data":{}}', 'data that is not a list'],
];

/** Stands for an identifier that the school does not show. */
const placeholder = '66a1f0c2d4e5b69788100000';

/** The operations that read a record by its identifier. */
const reads: readonly (readonly [OperationName, string])[] = [
  ['get-quiz-details', 'quizId'],
  ['get-course-item-data', 'courseItemId'],
  ['get-signed-url-data-for-live-event-session-playback', 'liveEventSessionId'],
  ['get-live-event-session-processed-mp4', 'liveEventSessionId'],
  ['list-assignments', 'digitalProductId'],
];

/** Before the first page by any option, and after the last one. */
const farPages = [-1, 9999] as const;
const limit = 2;

/** Mistakes that services treat in more ways than options have, so that `compare` finds nothing that was not told. */
export const usualMistakes: readonly Probe[] = [
  {
    name: 'usual-mistakes',
    what: 'an empty body, data that is not a list, an unknown identifier in each operation that reads, and pages -1 and 9999 of the permission presets, in which no assumption may cover what the service does',
    calls: malformedBodies.length + reads.length + farPages.length,
    tells: [],
    isForDepartures: true,
    run: makeMistakes,
  },
];

async function makeMistakes(scene: Scene): Promise<Finding> {
  const { pace, school } = scene;
  // Other probes call the permission presets about as often as a limit allows within a minute.
  const operation = school.good?.operation ?? acceptedOperation(scene);
  for (const [body, what] of malformedBodies)
    await pace.call({ operation, body, sightOf: malformedSight(what) });
  for (const [read, field] of reads)
    // The probe of unknown identifiers has already asked for one.
    if (read !== school.good?.operation) await askUnknown(scene, read, field);
  if (school.presets !== null) for (const page of farPages) await askPage(scene, page, school.presets);
  return { readings: [] };
}

async function askUnknown(scene: Scene, operation: OperationName, field: string): Promise<void> {
  const id = strangeId(idFor(scene, field));
  await scene.pace.call({
    operation,
    elements: [goodElement(operation, field, id).parameters],
    sightOf: (reply) => ({
      what: `an unknown ${field} of ${operation}`,
      seen: outcomeOf(reply),
      expected: (asked) => predictBatch(asked, [unknown]),
    }),
  });
}

function idFor({ known, school }: Scene, field: string): string {
  const ids: Readonly<Record<string, string | undefined>> = {
    quizId: known.quizId,
    courseItemId: known.courseItemId,
    liveEventSessionId: known.liveEventSessionId ?? school.sessions[0]?.id,
    digitalProductId: school.productIds[0],
  };
  return ids[field] ?? placeholder;
}

function some(result: unknown): string {
  return listAt(result, 'presets').length > 0 ? 'some' : 'none';
}

async function askPage({ pace }: Scene, pageNumber: number, total: number): Promise<void> {
  await pace.call({
    operation: 'get-instructor-permission-presets',
    elements: [{ pageNumber, limit }],
    sightOf: (reply) => ({
      what: `page ${pageNumber} of the permission presets`,
      seen: outcomeOf(reply, some),
      expected: (asked) => predictBatch(asked, [(one) => shownFare(one, pageNumber, total, limit)]),
    }),
  });
}
