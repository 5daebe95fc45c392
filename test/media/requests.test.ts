import { describe, expect, it } from 'vitest';
import { seedFolder } from '../assumptions/option-tests.ts';
import { sessions } from '../support/demo.ts';
import { world } from '../support/world.ts';
import { clear, fetchRaw, files, frozen, recorded, recordedIn } from './recorded.ts';

/** Something that is in each of the files that a path could be meant to lead to. */
const secrets = /learning-platform-sandbox|root:|#EXTM3U|ftypisom/;

describe('what is not in a recording', () => {
  const outside = [
    'camera',
    'camera/',
    'camera/high-3.ts',
    'camera/high.mp4',
    'camera/HIGH.m3u8',
    'camera/master.m3u8/',
    'camera/master.m3u8/more',
    'camera/high-0.ts/session.key',
    'recording.mp4/',
    'recording.mp4/more',
    'camera/recording.mp4',
    'Recording.mp4',
    'master.m3u8',
    'session.key',
    'whiteboard/master.m3u8',
    '__proto__/master.m3u8',
    'constructor/name',
    'camera/__proto__',
    'camera/toString',
    '',
    '/',
    '/camera/master.m3u8',
    'camera//master.m3u8',
  ];
  const climbing = [
    '../../../../package.json',
    'camera/../../../../package.json',
    'camera/../recording.mp4',
    'camera/..',
    '..',
    '.',
    './recording.mp4',
    '%2e%2e/%2e%2e/%2e%2e/%2e%2e/package.json',
    'camera/%2e%2e/%2e%2e/%2e%2e/package.json',
    'camera/..%2f..%2f..%2fpackage.json',
    '..%2f..%2f..%2f..%2fpackage.json',
    'camera%2fmaster.m3u8',
    'camera/%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    '//etc/passwd',
    'camera/..\\..\\..\\package.json',
    'camera\\master.m3u8',
    '..%5c..%5c..%5cpackage.json',
    'camera/master.m3u8%00',
    'camera/%00',
    'camera/high-0.ts%00.png',
    'camera/..%00/recording.mp4',
    'camera/%252e%252e/recording.mp4',
    'camera/%c0%ae%c0%ae/package.json',
    'camera/high-0.ts;.mp4',
    'camera/%E2%98%82',
  ];

  it.each([...outside, ...climbing])('is a 404 or 400 to whoever has the query: "%s"', async (path) => {
    const { get } = await recorded();
    const { status, headers, text } = await get(path);
    expect([404, 400]).toContain(status);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(text).not.toMatch(secrets);
    expect(text).not.toContain('/fixtures/');
  });

  it('is a 403 like everything else to whoever has not', async () => {
    const { get } = await recorded();
    for (const path of ['camera/high-3.ts', 'whiteboard/master.m3u8', 'nothing', 'camera%2fmaster.m3u8'])
      expect([path, (await get(path, '')).detail]).toEqual([
        path,
        (await get('camera/master.m3u8', '')).detail,
      ]);
  });

  it.each(['%', '%zz', 'camera/%e0%a4', 'camera/%FF'])(
    'is a 400 where the path cannot be read: "%s"',
    async (path) => {
      const { status, headers } = await (await recorded()).get(path);
      expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
        400,
        'application/problem+json; charset=utf-8',
        '*',
      ]);
    },
  );

  it.each([
    '/media',
    '/media/',
    '/media/default',
    '/media/default/sessions',
    '/media/default/sessions/',
    '/media//sessions/x/y',
    '/media/default/videos/x/y',
  ])('is a 404 that repeats the path: %s', async (path) => {
    const { url } = await world();
    const { status, text, detail } = await fetchRaw(url, `${path}?expires=1&signature=2`);
    expect([status, detail]).toEqual([404, `There is no recording at ${JSON.stringify(path)}.`]);
    expect(text).toContain('"type":"about:blank","title":"Not Found"');
  });

  it.each(['nobody', '__proto__', 'constructor', '..%2fdefault', '%00', 'DEFAULT'])(
    'is a 404 in a sandbox that there is not: %s',
    async (id) => {
      const { url, folder, query, sandbox } = await recorded();
      const { status, detail } = await fetchRaw(
        url,
        `${folder.replace(sandbox.id, id)}camera/master.m3u8${query}`,
      );
      expect([status, detail]).toEqual([
        404,
        `There is no sandbox ${JSON.stringify(decodeURIComponent(id))}.`,
      ]);
    },
  );

  it.each(['f'.repeat(24), '__proto__', '..%2f', 'constructor', '%00'])(
    'is a 403 in a session that there is not: %s',
    async (id) => {
      const { url, folder, query } = await recorded();
      const { status, detail } = await fetchRaw(
        url,
        `${folder.replace(sessions.twoSources, id)}camera/master.m3u8${query}`,
      );
      expect([status, detail]).toEqual([403, expect.stringContaining('The signature is for another path')]);
    },
  );
});

describe('a recording that changes', () => {
  it('has no longer the source that its session lost, and nothing where it lost all', async () => {
    const { sandbox, get } = await recorded();
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(
        ['camera/high-0.ts', 'screen/high-0.ts', 'screen/session.key', 'recording.mp4'].map(
          async (file) => (await get(file)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await sandbox.state.patch('liveEventSessions', sessions.twoSources, { recordedSources: ['camera'] });
    expect(await statuses()).toEqual([200, 404, 404, 200]);
    await sandbox.state.patch('liveEventSessions', sessions.twoSources, { recordedSources: [] });
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await sandbox.reset();
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  it('is gone with its session, and with its sandbox', async () => {
    const { sandbox, get } = await recorded();
    await sandbox.state.remove('liveEventSessions', sessions.twoSources);
    for (const file of files) expect([file, (await get(file)).status]).toEqual([file, 404]);
    await sandbox.remove();
    expect((await get('recording.mp4')).detail).toBe(`There is no sandbox "${sandbox.id}".`);
  });

  it.each(['plain', 'Łódź 1/2 ☂ %2f', 'it\'s (quoted) "so" & <so>', '..a'])(
    'is there of a session of any name: %s',
    async (id) => {
      const place = await world(frozen);
      const session = await place.sandbox.state.get('liveEventSessions', sessions.twoSources);
      if (session === null) throw new Error('The demo seed has this session.');
      await place.sandbox.state.put('liveEventSessions', { ...session, id });
      const { sources, downloadUrl } = await recordedIn(place, id);
      const urls = sources.map(
        (source) => `${source.origin}${source.masterM3u8Pathname}${source.urlSearchParamString}`,
      );
      for (const url of [...urls, downloadUrl]) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
      await place.sandbox.clock.advance({ seconds: 3600 });
      for (const url of [...urls, downloadUrl]) expect([url, (await fetch(url)).status]).toEqual([url, 403]);
    },
  );
});

describe("a seed of one's own", () => {
  it('has recordings of its own sessions, and of no others', async () => {
    const seed = seedFolder({
      schools: [{ id: 'a-school', slug: 'riverside', name: 'A School' }],
      products: [{ id: 'a-product', schoolId: 'a-school', title: 'A Product' }],
      liveEvents: [
        {
          id: 'an-event',
          schoolId: 'a-school',
          productId: 'a-product',
          type: 'LiveEventProduct',
          status: 'Active',
          name: 'An Event',
          slug: 'an-event',
          link: '/live/an-event',
          thumbnailUrl: '/assets/live-events/microscopy-night.svg',
        },
      ],
      liveEventSessions: [
        {
          id: 'a-session',
          schoolId: 'a-school',
          liveEventId: 'an-event',
          scheduledStartAtIso: '2026-11-01T09:00:00.000Z',
          scheduledDurationInSecs: 3600,
          endsAtIso: '2026-11-01T10:00:00.000Z',
          recordedSources: ['screen'],
        },
      ],
    });
    const { get, sources } = await recordedIn(await world({ ...frozen, seed }), 'a-session');
    expect(sources).toHaveLength(1);
    expect([(await get('screen/master.m3u8')).status, (await get('camera/master.m3u8')).status]).toEqual([
      200, 404,
    ]);
    const { headers, body } = await get('recording.mp4');
    expect(headers['content-disposition']).toBe('attachment; filename="an-event-2026-11-01.mp4"');
    // An event of another seed has no recording of its own.
    expect(body.equals(clear('recording.mp4', 'test-card'))).toBe(true);
  });
});

describe('another method', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    'is refused with what is allowed: %s',
    async (method) => {
      const { get, query } = await recorded();
      for (const file of ['camera/master.m3u8', 'recording.mp4', 'nothing']) {
        const { status, headers, detail } = await get(file, query, { method });
        expect([status, headers.allow, detail]).toEqual([
          405,
          'GET, HEAD, OPTIONS',
          `Recordings accept only GET and HEAD, not ${method}.`,
        ]);
      }
    },
  );
});

describe('a page on another origin', () => {
  const origin = { Origin: 'https://player.example' };

  it(
    'may read every file and every refusal, and what the headers say of them',
    { tags: ['slow'] },
    async () => {
      const { get, query } = await recorded();
      const fetched = [...files, 'nothing'].flatMap((file) =>
        [query, ''].map(async (sent) => get(file, sent, { headers: origin })),
      );
      for (const { headers } of await Promise.all(fetched)) {
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-expose-headers': expect.stringMatching(
            /Content-Length, Content-Range, Accept-Ranges/,
          ) as string,
          'cache-control': 'no-store',
        });
      }
    },
  );

  it('may ask for a range', async () => {
    const { get, query } = await recorded();
    const asking = {
      ...origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'range',
    };
    for (const sent of [query, '']) {
      const { status, headers, body } = await get('recording.mp4', sent, {
        method: 'OPTIONS',
        headers: asking,
      });
      expect([status, body.length]).toEqual([204, 0]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'range',
        vary: 'Access-Control-Request-Headers',
      });
    }
    const { status, body } = await get('recording.mp4', query, {
      headers: { ...origin, Range: 'bytes=0-9' },
    });
    expect([status, body.equals(clear('recording.mp4').subarray(0, 10))]).toEqual([206, true]);
  });

  it('is told so where it asks for no header, too', async () => {
    const { get, query } = await recorded();
    const { status, headers } = await get('camera/high-0.ts', query, { method: 'OPTIONS', headers: origin });
    expect([status, headers['access-control-allow-headers']]).toEqual([204, 'Range']);
  });
});

describe('a query', () => {
  it.each([
    '?',
    '?&&&',
    '?expires&signature',
    '?expires=&signature=',
    '?expires[]=1&signature[]=2',
    '?expires=1&signature=%',
    '?expires=%zz&signature=%c3%28',
    '?expires=NaN&signature=Infinity',
    '?expires=-0&signature=0',
    '?expires=1e3&signature=0',
    '?expires=0x10&signature=0',
    '?__proto__=1&expires=1&signature=__proto__',
    `?expires=1&signature=${'a'.repeat(64)}`,
    `?expires=${'1'.repeat(7000)}&signature=${'a'.repeat(7000)}`,
    `?${'expires=1&signature=2&'.repeat(500)}`,
    '?expires=1&signature=%c3%a9%e2%98%82',
    '?expires=1&signature="><script>alert(1)</script>',
  ])('is refused, whatever it is: %s', async (query) => {
    const { get } = await recorded();
    const { status, headers, detail, text } = await get('camera/high.m3u8', query);
    expect([status, headers['content-type']]).toEqual([403, 'application/problem+json; charset=utf-8']);
    expect(detail).toMatch(/^The (URL is not signed|signature is invalid): /);
    expect(text.length).toBeLessThan(1000);
  });
});
