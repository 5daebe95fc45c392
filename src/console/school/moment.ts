/** Returns a time as people of a school write it, with the weekday and the time zone; in UTC if the school has none. */
export function momentOf(iso: string, timeZone?: string): string {
  return shown(iso, timeZone, 'en', moment);
}

/** Returns the day of a time in the time zone of a school, such as 2030-01-31. */
export function dayOf(iso: string, timeZone?: string): string {
  return shown(iso, timeZone, 'sv', {});
}

function shown(iso: string, timeZone = 'UTC', locale: string, parts: Intl.DateTimeFormatOptions): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  try {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(time);
  } catch {
    // The browser does not know the time zone.
    return timeZone === 'UTC' ? iso : shown(iso, 'UTC', locale, parts);
  }
}

const moment = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;
