import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { schools, sessions } from '../support/demo.ts';
import { outputsOf, resultOf, world, type World } from '../support/world.ts';

const now = '2026-10-12T16:00:00.000Z';
const clock = { mode: 'frozen', now } as const;

interface Session {
  readonly liveEventSessionId: string;
  readonly scheduledStartAtIso: string;
  readonly endedAtIso?: string;
}
interface LiveEvent {
  readonly liveEventId: string;
  readonly thumbnailUrl: string;
  readonly sessions: readonly Session[];
}

async function listed({ call }: World, school?: string): Promise<readonly LiveEvent[]> {
  // The reply was held against the contract; the fields used here are in every event of the demo seed.
  return resultOf(await call('get-all-live-events', {}, school))['liveEvents'] as LiveEvent[];
}

async function sessionOf(place: World, id: string): Promise<Session | undefined> {
  return (await listed(place))
    .flatMap((event) => event.sessions)
    .find(({ liveEventSessionId }) => liveEventSessionId === id);
}

/** What the answer is to be, from the records of the state. */
async function expected({ sandbox, url }: World, school: string): Promise<readonly unknown[]> {
  const at = await sandbox.clock.now();
  const allSessions = await sandbox.state.list('liveEventSessions');
  const events = (await sandbox.state.list('liveEvents')).filter(({ schoolId }) => schoolId === school);
  return events.map((event) => ({
    serviceDigitalProductId: event.productId,
    liveEventId: event.id,
    type: 'LiveEventProduct',
    status: 'Active',
    name: event.name,
    slug: event.slug,
    link: event.link,
    thumbnailUrl: `${url}${event.thumbnailUrl}`,
    sessions: allSessions
      .filter(({ liveEventId }) => liveEventId === event.id)
      .map(({ id, scheduledStartAtIso, scheduledDurationInSecs, endsAtIso }) => ({
        liveEventSessionId: id,
        scheduledStartAtIso,
        scheduledDurationInSecs,
        ...(endsAtIso <= at ? { endedAtIso: endsAtIso } : {}),
      })),
  }));
}

describe('get-all-live-events', () => {
  it.each([
    ['riverside', schools.riverside, 6],
    ['hillcrest', schools.hillcrest, 2],
  ])(
    "lists %s's live events with their sessions as the state has them, and no others",
    async (slug, schoolId, count) => {
      const place = await world({ clock });
      const events = await listed(place, slug);
      expect(events).toEqual(await expected(place, schoolId));
      expect(events).toHaveLength(count);
    },
  );

  it('lists an event without sessions with an empty list of them', async () => {
    const events = await listed(await world());
    expect(events.find(({ liveEventId }) => liveEventId === 'e2a768f5a4df5f4c2fc80030')?.sessions).toEqual(
      [],
    );
  });

  it('has sessions that have ended, that run, and that are to come', async () => {
    const place = await world({ clock });
    expect(await sessionOf(place, sessions.oneSource)).toEqual({
      liveEventSessionId: sessions.oneSource,
      scheduledStartAtIso: '2026-10-05T15:30:00.000Z',
      scheduledDurationInSecs: 4500,
      endedAtIso: '2026-10-05T16:45:00.000Z',
    });
    expect(await sessionOf(place, sessions.running)).toEqual({
      liveEventSessionId: sessions.running,
      scheduledStartAtIso: '2026-10-12T15:30:00.000Z',
      scheduledDurationInSecs: 4500,
    });
    expect(await sessionOf(place, sessions.future)).toEqual({
      liveEventSessionId: sessions.future,
      scheduledStartAtIso: '2026-10-19T15:30:00.000Z',
      scheduledDurationInSecs: 4500,
    });
  });

  it('links to thumbnails that this server has', async () => {
    const place = await world();
    for (const { thumbnailUrl } of await listed(place)) {
      const { status, type } = await supertest(place.url).get(new URL(thumbnailUrl).pathname);
      expect({ thumbnailUrl, status, type }).toEqual({ thumbnailUrl, status: 200, type: 'image/svg+xml' });
    }
  });

  it('answers an empty list for a school that has none', async () => {
    expect(await listed(await world({ seed: 'empty' }))).toEqual([]);
  });

  it('answers every element of a batch with the list', async () => {
    const { batch } = await world();
    const [first, second, ...more] = outputsOf(await batch('get-all-live-events', [{}, {}]));
    expect(first?.status).toBe('ok');
    expect(second).toEqual(first);
    expect(more).toEqual([]);
  });
});

describe("get-all-live-events by the sandbox's clock", () => {
  it('tells when a session ended from that moment on, and not a millisecond before', async () => {
    const place = await world({ clock });
    const before = await sessionOf(place, sessions.future);
    await place.sandbox.clock.set({ mode: 'frozen', now: '2026-10-19T16:00:00.000Z' });
    expect(await sessionOf(place, sessions.future)).toEqual(before);
    await place.sandbox.clock.set({ mode: 'frozen', now: '2026-10-19T16:44:59.999Z' });
    expect(await sessionOf(place, sessions.future)).toEqual(before);
    await place.sandbox.clock.advance({ seconds: 0.001 });
    expect(await sessionOf(place, sessions.future)).toEqual({
      ...before,
      endedAtIso: '2026-10-19T16:45:00.000Z',
    });
  });

  it('lets a session run again when the clock is set back', async () => {
    const place = await world({ clock });
    const running = await sessionOf(place, sessions.running);
    await place.sandbox.clock.advance({ seconds: 3600 });
    expect(await sessionOf(place, sessions.running)).toHaveProperty('endedAtIso', '2026-10-12T16:45:00.000Z');
    await place.sandbox.clock.set(clock);
    expect(await sessionOf(place, sessions.running)).toEqual(running);
  });

  it.each([
    ['a duration of millions of years', { scheduledDurationInSecs: 9e12 }],
    ['a leap second', { scheduledStartAtIso: '2026-12-31T23:59:60Z' }],
  ])('tells no end of a session whose scheduled end is no date: %s', async (_, changed) => {
    const place = await world({ clock, assumptions: { unendedSessionEnd: 'scheduled-end' } });
    await place.sandbox.state.patch('liveEventSessions', sessions.future, changed);
    expect(await sessionOf(place, sessions.future)).not.toHaveProperty('endedAtIso');
    expect(await sessionOf(place, sessions.running)).toHaveProperty('endedAtIso');
  });

  it('keeps the times of sessions while the clock moves, until a reset counts them anew', async () => {
    const place = await world({ clock });
    await place.sandbox.clock.advance({ seconds: 30 * 86_400 });
    expect(await sessionOf(place, sessions.future)).toHaveProperty('endedAtIso', '2026-10-19T16:45:00.000Z');
    await place.sandbox.reset();
    expect(await sessionOf(place, sessions.future)).toEqual({
      liveEventSessionId: sessions.future,
      scheduledStartAtIso: '2026-11-23T16:30:00.000Z',
      scheduledDurationInSecs: 4500,
    });
  });
});
