import type { Reading } from '../model/infer.ts';
import { good, predictBatch, type Element } from '../model/predict.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, outcomeOf, resultOf, textAt, type Reply } from '../reply.ts';
import { isOver, liesAhead } from '../school.ts';
import { theirs } from '../shown-text.ts';
import { Unreachable, type Sight } from '../upstream.ts';
import { besideGood } from './batches.ts';
import { plainReading } from './listings.ts';

const operation = 'get-signed-url-data-for-live-event-session-playback';
/** Maximum number of past sessions to try. */
const maxTries = 3;

/** Recordings of live event sessions: signed URLs, playlists, and sessions without a recording. */
export const recordings: readonly Probe[] = [
  {
    name: 'recording',
    what: 'the signed URL of a session that has ended, and its master playlist',
    calls: maxTries + 1,
    tells: ['signedUrlLifetime', 'signatureQueryForm', 'playlistPathForm', 'playlistUrls'],
    run: recording,
  },
  {
    name: 'unfinished-session',
    what: 'the recording of a future session, alone, before and after a recorded one, and its mp4',
    calls: 4,
    tells: ['unfinishedSession', 'batchProcessing', 'operationFailureStatus'],
    run: unfinished,
  },
];

async function recording({ pace, school, known }: Scene): Promise<Finding> {
  const now = pace.clock.earliest();
  const ended = school.sessions
    .filter((session) => isOver(session, now))
    .toSorted((one, other) => other.startsAt - one.startsAt)
    .map(({ id }) => id);
  const tried = [
    ...(known.liveEventSessionId === undefined ? [] : [known.liveEventSessionId]),
    ...ended,
  ].slice(0, maxTries);
  for (const id of tried) {
    const [source] = listAt(
      resultOf(await pace.call({ operation, elements: [{ liveEventSessionId: id }] })),
      'playbackSources',
    );
    if (source === undefined) continue;
    school.recorded = { id };
    return playback({ pace }, source);
  }
  return because('found no recorded session: add liveEventSessionId to --known');
}

async function playback({ pace }: Pick<Scene, 'pace'>, source: unknown): Promise<Finding> {
  const query = textAt(source, 'urlSearchParamString') ?? '';
  const [origin, path] = [textAt(source, 'origin') ?? '', textAt(source, 'masterM3u8Pathname') ?? ''];
  const lifetime = lifetimeOf(new URLSearchParams(query), pace.clock);
  const readings = [
    ...formReadings(query, path),
    ...(typeof lifetime === 'string'
      ? []
      : [
          plainReading(
            'signedUrlLifetime',
            lifetime.option,
            `a signed URL is valid for ${theirs(lifetime.seconds)} s`,
          ),
        ]),
  ];
  const unread = typeof lifetime === 'string' ? { signedUrlLifetime: lifetime } : {};
  const slash = path.startsWith('/') || origin.endsWith('/') ? '' : '/';
  const url = `${origin}${slash}${path}${query === '' || query.startsWith('?') ? query : `?${query}`}`;
  const reply = await playlistAt(url, pace);
  if (typeof reply === 'string') return { readings, lacking: { ...unread, playlistUrls: reply } };
  const names = reply.text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const urls = names.every((name) => name.includes('?')) ? 'signed' : 'bare';
  return {
    readings: [
      ...readings,
      plainReading(
        'playlistUrls',
        urls,
        `names in the master playlist ${urls === 'signed' ? 'have' : 'lack'} a query`,
      ),
    ],
    lacking: unread,
  };
}

/** Returns the playlist, or why it could not be read: it may be on a different host from the service. */
async function playlistAt(url: string, pace: Scene['pace']): Promise<Reply | string> {
  if (!URL.canParse(url)) return 'the master playlist has an invalid URL';
  try {
    const reply = await pace.read(url);
    if (reply.status === 200 && reply.text.startsWith('#EXTM3U')) return reply;
    return `the master playlist returned ${describeReply(reply)}`;
  } catch (error) {
    if (error instanceof Unreachable) return `the master playlist could not be read: ${error.message}`;
    throw error;
  }
}

/** Reads how the query and the path of a source begin. */
function formReadings(query: string, path: string): readonly Reading[] {
  const queryForm = query.startsWith('?') ? 'question-mark' : 'bare';
  const pathForm = path.startsWith('/') ? 'slash' : 'bare';
  return [
    ...(query === ''
      ? []
      : [
          plainReading(
            'signatureQueryForm',
            queryForm,
            `urlSearchParamString ${queryForm === 'bare' ? 'lacks' : 'has'} a question mark`,
          ),
        ]),
    ...(path === ''
      ? []
      : [
          plainReading(
            'playlistPathForm',
            pathForm,
            `masterM3u8Pathname ${pathForm === 'bare' ? 'lacks' : 'has'} a slash at its start`,
          ),
        ]),
  ];
}

/** The options of signedUrlLifetime, in seconds. */
const lifetimes = { '1h': 3600, '5m': 300, '15s': 15 } as const;

interface Lifetime {
  readonly option: string;
  /** The number of seconds, or the numbers that it lies between. */
  readonly seconds: string;
}

/**
 * Returns the lifetime of a signed query from its parameters: a time on the service's clock, or a number of seconds.
 * Returns the reason if it is not known.
 */
function lifetimeOf(query: URLSearchParams, clock: Scene['pace']['clock']): Lifetime | string {
  const byName = new Map([...query].map(([name, value]) => [name.toLowerCase(), Number(value)]));
  const stated = byName.get('x-amz-expires') ?? byName.get('x-goog-expires');
  const number = stated ?? momentOf(byName, clock.latest() / 1000);
  if (number === undefined || !Number.isFinite(number)) return 'the signed query has no readable expiry';
  const seconds = Math.round(number);
  const option = lifetimeOption(seconds);
  if (stated !== undefined || clock.doubt === null) return { option, seconds: String(seconds) };
  if (!clock.isKnown) return clock.doubt;
  // The clocks of the service may differ by less than what an option tolerates.
  const longest = seconds + Math.ceil((clock.latest() - clock.earliest()) / 1000);
  return lifetimeOption(longest) === option ? { option, seconds: `${seconds} to ${longest}` } : clock.doubt;
}

function lifetimeOption(seconds: number): string {
  const option = Object.entries(lifetimes).find(
    ([, known]) => Math.abs(known - seconds) <= Math.max(3, known / 20),
  );
  return option?.[0] ?? `${seconds} s`;
}

function momentOf(byName: ReadonlyMap<string, number>, now: number): number | undefined {
  const moment = byName.get('expires') ?? byName.get('exp') ?? byName.get('expiry') ?? byName.get('se');
  // Milliseconds have three more digits.
  return moment === undefined ? undefined : (moment > 1e12 ? moment / 1000 : moment) - now;
}

function shownSources(result: unknown): string {
  return listAt(result, 'playbackSources').length > 0 ? 'sources' : 'no sources';
}

function unfinishedFare(onSuccess: ReturnType<Element>): Element {
  return (asked) => (asked('unfinishedSession') === 'element-error' ? 'conflict' : onSuccess);
}

/** A service may treat the two forms of a recording differently, which no option does. */
function mp4Sight(reply: Reply): Sight {
  return {
    what: 'the mp4 of a future session',
    seen: outcomeOf(reply, (result) => ((textAt(result, 'downloadUrl') ?? '') === '' ? 'no URL' : 'a URL')),
    expected: (asked) => predictBatch(asked, [unfinishedFare('ok:no URL')]),
  };
}

async function unfinished(scene: Scene): Promise<Finding> {
  const { pace, school } = scene;
  const ahead = school.sessions.find((session) => liesAhead(session, pace.clock.latest()));
  if (ahead === undefined) return because(school.noneAhead);
  const parameters = { liveEventSessionId: ahead.id };
  const reply = await pace.call({ operation, elements: [parameters] });
  noteMessage(scene, 'for a future session', reply, [ahead.id, 'session']);
  const alone = readingOf(
    'unfinishedSession',
    'a future session',
    reply,
    (asked) => predictBatch(asked, [unfinishedFare('ok:no sources')]),
    shownSources,
  );
  await pace.call({
    operation: 'get-live-event-session-processed-mp4',
    elements: [parameters],
    sightOf: mp4Sight,
  });
  if (school.recorded === null)
    return resultOf(reply) === null
      ? because(
          'found no recorded session, so the refusal may have another reason: add liveEventSessionId to --known',
        )
      : { readings: [alone] };
  const beside = await besideGood(scene, ['a future session', 'a recorded one'], operation, [
    [parameters, unfinishedFare('ok')],
    [{ liveEventSessionId: school.recorded.id }, good],
  ]);
  return { readings: [alone, ...beside] };
}
