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

  it('that is no time stays as it is', () => {
    expect([momentOf('soon', 'UTC'), dayOf('soon')]).toEqual(['soon', 'soon']);
  });
});
