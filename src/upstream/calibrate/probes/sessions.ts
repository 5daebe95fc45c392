import { isObject } from '../../../base/is-object.ts';
import { listAt, numberAt, textAt } from '../reply.ts';
import { isOver, type Session } from '../school.ts';
import { theirs } from '../shown-text.ts';

/** The largest difference between UTC and a local time. */
const maxZoneMs = 14 * 60 * 60 * 1000;

/** Returns when a date-time is, in milliseconds, and how far that may be off; null if it cannot be read. */
export function momentOf(text: string): { readonly at: number; readonly offByMs: number } | null {
  const hasZone = !/^\d{4}-\d\d-\d\d([T ][\d:.,]+)?$/.test(text);
  const hasTime = /[T ]/.test(text);
  const at = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}${hasTime ? 'Z' : ''}`);
  return Number.isNaN(at) ? null : { at, offByMs: hasZone ? 0 : maxZoneMs };
}

/** Returns a session as far as it can be read: a list of one, or none. */
export function sessionOf(session: unknown): readonly Session[] {
  const id = textAt(session, 'liveEventSessionId');
  const start = momentOf(textAt(session, 'scheduledStartAtIso') ?? '');
  const durationSeconds = numberAt(session, 'scheduledDurationInSecs');
  if (id === null || start === null || durationSeconds === null) return [];
  return [{ id, startsAt: start.at, offByMs: start.offByMs, durationSeconds, endedAt: endOf(session) }];
}

/** Returns the end of a session as text; null or undefined as it is. */
function endOf(session: unknown): string | null | undefined {
  const end = isObject(session) ? session['endedAtIso'] : undefined;
  if (end === null || end === undefined || typeof end === 'string') return end;
  return JSON.stringify(end);
}

/** Says why no session is known to lie ahead. `events` are as listed, and `sessions` are those that were read. */
export function whyNoneAhead(events: readonly unknown[], sessions: readonly Session[], now: number): string {
  const listed = events.flatMap((event) => listAt(event, 'sessions'));
  const [first] = listed;
  if (first === undefined) return 'no live event has a session';
  if (sessions.length === 0) return `no session could be read: ${unreadable(first).join(', ')}`;
  const vague = sessions.find((session) => session.offByMs > 0 && !isOver(session, now));
  const found = listed.find((one) => textAt(one, 'liveEventSessionId') === vague?.id);
  if (vague === undefined) return 'found no future session';
  return `no session lies ahead in every time zone: ${member(found, 'scheduledStartAtIso')}, without a zone`;
}

/** Returns the members without which a session cannot be read. */
function unreadable(session: unknown): readonly string[] {
  const start = textAt(session, 'scheduledStartAtIso');
  return [
    ...(textAt(session, 'liveEventSessionId') === null
      ? [`${member(session, 'liveEventSessionId')}, which is not text`]
      : []),
    ...(start === null || momentOf(start) === null
      ? [`${member(session, 'scheduledStartAtIso')}, which is not a date-time`]
      : []),
    ...(numberAt(session, 'scheduledDurationInSecs') === null
      ? [`${member(session, 'scheduledDurationInSecs')}, which is not a number`]
      : []),
  ];
}

function member(session: unknown, name: string): string {
  const value = isObject(session) ? session[name] : undefined;
  return `${name} is ${value === undefined ? 'missing' : theirs(JSON.stringify(value).slice(0, 60))}`;
}
