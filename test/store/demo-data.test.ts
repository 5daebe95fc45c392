import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/base/group-by.ts';
import { relativeMilliseconds } from '../../src/base/relative-time.ts';
import { collectionNames, type CollectionName } from '../../src/sandbox/seed.ts';
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

  it('live events take place on the same day of the week and at the same time', () => {
    const sessions = groupBy(
      [...collections.liveEventSessions.byId.values()],
      ({ liveEventId }) => liveEventId,
    );
    for (const [id, ofEvent] of sessions) {
      const starts = ofEvent.map(({ scheduledStartAtIso }) => distance(scheduledStartAtIso));
      const weeks = starts.map((start) => Math.abs(start - (starts[0] ?? NaN)) % (7 * dayMs));
      expect([id, ...weeks]).toEqual([id, ...starts.map(() => 0)]);
    }
  });

  it('every school has a coupon that is valid and one that expires within a week or has expired', () => {
    const coupons = groupBy([...collections.coupons.byId.values()], ({ schoolId }) => schoolId);
    expect([...coupons.keys()].toSorted()).toEqual([...collections.schools.byId.keys()].toSorted());
    for (const [id, ofSchool] of coupons) {
      const left = ofSchool.map(({ expireAtIsoString = '' }) => distance(expireAtIsoString));
      const isLater = left.map((ms) => ms > 7 * dayMs);
      expect([id, new Set(isLater)]).toEqual([id, new Set([true, false])]);
    }
  });
});
