import { expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { failureOf, resultOf, world } from '../support/world.ts';
import { expectUnknown } from './unknown-record.ts';

/** A moment at which the demo seed has sessions that have ended, one that runs, and some to come. */
export const clock = { mode: 'frozen', now: '2026-10-12T16:00:00.000Z' } as const;

const hillcrestSession = 'af0e5d264debd61ee7a815d4';

/** The rules that hold for every operation that hands out a session's recording. */
export function holdsForRecordings(operation: string): void {
  it.each([
    ['was never recorded', sessions.neverRecorded, 'it was not recorded.'],
    ['still runs', sessions.running, 'it has not ended; it ends at 2026-10-12T16:45:00.000Z.'],
    ['is to come', sessions.future, 'it has not ended; it ends at 2026-10-19T16:45:00.000Z.'],
  ])('fails for a session that %s', async (_, liveEventSessionId, reason) => {
    const { call } = await world({ clock });
    expect(failureOf(await call(operation, { liveEventSessionId }))).toBe(
      `/data/0/data/liveEventSessionId: The live event session "${liveEventSessionId}" has no recording: ${reason}`,
    );
  });

  it("cannot tell another school's session from one that does not exist", async () => {
    const place = await world({ clock });
    await expectUnknown(place, hillcrestSession, {
      operation,
      parameters: (liveEventSessionId) => ({ liveEventSessionId }),
      what: 'live event session',
    });
    resultOf(await place.call(operation, { liveEventSessionId: hillcrestSession }, 'hillcrest'));
  });
}
