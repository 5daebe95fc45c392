import { describe, expect, it } from 'vitest';
import { dayOf, momentOf } from '../../src/console/school/moment.ts';

const iso = '2026-10-13T01:00:00.000Z';

describe('a time on the School page', () => {
  it.each([
    ['Europe/London', 'Tue, Oct 13, 2026, 02:00 GMT+1', '2026-10-13'],
    ['America/Los_Angeles', 'Mon, Oct 12, 2026, 18:00 PDT', '2026-10-12'],
    [undefined, 'Tue, Oct 13, 2026, 01:00 UTC', '2026-10-13'],
    ['Europe/Atlantis', 'Tue, Oct 13, 2026, 01:00 UTC', '2026-10-13'],
  ])(
    'is in the time zone of the school, or in UTC if the browser does not know it: %s',
    (zone, moment, day) => {
      expect([momentOf(iso, zone), dayOf(iso, zone)]).toEqual([moment, day]);
    },
  );

  it.each([
    ['0001-01-01T00:00:00.000Z', 'Mon, Jan 1, 0001, 00:00 UTC', '0001-01-01'],
    ['0001-03-01T18:01:15.000Z', 'Thu, Mar 1, 0001, 18:00 GMT-0:01:15', '0001-03-01'],
    ['9999-12-31T23:59:59.999Z', 'Fri, Dec 31, 9999, 23:59 UTC', '9999-12-31'],
  ])('has a year of four digits that is the one of the record: %s', (early, moment, day) => {
    expect([momentOf(early, 'Europe/London'), dayOf(early, 'Europe/London')]).toEqual([moment, day]);
    if (!early.startsWith('0001-03')) expect(dayOf(early, 'Asia/Tokyo')).toBe(day);
  });

  it('that is no time stays as it is', () => {
    expect([momentOf('soon', 'UTC'), dayOf('soon')]).toEqual(['soon', 'soon']);
  });
});
