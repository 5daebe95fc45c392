import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Badge, type Tone } from '../../parts/badge.ts';
import { Empty } from '../../parts/notice.ts';
import { counted, Paged } from '../../parts/paged.ts';
import { eventsCall, sessionCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { loadAssumptions, ReturnedInstead, type FixedValues } from '../fixed-values.ts';
import { groupBy } from '../group-by.ts';
import { Loaded } from '../loaded.ts';
import { momentOf } from '../moment.ts';
import { Picture } from '../picture.ts';
import { Recording } from '../recording.ts';
import { recordsOf, type School, type SectionProps } from '../school.ts';
import { useSearch } from '../use-search.ts';

type Event = Records['liveEvents'];
type Session = Records['liveEventSessions'];

interface Events {
  readonly fixed: FixedValues;
  readonly events: readonly Event[];
  readonly sessions: ReadonlyMap<string, readonly Session[]>;
}

async function loadEvents(school: School): Promise<Events> {
  const [events, sessions, { fixedValues: fixed }] = await Promise.all([
    recordsOf(school, 'liveEvents'),
    recordsOf(school, 'liveEventSessions'),
    loadAssumptions(school),
  ]);
  return { fixed, events, sessions: groupBy(sessions, ({ liveEventId }) => liveEventId) };
}

/** The live events of a school with their posters and sessions; recordings play. */
export function EventsSection({ school }: SectionProps): VNode {
  const show = (loaded: Events): VNode => html`<${EventCards} school=${school} loaded=${loaded} />`;
  return html`<${Loaded} load=${() => loadEvents(school)} keys=${[]} show=${show} />`;
}

function EventCards({ school, loaded }: { readonly school: School; readonly loaded: Events }): VNode {
  const { events, sessions, fixed } = loaded;
  const { found, field, key } = useSearch(events, ({ name }) => name, 'live events');
  if (events.length === 0) return html`<${Empty}>${school.name} has no live events.<//>`;
  return html`${field}
    <${Paged}
      key=${key}
      items=${found}
      size=${40}
      what="live events"
      show=${(shown: readonly Event[]) =>
        html`<ul class="cards">${shown.map((event) => html`<${EventCard} key=${event.id} school=${school} event=${event} fixed=${fixed} sessions=${sessions.get(event.id) ?? []} />`)}</ul>`}
    />`;
}

interface CardProps {
  readonly school: School;
  readonly event: Event;
  readonly fixed: FixedValues;
  readonly sessions: readonly Session[];
}

function EventCard({ school, event, fixed, sessions }: CardProps): VNode {
  const { name, status, thumbnailUrl, type } = event;
  const returned = { school, fixed, collection: 'liveEvents' };
  return html`<li class="tile event">
    <${Picture} class="poster" url=${thumbnailUrl} name=${name} />
    <h3>${name}</h3>
    <p class="row facts">
      <span><${Badge} tone=${status === 'Active' ? 'good' : 'plain'}>${status}<//> <${ReturnedInstead} ...${returned} field="status" value=${status} /></span>
      <span><span class="soft small">${type}</span> <${ReturnedInstead} ...${returned} field="type" value=${type} /></span>
      <span class="soft small">${counted(sessions.length, 'session')}</span>
    </p>
    <${Paged}
      items=${sessions}
      size=${10}
      what="sessions"
      show=${(shown: readonly Session[]) =>
        html`<ul class="sessions">${shown.map((session) => html`<${SessionLine} key=${session.id} school=${school} event=${event} session=${session} />`)}</ul>`}
    />
    <${CardActions} school=${school} what=${name} collection="liveEvents" record=${event} call=${eventsCall} />
  </li>`;
}

interface LineProps extends Omit<CardProps, 'sessions' | 'fixed'> {
  readonly session: Session;
}

function SessionLine({ school, event, session }: LineProps): VNode {
  const [isPlaying, setPlaying] = useState(false);
  const { scheduledStartAtIso, scheduledDurationInSecs } = session;
  const when = momentOf(scheduledStartAtIso, school.timeZone);
  const what = `${event.name}, ${when}`;
  const [tone, words] = stageOf(session, school.now);
  const isRecorded = words === 'ended' && session.recordedSources.length > 0;
  return html`<li>
    <time datetime=${scheduledStartAtIso}>${when}</time>
    <div class="row">
      <span class="soft small">${Math.round(scheduledDurationInSecs / 60)} min</span>
      <${Badge} tone=${tone}>${words}<//>
      ${
        isRecorded
          ? html`<button type="button" class="quiet play" aria-label=${`Play: ${what}`} onClick=${() => setPlaying(true)}>▶ Play</button>`
          : words === 'ended' && html`<span class="soft small">no recording</span>`
      }
    </div>
    <${CardActions} school=${school} what=${what} collection="liveEventSessions" record=${session} call=${sessionCall(session)} />
    ${isPlaying && html`<${Recording} school=${school} title=${what} session=${session} onClose=${() => setPlaying(false)} />`}
  </li>`;
}

function stageOf(
  { scheduledStartAtIso, endsAtIso }: Session,
  now: number,
): readonly [Tone, 'ended' | 'live now' | 'upcoming'] {
  if (Date.parse(endsAtIso) <= now) return ['plain', 'ended'];
  return Date.parse(scheduledStartAtIso) <= now ? ['bad', 'live now'] : ['info', 'upcoming'];
}
