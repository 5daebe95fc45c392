import type { Words } from '../../contract/record-drafts.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

/** The time of a session, in minutes from the beginning of the day on which the sandbox starts. */
interface Times {
  readonly start: number;
  readonly seconds: number;
  readonly end: number;
}

/** Words about live events and sessions: most sessions are over, the others are in the future. */
export function eventWords(talk: RecordContext): Words {
  const name = (): string =>
    talk.once(
      'event',
      () => `${talk.subject.topic.name} ${talk.pick(kinds)}: ${talk.pick(talk.subject.topic.terms)[0]}`,
    );
  const slug = (): string => `${slugOf(name())}-${talk.subject.number + 1}`;
  const times = (): Times => talk.once('times', () => timesOf(talk));
  return {
    eventName: name,
    eventSlug: slug,
    eventLink: () => `https://learn.${talk.subject.school.slug}.example/live/${slug()}`,
    sessionStart: () => relative(times().start),
    sessionSeconds: () => times().seconds,
    sessionEnd: () => relative(times().end),
  };
}

const kinds = ['Office Hours', 'Panel', 'Clinic', 'Seminar', 'Circle', 'Workshop'];

/** Returns the minutes from the beginning of the sandbox's first day: a working hour of a past or a future day. */
function startOf(talk: RecordContext): number {
  const isPast = talk.number(1, 20) <= 12;
  const days = isPast ? -talk.number(2, 90) : talk.number(1, 60);
  return days * dayMinutes + talk.number(8, 17) * 60;
}

function timesOf(talk: RecordContext): Times {
  const minutes = talk.pick([45, 60, 75, 90, 120]);
  const start = startOf(talk);
  // Few sessions end exactly on the minute.
  return { start, seconds: minutes * 60, end: start + minutes + talk.number(-4, 15) };
}

const dayMinutes = 24 * 60;

/** Returns a time in the format of seeds: `today 14:05 UTC -P3D`. */
function relative(minutes: number): string {
  const days = Math.floor(minutes / dayMinutes);
  const ofDay = minutes - days * dayMinutes;
  const [hour, minute] = [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, '0'));
  return `today ${hour}:${minute} UTC ${days < 0 ? '-' : '+'}P${Math.abs(days)}D`;
}
