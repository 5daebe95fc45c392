import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { schools, sessions } from '../support/demo.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { world } from '../support/world.ts';
import { clear, fixture, frozen, recorded, recordedIn } from './recorded.ts';

const { collections } = await readSeed('demo');

/** The slug, the school and a session that has ended and was recorded, of each event of the demo data. */
const recordedEvents = [...collections.liveEvents.byId.values()].flatMap(({ id, slug, schoolId }) => {
  const session = [...collections.liveEventSessions.byId.values()].find(
    ({ liveEventId, recordedSources, endsAtIso }) =>
      liveEventId === id && recordedSources.length > 0 && endsAtIso.includes(' -P'),
  );
  const school = collections.schools.byId.get(schoolId)?.slug ?? '';
  return session === undefined ? [] : [[slug, school, session.id] as const];
});

describe('the recording of a live event', () => {
  it('is its own, for every event of the demo data that was recorded', { tags: ['slow'] }, async () => {
    const place = await world(frozen);
    expect(recordedEvents.length).toBeGreaterThanOrEqual(8);
    const bodies = new Set<string>();
    for (const [slug, school, session] of recordedEvents) {
      const { get } = await recordedIn(place, session, school);
      const { body } = await get('recording.mp4');
      expect([slug, body.equals(clear('recording.mp4', slug))]).toEqual([slug, true]);
      bodies.add(body.toString('base64'));
    }
    expect(bodies.size).toBe(recordedEvents.length);
  });

  it('is the test card, if its slug is that of no recording', async () => {
    const recording = await recorded();
    const own = await recording.get('recording.mp4');
    const { liveEventId = '' } =
      (await recording.sandbox.state.get('liveEventSessions', sessions.twoSources)) ?? {};
    for (const slug of ['another', '..', '../media/debugging-clinic', '']) {
      await recording.sandbox.state.patch('liveEvents', liveEventId, { slug });
      const { body, headers } = await recording.get('recording.mp4');
      expect([slug, body.equals(clear('recording.mp4', 'test-card'))]).toEqual([slug, true]);
      expect(headers['etag']).not.toBe(own.headers['etag']);
    }
  });

  it('has the test card as a source that the event did not record', async () => {
    const place = await world(frozen);
    const session = { id: '4e0abc860b1c6e0a499d2d9a', schoolId: schools.hillcrest };
    await place.sandbox.state.patch('liveEventSessions', session.id, {
      recordedSources: ['camera', 'screen'],
    });
    const { get } = await recordedIn(place, session.id, 'hillcrest');
    expect((await get('screen/master.m3u8')).text).toBe(
      readFileSync(fixture('screen/master.m3u8', 'test-card'), 'utf8'),
    );
    expect((await get('camera/master.m3u8')).text).toBe(
      readFileSync(fixture('camera/master.m3u8', 'spanish-conversation-hour'), 'utf8'),
    );
  });

  it('takes at most 3 MB for all events together', () => {
    const files = readdirSync(fixture('', ''), { recursive: true, withFileTypes: true });
    const bytes = files
      .filter((file) => file.isFile() && !file.parentPath.includes('test-card'))
      .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(3_000_000);
  });
});
