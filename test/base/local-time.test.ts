import { describe, expect, it } from 'vitest';
import { localMilliseconds } from '../../src/base/local-time.ts';

function at(now: string, text: string): string | null {
  const time = localMilliseconds(text, Date.parse(now));
  return time === null ? null : new Date(time).toISOString();
}

describe('a time of day in a time zone', () => {
  it.each([
    ['a millisecond before it', '2026-10-12T15:29:59.999Z', '2026-10-12T15:30:00.000Z'],
    ['at that time', '2026-10-12T15:30:00.000Z', '2026-10-19T15:30:00.000Z'],
    ['on the next day', '2026-10-13T00:00:00.000Z', '2026-10-19T15:30:00.000Z'],
    ['in the week in which the clocks change', '2026-10-24T12:00:00.000Z', '2026-10-26T16:30:00.000Z'],
  ])('is the first on a weekday after now: %s', (_, now, expected) => {
    expect(at(now, 'next Mon 16:30 Europe/London')).toBe(expected);
  });

  it.each([
    ['Europe/London', '2026-10-12T17:00:00.000Z'],
    ['America/Los_Angeles', '2026-10-12T01:00:00.000Z'],
    ['Asia/Kolkata', '2026-10-12T12:30:00.000Z'],
    ['UTC', '2026-10-12T18:00:00.000Z'],
  ])('is on the day that it is now in %s', (zone, expected) => {
    expect(at('2026-10-12T05:00:00.000Z', `today 18:00 ${zone}`)).toBe(expected);
  });

  it('counts days on the calendar, so that the hour stays the same when the clocks change', () => {
    expect(
      ['-P14DT2H', '-P7D', '+P7DT30M', '+P21D'].map((distance) =>
        at('2026-10-24T12:00:00.000Z', `next Mon 16:30 Europe/London ${distance}`),
      ),
    ).toEqual([
      '2026-10-12T13:30:00.000Z',
      '2026-10-19T15:30:00.000Z',
      '2026-11-02T17:00:00.000Z',
      '2026-11-16T16:30:00.000Z',
    ]);
  });

  it.each([
    'today 18:00',
    'today 24:00 UTC',
    'next Mo 18:00 UTC',
    'today 18:00 Europe/Atlantis',
    'today 18:00 UTC -3D',
    'now+P3D',
  ])('has the form of an example, and a time zone that exists: not "%s"', (text) => {
    expect(at('2026-10-12T05:00:00.000Z', text)).toBeNull();
  });

  it('can be any number of days away', () => {
    for (const distance of ['+P99999999D', '-P99999999D', '+P999999999999999D'])
      for (const now of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
        expect(localMilliseconds(`today 18:00 Europe/London ${distance}`, Date.parse(now))).toBeTypeOf(
          'number',
        );
  });
});
