import { expect } from 'vitest';
import { instructors, quiz, sessions } from '../support/demo.ts';
import { moment } from '../support/examples.ts';
import { supertest } from '../support/supertest.ts';
import { failureOf, resultOf } from '../support/world.ts';
import { frozenAt, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/**
 * Creates instructors with an address that Mira has but for upper and lower case: whether she is who is
 * found.
 */
function emailMatching(isMira: boolean): OptionTest {
  return async ({ open, noted }) => {
    const { call, sandbox } = await open();
    const before = (await sandbox.state.list('instructors')).length;
    const reply = await call('create-instructor-account', {
      instructorEmail: 'Mira.Okafor@Riverside-Academy.example',
    });
    expect(resultOf(reply)['serviceInstructorId'] === instructors.riverside.id).toBe(isMira);
    expect(await sandbox.state.list('instructors')).toHaveLength(isMira ? before : before + 1);
    noted(reply);
    const again = await call('create-instructor-account', {
      instructorEmail: 'Mira.Okafor@Riverside-Academy.example',
    });
    expect(resultOf(again)).toEqual(resultOf(reply));
  };
}

function existingInstructorName(name: string): OptionTest {
  return async ({ open, noted }) => {
    const { call, sandbox } = await open();
    const { email, id } = instructors.riverside;
    const reply = await call('create-instructor-account', {
      instructorEmail: email,
      instructorName: 'Mira Okafor-Lund',
    });
    expect(resultOf(reply)['serviceInstructorId']).toBe(id);
    expect((await sandbox.state.get('instructors', id))?.name).toBe(name);
    noted(reply);
  };
}

/** Creates an instructor without a name, who then has this one. */
function omittedInstructorName(name: string): OptionTest {
  return async ({ open, noted }) => {
    const { call, sandbox } = await open();
    const reply = await call('create-instructor-account', { instructorEmail: 'ada.nwosu@postbox.example' });
    const id = String(resultOf(reply)['serviceInstructorId']);
    expect((await sandbox.state.get('instructors', id))?.name).toBe(name);
    noted(reply);
  };
}

/** Times of the demo data are relative to the clock; at this moment they are those of the contract's examples. */
const ofExamples = frozenAt(moment);

function instructorTimestampFormat(createdAt: string): OptionTest {
  return async ({ open, noted }) => {
    const reply = await (await open(ofExamples)).call('get-all-instructors');
    const list = resultOf(reply)['instructors'];
    expect(list).toContainEqual(
      expect.objectContaining({ serviceInstructorId: instructors.riverside.id, createdAt }),
    );
    noted(reply);
  };
}

function permissionShape(permissions: readonly unknown[]): OptionTest {
  return async ({ open, noted }) => {
    const reply = await (await open()).call('get-instructor-permission-presets', { pageNumber: 2, limit: 1 });
    const preset = { requiresResourceIds: false, permissionSets: [{ permissions, resourceIdType: 'All' }] };
    expect(resultOf(reply)['presets']).toEqual([preset]);
    noted(reply);
  };
}

interface LiveEvent {
  readonly type: string;
  readonly status: string;
  readonly sessions: readonly { readonly liveEventSessionId: string; readonly endedAtIso?: string | null }[];
}

/** Every value that each kind of record shows in a field for which the specification does not list all values. */
function openValues(shown: {
  readonly videos: readonly string[];
  readonly eventTypes: readonly string[];
  readonly eventStatuses: readonly string[];
  readonly itemType: string;
  readonly resourceTypes: readonly string[];
}): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open({ assumptions: { videoPageSize: '50' } });
    const replies = {
      videos: await call('get-video-library'),
      events: await call('get-all-live-events'),
      item: await call('get-course-item-data', { courseItemId: quiz.itemId }),
      presets: await call('get-instructor-permission-presets'),
    };
    // The contract's own lists, which every reply of `world` is held against.
    const videos = resultOf(replies.videos)['videoData'] as readonly { status: string }[];
    const events = resultOf(replies.events)['liveEvents'] as readonly LiveEvent[];
    const presets = resultOf(replies.presets)['presets'] as readonly {
      permissionSets: readonly { resourceIdType: string }[];
    }[];
    expect({
      videos: distinct(videos.map(({ status }) => status)),
      eventTypes: distinct(events.map(({ type }) => type)),
      eventStatuses: distinct(events.map(({ status }) => status)),
      itemType: (resultOf(replies.item)['courseItemData'] as { type: string }).type,
      resourceTypes: distinct(
        presets.flatMap(({ permissionSets }) => permissionSets.map(({ resourceIdType }) => resourceIdType)),
      ),
    }).toEqual(shown);
    for (const reply of Object.values(replies)) noted(reply);
  };
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted();
}

const tenOClock = frozenAt('2026-11-20T10:00:00.000Z');

/** What the running and the future session say of their end. */
function unendedSessionEnd(running?: string | null, future?: string | null): OptionTest {
  return async ({ open, noted }) => {
    const reply = await (await open(frozenAt('2026-11-23T17:00:00.000Z'))).call('get-all-live-events');
    const shown = (resultOf(reply)['liveEvents'] as readonly LiveEvent[]).flatMap((event) => event.sessions);
    const endOf = (id: string) =>
      shown.find(({ liveEventSessionId }) => liveEventSessionId === id)?.endedAtIso;
    expect(endOf(sessions.running)).toBe(running);
    expect(endOf(sessions.future)).toBe(future);
    // An ended session tells its true end, which is not the scheduled one.
    expect(endOf(sessions.twoSources)).toBe('2026-11-09T17:50:00.000Z');
    noted(reply);
  };
}

const playback = 'get-signed-url-data-for-live-event-session-playback';
const download = 'get-live-event-session-processed-mp4';
const withoutRecording = [sessions.running, sessions.future, sessions.neverRecorded];

function signedUrlLifetime(seconds: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open(tenOClock);
    const until = `expires=${Date.parse('2026-11-20T10:00:00.000Z') / 1000 + seconds}&`;
    const played = await call(playback, { liveEventSessionId: sessions.oneSource });
    const [source] = resultOf(played)['playbackSources'] as readonly { urlSearchParamString: string }[];
    expect(source?.urlSearchParamString).toContain(until);
    const downloaded = await call(download, { liveEventSessionId: sessions.oneSource });
    expect(resultOf(downloaded)['downloadUrl']).toContain(until);
    for (const reply of [played, downloaded]) noted(reply);
  };
}

/** How a field of a playback source begins; whatever it is, the three fields make the URL of the playlist. */
function sourceForm(field: 'urlSearchParamString' | 'masterM3u8Pathname', form: RegExp): OptionTest {
  return async ({ open, noted }) => {
    const { call, url } = await open(tenOClock);
    const played = await call(playback, { liveEventSessionId: sessions.oneSource });
    const [source] = resultOf(played)['playbackSources'] as readonly {
      masterM3u8Pathname: string;
      urlSearchParamString: string;
    }[];
    expect(source?.[field]).toMatch(form);
    const path = `/${source?.masterM3u8Pathname}`.replace('//', '/');
    const query = `?${source?.urlSearchParamString}`.replace('??', '?');
    expect((await supertest(url).get(`${path}${query}`)).status).toBe(200);
    noted(played);
  };
}

/**
 * What the names in a session's playlists have behind them, the key's name included: whether it is the query,
 * or nothing.
 */
function playlistUrls(queried: boolean): OptionTest {
  return async ({ open, noted }) => {
    const { call, url } = await open(tenOClock);
    const played = await call(playback, { liveEventSessionId: sessions.oneSource });
    const [source] = resultOf(played)['playbackSources'] as readonly {
      masterM3u8Pathname: string;
      urlSearchParamString: string;
    }[];
    const { masterM3u8Pathname = '', urlSearchParamString: query = '' } = source ?? {};
    const behind = queried ? query : '';
    const master = await supertest(url).get(`${masterM3u8Pathname}${query}`);
    expect(master.text.split('\n')).toEqual(
      expect.arrayContaining([`high.m3u8${behind}`, `low.m3u8${behind}`]),
    );
    const media = await supertest(url).get(`${masterM3u8Pathname.replace('master', 'low')}${query}`);
    expect(media.text.split('\n')).toEqual(
      expect.arrayContaining([`low-0.ts${behind}`, `low-1.ts${behind}`, `low-2.ts${behind}`]),
    );
    expect(media.text).toContain(`,URI="session.key${behind}",`);
    for (const reply of [master, media]) noted(reply);
  };
}

export const peopleAndEvents = {
  emailMatching: { 'ignore-case': emailMatching(true), exact: emailMatching(false) },
  emptyInstructorName: {
    'element-error': async ({ open, noted }) => {
      const { call, sandbox } = await open();
      const before = await sandbox.state.list('instructors');
      for (const instructorName of ['', ' \u00a0\t', '\u200b\ufeff\u2060']) {
        const reply = await call('create-instructor-account', {
          instructorEmail: 'ada.nwosu@postbox.example',
          instructorName,
        });
        expect(failureOf(reply)).toBe('/data/0/data/instructorName must not be empty or blank.');
        noted(reply);
      }
      expect(await sandbox.state.list('instructors')).toEqual(before);
    },
    store: async ({ open, noted }) => {
      const { call, sandbox } = await open();
      const reply = await call('create-instructor-account', {
        instructorEmail: 'ada.nwosu@postbox.example',
        instructorName: '',
      });
      expect(
        (await sandbox.state.get('instructors', String(resultOf(reply)['serviceInstructorId'])))?.name,
      ).toBe('');
      noted(reply);
    },
  },
  omittedInstructorName: {
    'local-part': omittedInstructorName('ada.nwosu'),
    empty: omittedInstructorName(''),
    'element-error': async ({ open, noted }) => {
      const { call, sandbox } = await open();
      const before = [await sandbox.state.list('instructors'), await sandbox.state.list('users')];
      const reply = await call('create-instructor-account', {
        instructorEmail: 'ada.nwosu@postbox.example',
      });
      expect(failureOf(reply)).toBe(
        '/data/0/data/instructorName is required for a new instructor, but missing.',
      );
      expect([await sandbox.state.list('instructors'), await sandbox.state.list('users')]).toEqual(before);
      noted(reply);
      // An existing instructor has a name.
      const known = await call('create-instructor-account', {
        instructorEmail: instructors.riverside.email,
      });
      expect(resultOf(known)['serviceInstructorId']).toBe(instructors.riverside.id);
      expect(known.headers['sandbox-assumed'] ?? '').not.toContain('omittedInstructorName');
    },
  },
  existingInstructorName: {
    keep: existingInstructorName('Mira Okafor'),
    overwrite: existingInstructorName('Mira Okafor-Lund'),
  },
  instructorTimestampFormat: {
    'iso-8601': instructorTimestampFormat('2025-08-04T08:15:23.277Z'),
    'epoch-milliseconds': instructorTimestampFormat(String(Date.UTC(2025, 7, 4, 8, 15, 23, 277))),
    'rfc-1123': instructorTimestampFormat('Mon, 04 Aug 2025 08:15:23 GMT'),
  },
  permissionShape: {
    strings: permissionShape(['courses:read', 'quizzes:read', 'videos:read', 'live-events:read']),
    objects: permissionShape(
      ['courses', 'quizzes', 'videos', 'live-events'].map((resource) => ({ resource, action: 'read' })),
    ),
  },
  openValues: {
    'shown-only': openValues({
      videos: ['CcFailed'],
      eventTypes: ['LiveEventProduct'],
      eventStatuses: ['Active'],
      itemType: 'Article',
      resourceTypes: ['All'],
    }),
    plausible: openValues({
      videos: ['CcFailed', 'Processing', 'Ready'],
      eventTypes: ['LiveEventProduct', 'LiveEventWorkshop'],
      eventStatuses: ['Active', 'Archived', 'Draft'],
      itemType: 'Quiz',
      resourceTypes: ['All', 'Course', 'Folder', 'LiveEvent'],
    }),
  },
  unendedSessionEnd: {
    omitted: unendedSessionEnd(),
    null: unendedSessionEnd(null, null),
    // From 09:30 for 75 minutes, this week and next.
    'scheduled-end': unendedSessionEnd('2026-11-23T17:45:00.000Z', '2026-11-30T17:45:00.000Z'),
  },
  unfinishedSession: {
    'element-error': async ({ open, noted }) => {
      const { call } = await open();
      for (const liveEventSessionId of withoutRecording) {
        for (const reply of [
          await call(playback, { liveEventSessionId }),
          await call(download, { liveEventSessionId }),
        ]) {
          expect(failureOf(reply)).toContain(
            `/data/0/data/liveEventSessionId: The live event session "${liveEventSessionId}" has no recording: it `,
          );
          noted(reply);
        }
      }
    },
    'empty-sources': async ({ open, noted }) => {
      const { call } = await open();
      for (const liveEventSessionId of withoutRecording) {
        const [played, downloaded] = [
          await call(playback, { liveEventSessionId }),
          await call(download, { liveEventSessionId }),
        ];
        expect([resultOf(played), resultOf(downloaded)]).toEqual([
          { playbackSources: [] },
          { downloadUrl: '' },
        ]);
        for (const reply of [played, downloaded]) noted(reply);
      }
    },
  },
  signedUrlLifetime: {
    '1h': signedUrlLifetime(3600),
    '5m': signedUrlLifetime(300),
    '15s': signedUrlLifetime(15),
  },
  signatureQueryForm: {
    'question-mark': sourceForm('urlSearchParamString', /^\?expires=\d+&signature=/),
    bare: sourceForm('urlSearchParamString', /^expires=\d+&signature=/),
  },
  playlistPathForm: {
    slash: sourceForm('masterM3u8Pathname', /^\/media\//),
    bare: sourceForm('masterM3u8Pathname', /^media\//),
  },
  playlistUrls: { bare: playlistUrls(false), signed: playlistUrls(true) },
} satisfies Partial<OptionTests>;

testOptions(peopleAndEvents);
