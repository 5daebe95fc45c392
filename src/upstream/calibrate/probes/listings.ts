import type { AssumptionName } from '../../../assumptions.ts';
import { limitHeadersForm, otherLimitHeaders } from '../../../contract/limit-headers.ts';
import type { Reading } from '../model/infer.ts';
import { because, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, numberAt, resultOf, textAt, type Reply } from '../reply.ts';
import { liesAhead, type Session } from '../school.ts';
import { theirs } from '../shown-text.ts';
import { timestampForm } from '../text-form.ts';
import { emptyReadings } from './fields.ts';
import { momentOf, sessionOf, whyNoneAhead } from './sessions.ts';

/** The lists of the two operations without parameters; later probes use them. */
export const listings: readonly Probe[] = [
  {
    name: 'live-events',
    what: 'the live events of the school, with their sessions',
    calls: 1,
    tells: ['unendedSessionEnd', 'openValues', 'responseFields'],
    run: liveEvents,
  },
  {
    name: 'instructors',
    what: 'the instructors of the school',
    calls: 1,
    tells: ['instructorTimestampFormat', 'rateLimitHeaders', 'responseFields'],
    run: instructors,
  },
];

/** Returns a reading whose terms are the options of one assumption. */
export function plainReading(about: AssumptionName, seen: string, words: string): Reading {
  return { about, seen, words, expected: (asked) => asked(about) };
}

async function liveEvents(scene: Scene): Promise<Finding> {
  const { pace, school, known } = scene;
  const reply = await pace.call({ operation: 'get-all-live-events' });
  const result = resultOf(reply);
  if (result === null) return because(`get-all-live-events returned ${describeReply(reply)}`);
  const events = listAt(result, 'liveEvents');
  school.sessions = events.flatMap((event) => listAt(event, 'sessions').flatMap(sessionOf));
  const products = events.flatMap((event) => textAt(event, 'serviceDigitalProductId') ?? []);
  school.productIds = [
    ...new Set([...(known.productId === undefined ? [] : [known.productId]), ...products]),
  ];
  for (const event of events) {
    const [type, status] = [textAt(event, 'type'), textAt(event, 'status')];
    noteValue(scene, 'live-events', type, type === 'LiveEventProduct');
    noteValue(scene, 'live-events', status, status === 'Active');
  }
  const future = school.sessions.filter((session) => liesAhead(session, pace.clock.latest()));
  school.noneAhead = whyNoneAhead(events, school.sessions, pace.clock.latest());
  const empty = emptyReadings('a live event', events, ['sessions']);
  if (future.length === 0) return { readings: empty, lacking: { unendedSessionEnd: school.noneAhead } };
  return { readings: [...empty, ...future.slice(0, 5).map(endReading)] };
}

/** Stores a value of an open list, and the probe that saw it. */
export function noteValue({ school }: Scene, probe: string, value: string | null, isShown: boolean): void {
  if (value !== null) school.openValues.push({ probe, value, isShown });
}

function endReading({ startsAt, durationSeconds, endedAt }: Session): Reading {
  const scheduled = startsAt + durationSeconds * 1000;
  const isScheduled = typeof endedAt === 'string' && momentOf(endedAt)?.at === scheduled;
  const shown = endedAt === undefined ? 'omitted' : String(endedAt);
  return {
    about: 'unendedSessionEnd',
    seen: isScheduled ? 'scheduled-end' : shown,
    words: `a session that starts at ${new Date(startsAt).toISOString()}: endedAtIso ${theirs(shown)}`,
    expected: (asked) => {
      const end = asked('unendedSessionEnd');
      return end === 'null' && asked('responseFields') !== 'all' ? 'omitted' : end;
    },
  };
}

async function instructors({ pace }: Scene): Promise<Finding> {
  const reply = await pace.call({ operation: 'get-all-instructors' });
  // A gateway that responds in place of the service may omit the headers.
  if (resultOf(reply) === null) return because(`get-all-instructors returned ${describeReply(reply)}`);
  const headers = limitReading(reply);
  const listed = listAt(resultOf(reply), 'instructors');
  const [first] = listed;
  const empty = emptyReadings('an instructor', listed, [
    'tagline',
    'longDescriptionMarkdown',
    'profilePhotoUrl',
  ]);
  const createdAt = textAt(first, 'createdAt') ?? numberAt(first, 'createdAt')?.toString() ?? null;
  if (createdAt === null)
    return {
      readings: [headers, ...empty],
      lacking: { instructorTimestampFormat: 'the school has no instructor with a createdAt' },
    };
  return {
    readings: [
      headers,
      ...empty,
      plainReading(
        'instructorTimestampFormat',
        timestampForm(createdAt),
        `createdAt of an instructor: ${theirs(createdAt)}`,
      ),
    ],
  };
}

/** A service with headers that no option has is not one without headers. Beside others, they are departures. */
function limitReading({ header, headerNames }: Reply): Reading {
  const form = limitHeadersForm((name) => header(name) !== null);
  const others = form === 'none' ? otherLimitHeaders(headerNames) : [];
  const [seen, words] = others.length === 0 ? [form, form] : ['other', theirs(others.join(', '))];
  return plainReading('rateLimitHeaders', seen, `headers of get-all-instructors: ${words}`);
}
