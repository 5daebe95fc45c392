import { memo } from './memo.ts';
import { relativeMilliseconds } from './relative-time.ts';

/** A time of day in a time zone, such as "next Mon 16:30 Europe/London -P14D" or "today 18:00 UTC +P30D". */
const localTime =
  /^(?:today|next (Sun|Mon|Tue|Wed|Thu|Fri|Sat)) ([01]\d|2[0-3]):([0-5]\d) ([A-Za-z][\w+-]*(?:\/[\w+-]+)*)(?: ([+-]P.+))?$/;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const [minuteMs, dayMs] = [60_000, 86_400_000];

export function isLocalTime(value: unknown): value is string {
  return typeof value === 'string' && localTime.test(value);
}

/**
 * Returns a local time in milliseconds since 1970, counted from `now`. "next Mon 16:30" is the first one after `now`. Days
 * count on the calendar of the time zone, so the hour stays the same when its clocks change. Null if the text has another
 * form, or if the time zone is unknown.
 */
export function localMilliseconds(text: string, now: number): number | null {
  const [, weekday, hours, minutes, zone = '', distance] = localTime.exec(text) ?? [];
  const ahead = aheadMs(zone, now);
  const shift = distance === undefined ? 0 : relativeMilliseconds(`now${distance}`);
  if (ahead === null || shift === null) return null;
  const local = now + ahead;
  const today = Math.floor(local / dayMs) * dayMs + (Number(hours) * 60 + Number(minutes)) * minuteMs;
  const time = (weekday === undefined ? today : nextOn(weekdays.indexOf(weekday), today, local)) + shift;
  const about = time - (aheadMs(zone, time) ?? 0);
  return time - (aheadMs(zone, about) ?? 0);
}

/** Returns the first time on a weekday after `local`; `today` is the time on its day. */
function nextOn(weekday: number, today: number, local: number): number {
  const time = today + ((weekday - new Date(today).getUTCDay() + 7) % 7) * dayMs;
  return time > local ? time : time + 7 * dayMs;
}

/** From here on, the clocks of all time zones change at full minutes. */
const fullMinutesSince = Date.UTC(1973, 0);

/** Returns how far a time zone is ahead of UTC at a time, in milliseconds. Null if it is unknown. */
function aheadMs(zone: string, time: number): number | null {
  return time < fullMinutesSince
    ? formattedAheadMs(zone, time)
    : aheadAt(`${Math.floor(time / minuteMs)} ${zone}`);
}

/** By the minute since 1970, and the zone. Servers that start within the same minute ask for the same ones. */
const aheadAt = memo(10_000, (minute: string) => {
  const [minutes = '', zone = ''] = minute.split(' ');
  return formattedAheadMs(zone, Number(minutes) * minuteMs);
});

function formattedAheadMs(zone: string, time: number): number | null {
  const format = formatOf(zone);
  if (format === null) return null;
  // Such as "GMT", "GMT+05:30" or, long ago, "GMT-00:01:15".
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(expressible(time))) ?? [];
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** Returns the nearest time that the language can express: a distance can have any number of days. */
function expressible(time: number): number {
  return Math.min(Math.max(time, -maxDateMs), maxDateMs);
}

const maxDateMs = 8.64e15;

/** Each is prepared once, because that takes much longer than its use. A seed can have any names. */
const formatOf = memo(1000, (zone: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
});
