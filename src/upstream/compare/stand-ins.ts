import type { Known } from '../calibrate/known.ts';
import { listAt, numberAt, resultOf, textAt } from '../calibrate/reply.ts';
import type { Request } from '../calibrate/upstream.ts';
import type { Replied } from './aspects.ts';

/** The identifiers and records of one side. Both sides get the same call, each with its own. */
export interface StandIns extends Known {
  readonly question?: Question;
  /** A session that has not ended, if possible one that has not started. */
  readonly comingSessionId?: string;
  readonly folder?: string;
  /** The number of the first page, which exists on any side. */
  readonly firstPage?: number;
}

interface Question {
  readonly id: string;
  readonly options: readonly string[];
}

/** Makes one call to one side. */
type Call = (request: Request) => Promise<Replied>;

/** The maximum number of sessions that are asked for a recording. */
const maxAsked = 3;

/** Adds what the operations of a side list. `now` is its time, in milliseconds since 1970. */
export async function discover(call: Call, known: Known, now: () => number): Promise<StandIns> {
  const firstPage = await firstPageOf(call);
  const [question, folder, sessions] = [
    await firstQuestion(call, known),
    await firstFolder(call, firstPage),
    await listSessions(call),
  ];
  const ended = sessions.filter(({ endsAt }) => endsAt < now());
  // A service may have a part of the recording of a running session.
  const coming =
    sessions.find(({ startsAt }) => startsAt > now()) ?? sessions.find(({ endsAt }) => endsAt > now());
  const recorded = known.liveEventSessionId ?? (await firstRecorded(call, ended));
  const productId = known.productId ?? sessions[0]?.productId ?? null;
  return {
    ...known,
    firstPage,
    ...(question === null ? {} : { question }),
    ...(folder === null ? {} : { folder }),
    ...(recorded === null ? {} : { liveEventSessionId: recorded }),
    ...(coming === undefined ? {} : { comingSessionId: coming.id }),
    ...(productId === null ? {} : { productId }),
  };
}

/** Returns the result of a call with one element, or null if it failed. */
async function resultFor(call: Call, operation: Request['operation'], parameters: object): Promise<unknown> {
  const reply = await call({ operation, elements: [parameters] });
  return 'failure' in reply ? null : resultOf(reply);
}

async function firstQuestion(call: Call, { quizId }: Known): Promise<Question | null> {
  if (quizId === undefined) return null;
  const [first] = listAt(await resultFor(call, 'get-quiz-details', { quizId }), 'questions');
  const id = textAt(first, 'questionId');
  const options = listAt(first, 'options').flatMap((one) => textAt(one, 'optionId') ?? []);
  return id === null || options.length === 0 ? null : { id, options };
}

/** Only where pages count from 0 is there anything on page 0. */
async function firstPageOf(call: Call): Promise<number> {
  const result = await resultFor(call, 'get-instructor-permission-presets', { pageNumber: 0, limit: 2 });
  return listAt(result, 'presets').length > 0 ? 0 : 1;
}

async function firstFolder(call: Call, pageNumber: number): Promise<string | null> {
  const parameters = { filterTerm: '', pageNumber, folderPath: '' };
  const [folder] = listAt(await resultFor(call, 'get-video-library', parameters), 'absoluteFolderPaths');
  return typeof folder === 'string' && folder !== '' ? folder : null;
}

interface Session {
  readonly id: string;
  readonly productId: string | null;
  readonly startsAt: number;
  readonly endsAt: number;
}

async function listSessions(call: Call): Promise<readonly Session[]> {
  const events = listAt(await resultFor(call, 'get-all-live-events', {}), 'liveEvents');
  return events.flatMap((event) =>
    listAt(event, 'sessions').flatMap((session): readonly Session[] => {
      const id = textAt(session, 'liveEventSessionId');
      const startsAt = Date.parse(textAt(session, 'scheduledStartAtIso') ?? '');
      const planned = startsAt + 1000 * (numberAt(session, 'scheduledDurationInSecs') ?? 0);
      const productId = textAt(event, 'serviceDigitalProductId');
      return id === null ? [] : [{ id, productId, startsAt, endsAt: planned }];
    }),
  );
}

async function firstRecorded(call: Call, sessions: readonly Session[]): Promise<string | null> {
  for (const { id } of sessions.slice(0, maxAsked)) {
    const operation = 'get-signed-url-data-for-live-event-session-playback';
    const result = await resultFor(call, operation, { liveEventSessionId: id });
    if (listAt(result, 'playbackSources').length > 0) return id;
  }
  return null;
}
