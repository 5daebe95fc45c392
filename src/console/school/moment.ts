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
  // On the first and the last day, the time zone may be in a year that people do not write with four digits.
  const zone = /^(?:0001-01-01|9999-12-31)/.test(iso) ? 'UTC' : timeZone;
  try {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone: zone })
      .formatToParts(time)
      .map(written)
      .join('');
  } catch {
    // The browser does not know the time zone.
    return zone === 'UTC' ? iso : shown(iso, 'UTC', locale, parts);
  }
}

function written({ type, value }: Intl.DateTimeFormatPart): string {
  return type === 'year' ? value.padStart(4, '0') : value;
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
