import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { relativeMilliseconds, relativeTimeOf } from '../../src/base/relative-time.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { timeFields } from '../../src/contract/generated/facts.ts';
import { callSeen, recordingWith, replay } from './passing.ts';
import type { Recording } from '../../src/upstream/seed-recorder/recording.ts';

const recordedAt = '2026-11-20T10:07:00.000Z';

function recordingOf(sessions: readonly object[]): Recording {
  const recording = recordingWith();
  const liveEvents = [{ liveEventId: 'e', serviceDigitalProductId: 'p', sessions }];
  withoutPause(
    recording.observe({
      operation: 'get-all-live-events',
      requestBody: '{"data":[{"data":{}}]}',
      responseBody: JSON.stringify([{ output: { status: 'ok', data: { liveEvents } } }]),
      status: 200,
      key: 'one',
    }),
  );
  return recording;
}

describe('the times of a recorded seed', () => {
  it('are those of the service in a sandbox that starts at the moment of the recording, to the millisecond', async () => {
    const scheduledStartAtIso = '2026-11-23T18:30:12.345Z';
    const session = { liveEventSessionId: 's', scheduledStartAtIso, scheduledDurationInSecs: 3600 };
    const sandbox = await replay(recordingOf([session]), recordedAt);
    const answer = await callSeen(sandbox, 'school-1', 'get-all-live-events', {}, null);
    expect(JSON.stringify(answer)).toContain(`"scheduledStartAtIso":"${scheduledStartAtIso}"`);
  });

  it('keep their distance from the clock of a sandbox that starts later', () => {
    const { collections } = recordingOf([
      {
        liveEventSessionId: 's',
        scheduledStartAtIso: '2026-11-23T18:30:00.000Z',
        scheduledDurationInSecs: 5400,
      },
    ]).finish(Date.parse(recordedAt));
    expect(collections.liveEventSessions).toMatchObject([
      { scheduledStartAtIso: 'now+P3DT8H30M', endsAtIso: 'now+P3DT10H' },
    ]);
  });

  it.each(['9999-12-31T23:59:59.000Z', '1970-01-01T00:00:00.000Z'])(
    'stay as they are if they are placeholders: %s',
    (scheduledStartAtIso) => {
      const { collections } = recordingOf([
        { liveEventSessionId: 's', scheduledStartAtIso, scheduledDurationInSecs: 0 },
      ]).finish(Date.parse(recordedAt));
      expect(collections.liveEventSessions).toMatchObject([{ scheduledStartAtIso }]);
    },
  );

  it.each(['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '1900-01-01T00:00:00', '1970-01-01T00:00:00Z'])(
    'end a session as scheduled if its end is %s, which means that it has not ended',
    (endedAtIso) => {
      const { collections } = recordingOf([
        {
          liveEventSessionId: 's',
          scheduledStartAtIso: '2026-11-23T18:30:00.000Z',
          scheduledDurationInSecs: 5400,
          endedAtIso,
        },
      ]).finish(Date.parse(recordedAt));
      expect(collections.liveEventSessions).toMatchObject([{ endsAtIso: 'now+P3DT10H' }]);
    },
  );

  it.each([
    ['2026-11-23T18:30:00.000Z', '2026-11-23T18:00:00.000Z', 'now+P3DT8H'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ])('keep the end of a session that starts at %s and ends at %s', (scheduledStartAtIso, endedAtIso, end) => {
    const { collections } = recordingOf([
      { liveEventSessionId: 's', scheduledStartAtIso, scheduledDurationInSecs: 5400, endedAtIso },
    ]).finish(Date.parse(recordedAt));
    expect(collections.liveEventSessions).toMatchObject([{ endsAtIso: end }]);
  });

  it('include every time of the schemas of records', { tags: ['slow'] }, () => {
    const text = readFileSync('openapi/state.yaml', 'utf8');
    // The parts that are read here.
    const { components } = parse(text) as {
      components: {
        schemas: Record<
          string,
          { 'x-collection'?: string; properties?: Record<string, { format?: string }> }
        >;
      };
    };
    const times = Object.values(components.schemas)
      .filter((schema) => schema['x-collection'] !== undefined)
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .filter(([, { format }]) => format === 'date-time')
      .map(([name]) => name);
    expect([...new Set(times)].toSorted()).toEqual([...timeFields].toSorted());
  });

  it.each([0, 1, -1, 999, -86_400_000, 86_400_000 * 14 + 7_200_000, 90_061_001, -3_599_999])(
    'can be any number of milliseconds away: %i',
    (distance) => expect(relativeMilliseconds(relativeTimeOf(distance))).toBe(distance),
  );
});
