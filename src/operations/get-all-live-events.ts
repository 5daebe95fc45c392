import type { OptionOf } from '../assumptions.ts';
import type { Records } from '../contract/generated/facts.ts';
import { absoluteUrl } from './shared/absolute-url.ts';
import { openValue, openValues, shownValues, type Values } from './shared/open-values.ts';
import type { Operation, Services } from './shared/operation.ts';
import { hasEnded } from './shared/recording.ts';

type Uses = 'state' | 'school' | 'showing' | 'assume' | 'now' | 'order';
type Session = Records['liveEventSessions'];

/** Lists the live events of the caller's school with their sessions (specification, endpoint 11). */
export const getAllLiveEvents: Operation<'get-all-live-events', Uses> = function* (_, services) {
  const { state, school, showing, assume, order } = services;
  const view = views[openValues(assume)];
  const stored = yield* state.collection('liveEvents').list('school', school.id);
  const events = order === null ? stored : yield* order.of(stored);
  const sessions = state.collection('liveEventSessions');
  const liveEvents = [];
  for (const event of events) {
    const shown = [];
    const ofEvent = yield* sessions.list('event', event.id);
    for (const session of order === null ? ofEvent : yield* order.of(ofEvent)) {
      shown.push(yield* showingSession(session, services));
      if (shown.length % sliceSize === 0) yield;
    }
    liveEvents.push({ ...(yield* showing(event, view)), sessions: shown });
    if (liveEvents.length % sliceSize === 0) yield;
  }
  return { liveEvents };
};

/** The number of records after which the work may be interrupted. */
const sliceSize = 64;

function showingSession(session: Session, { showing, assume, now }: Pick<Services, Uses>) {
  if (hasEnded(session, now)) return showing(session, ended);
  return showing(session, unendedViews[assume('unendedSessionEnd')]);
}

function unended({ id, scheduledStartAtIso, scheduledDurationInSecs }: Session) {
  return { liveEventSessionId: id, scheduledStartAtIso, scheduledDurationInSecs };
}

function ended(session: Session) {
  return { ...unended(session), endedAtIso: session.endsAtIso };
}

function withScheduledEnd(session: Session) {
  const end = new Date(Date.parse(session.scheduledStartAtIso) + session.scheduledDurationInSecs * 1000);
  // A record can have a leap second, or a duration of millions of years.
  if (Number.isNaN(end.getTime())) return unended(session);
  return { ...unended(session), endedAtIso: end.toISOString() };
}

const unendedViews = {
  omitted: unended,
  null: (session: Session) => ({ ...unended(session), endedAtIso: null }),
  'scheduled-end': withScheduledEnd,
} satisfies Record<OptionOf<'unendedSessionEnd'>, unknown>;

const views = { 'shown-only': viewWith('shown-only'), plausible: viewWith('plausible') };

function viewWith(values: Values) {
  return (event: Records['liveEvents'], origin: string) => ({
    serviceDigitalProductId: event.productId,
    liveEventId: event.id,
    type: openValue(values, event.type, shownValues.liveEvents.type),
    status: openValue(values, event.status, shownValues.liveEvents.status),
    name: event.name,
    slug: event.slug,
    link: absoluteUrl(event.link, origin),
    thumbnailUrl: absoluteUrl(event.thumbnailUrl, origin),
  });
}
