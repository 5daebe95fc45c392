import type { Words } from '../../contract/record-drafts.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

/** The time of a session, in minutes from the start of the sandbox. */
interface Times {
  readonly start: number;
  readonly seconds: number;
  readonly end: number;
}

/**
 * Words about live events and sessions: most sessions are over, some are live, the others are in the future.
 */
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

const kinds = ['Office Hours', 'Evening', 'Clinic', 'Seminar', 'Circle', 'Workshop'];

/** Returns minutes from now: in the past, running now, or in the future. */
function startOf(talk: RecordContext, lot: number, hour: number): number {
  if (lot <= 12) return -talk.number(2, 90) * dayMinutes + hour;
  return lot === 13 ? -talk.number(5, 40) : talk.number(1, 60) * dayMinutes + hour;
}

function timesOf(talk: RecordContext): Times {
  const minutes = talk.pick([45, 60, 75, 90, 120]);
  const lot = talk.number(1, 20);
  const hour = talk.number(8, 19) * 60;
  const start = startOf(talk, lot, hour);
  // Few sessions end exactly on the minute.
  return { start, seconds: minutes * 60, end: start + minutes + talk.number(-4, 15) };
}

const dayMinutes = 24 * 60;

/** Returns a time in the format of seeds: `now-P3DT2H5M`. */
function relative(minutes: number): string {
  const size = Math.abs(minutes);
  const [days, hours, rest] = [
    Math.floor(size / dayMinutes),
    Math.floor((size % dayMinutes) / 60),
    size % 60,
  ];
  const time = `${hours === 0 ? '' : `${hours}H`}${rest === 0 ? '' : `${rest}M`}`;
  const date = days === 0 ? '' : `${days}D`;
  // A duration has at least one part.
  const timePart = date === '' || time !== '' ? `T${time === '' ? '0M' : time}` : '';
  return `now${minutes < 0 ? '-' : '+'}P${date}${timePart}`;
}
