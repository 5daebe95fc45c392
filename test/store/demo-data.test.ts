import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/base/group-by.ts';
import { relativeMilliseconds } from '../../src/base/relative-time.ts';
import type { Records } from '../../src/contract/generated/facts.ts';
import { anchored, collectionNames, type CollectionName } from '../../src/sandbox/seed.ts';
import { readSeed } from '../../src/store/read-seed.ts';

const { collections } = await readSeed('demo');
const dayMs = 86_400_000;

/** Distance from the clock of the sandbox; NaN for an absolute time. */
function distance(time: string): number {
  return relativeMilliseconds(time) ?? NaN;
}

/** Texts in which a year is sample data or a part of an identifier. */
const timeless = new Set(['labDescriptionAsMarkdown', 'evaluationScriptTestFileContent', 'contentJson']);

function dated(name: CollectionName): readonly string[] {
  const fields = [...collections[name].byId.values()].flatMap((record) => Object.entries(record));
  return fields.flatMap(([field, value]) =>
    typeof value === 'string' && !timeless.has(field) && /\b20\d\d\b/.test(value)
      ? [`${field}: ${value}`]
      : [],
  );
}

describe('the demo data does not age', () => {
  it.each(collectionNames)('%s have no absolute time and name no year', (name) => {
    expect(dated(name)).toEqual([]);
  });

  it('videos are in processing for some hours at most', () => {
    const videos = [...collections.videos.byId.values()].filter(({ status }) => status === 'Processing');
    expect(videos.length).toBeGreaterThan(1);
    for (const { videoTitle, createdAt } of videos) {
      expect([videoTitle, distance(createdAt) < 0, distance(createdAt) > -dayMs / 4]).toEqual([
        videoTitle,
        true,
        true,
      ]);
    }
  });

  it('every school has a coupon that is valid and one that expires within a week or has expired', () => {
    const coupons = groupBy([...collections.coupons.byId.values()], ({ schoolId }) => schoolId);
    expect([...coupons.keys()].toSorted()).toEqual([...collections.schools.byId.keys()].toSorted());
    for (const now of beginnings) {
      for (const [id, ofSchool] of coupons) {
        const ends = ofSchool.map((coupon) => Date.parse(anchored(coupon, now).expireAtIsoString ?? ''));
        const isLater = ends.map((end) => end - now > 7 * dayMs);
        expect([id, new Set(isLater)]).toEqual([id, new Set([true, false])]);
      }
    }
  });
});

/** Nights, days, a weekend, and the days around changes of clocks in London and Los Angeles. */
const beginnings = [
  '2026-10-12T16:00:00.000Z',
  '2027-02-13T03:45:00.000Z',
  '2028-03-11T23:59:59.999Z',
  '2028-03-26T00:30:00.000Z',
  '2031-10-26T00:59:00.000Z',
  '2034-11-05T09:07:00.000Z',
].map((time) => Date.parse(time));

describe.each(beginnings.map((now) => [new Date(now).toISOString(), now] as const))(
  'in a sandbox that starts at %s',
  (_, now) => {
    const sessions = [...collections.liveEventSessions.byId.values()].map((one) => anchored(one, now));
    const byEvent = groupBy(sessions, ({ liveEventId }) => liveEventId);

    it('all sessions of a live event begin on the same weekday at the same hour in their school', () => {
      for (const [id, ofEvent] of byEvent) {
        const hours = new Set(ofEvent.map((one) => local(one.scheduledStartAtIso, one.schoolId)));
        expect([id, hours.size]).toEqual([id, 1]);
      }
    });

    it('sessions begin, and coupons end, at a whole or half hour from 8:00 to 18:00 in their school', () => {
      const coupons = [...collections.coupons.byId.values()].map((one) => anchored(one, now));
      const times = [
        ...sessions.map((one) => local(one.scheduledStartAtIso, one.schoolId)),
        ...coupons.map((one) => local(one.expireAtIsoString ?? '', one.schoolId)),
      ];
      for (const time of times) expect(time).toMatch(/^\w+ (?:(?:0[89]|1[0-7]):[03]0|18:00)$/);
    });

    it('videos are uploaded from 8:00 to 18:00 in their school, apart from those in processing', () => {
      for (const { schoolId, createdAt, status } of anchoredAt('videos', now))
        if (status !== 'Processing') expect(local(createdAt, schoolId)).toMatch(/ (?:0[89]|1[0-7]):/);
    });

    it(
      'learners answer from 7:00 to 22:00 in their school, and end after they began',
      { tags: ['slow'] },
      () => {
        for (const { schoolId, createdAt, updatedAt } of anchoredAt('submissions', now)) {
          expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(createdAt));
          for (const time of [createdAt, updatedAt])
            expect(local(time, schoolId)).toMatch(/ (?:0[7-9]|1\d|2[01]):/);
        }
      },
    );

    it('sessions that were recorded are over, and at least one of each active event is not', () => {
      expect(ended(now, byEvent.get('d83b34ec9014cc1fd6ba0276') ?? [])).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
      for (const { id, status } of collections.liveEvents.byId.values())
        if (status === 'Active')
          expect([id, ended(now, byEvent.get(id) ?? []).includes(false)]).toEqual([id, true]);
    });
  },
);

function anchoredAt<N extends CollectionName>(name: N, now: number): readonly Records[N][] {
  return [...collections[name].byId.values()].map((one) => anchored(one, now));
}

function ended(now: number, sessions: readonly { readonly endsAtIso: string }[]): readonly boolean[] {
  return sessions.map(({ endsAtIso }) => Date.parse(endsAtIso) <= now);
}

/** Returns a time as its school's clock shows it, such as "Mon 16:30". */
function local(time: string, schoolId: string): string {
  const { timeZone = 'UTC' } = collections.schools.byId.get(schoolId) ?? {};
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en', { ...parts, timeZone }).format(new Date(time));
}
