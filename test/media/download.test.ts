import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { world } from '../support/world.ts';
import { clear, fetchRaw, recorded, recordedIn, type Asking, type Fetched } from './recorded.ts';

const mp4 = clear('recording.mp4');
const { length } = mp4;

/** What comes of the mp4 to somebody who asks with these headers. */
async function download(headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Fetched> {
  return (await recorded()).get('recording.mp4', undefined, { headers, method });
}

async function tagOf(): Promise<string> {
  return (await download()).headers.etag ?? '';
}

describe('the mp4', () => {
  it('is the recording byte for byte, with its length, a tag, and the offer of ranges', async () => {
    const { status, headers, body } = await download();
    expect([status, body.equals(mp4)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(length),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) as string,
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('content-range');
  });

  it('begins with its index, so that it plays while it comes', () => {
    expect(mp4.indexOf('moov')).toBeGreaterThan(0);
    expect(mp4.indexOf('moov')).toBeLessThan(mp4.indexOf('mdat'));
  });

  it('has the name of the live event and the day of the session to be kept under', async () => {
    const { headers } = await download();
    expect(headers['content-disposition']).toBe('attachment; filename="python-office-hours-2026-11-09.mp4"');
  });

  it('has a name that is one, whatever the event is called', async () => {
    const place = await recorded();
    const session = await place.sandbox.state.get('liveEventSessions', sessions.twoSources);
    const nameUnder = async (slug: string): Promise<string | undefined> => {
      await place.sandbox.state.patch('liveEvents', session?.liveEventId ?? '', { slug });
      return (await place.get('recording.mp4')).headers['content-disposition'];
    };
    expect(await nameUnder('"; evil="../../x\r\nSet-Cookie: a=b')).toMatch(
      /^attachment; filename="[\w.-]+"$/,
    );
    expect(await nameUnder('Łódź ☂')).toMatch(/^attachment; filename="[\w.-]+"$/);
  });

  it('has the same headers to HEAD, and no ranges, which only GET has', async () => {
    const [whole, head, ranged] = [
      await download(),
      await download({}, 'HEAD'),
      await download({ Range: 'bytes=0-9' }, 'HEAD'),
    ];
    for (const { status, headers, body } of [head, ranged]) {
      expect([status, body.length]).toEqual([200, 0]);
      for (const name of ['content-type', 'content-length', 'accept-ranges', 'etag', 'content-disposition'])
        expect([name, headers[name]]).toEqual([name, whole.headers[name]]);
    }
  });

  it(
    'has a tag that stays, in every session and sandbox, as long as the recording does',
    { tags: ['slow'] },
    async () => {
      const place = await recorded();
      const other = await recordedIn(place, sessions.oneSource);
      expect((await place.get('recording.mp4')).headers.etag).toBe(await tagOf());
      expect((await other.get('recording.mp4')).headers.etag).toBe(await tagOf());
    },
  );
});

describe('a range of the mp4', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-199', 100, 199],
    ['bytes=100-', 100, length - 1],
    ['bytes=0-', 0, length - 1],
    ['bytes=-1', length - 1, length - 1],
    ['bytes=-100', length - 100, length - 1],
    [`bytes=-${length}`, 0, length - 1],
    [`bytes=-${length + 1}`, 0, length - 1],
    [`bytes=${length - 1}-`, length - 1, length - 1],
    [`bytes=10-${length + 1000}`, 10, length - 1],
  ])('%s is answered with 206 and those bytes', async (range, first, last) => {
    const { status, headers, body } = await download({ Range: range });
    expect([status, headers['content-range'], headers['content-length']]).toEqual([
      206,
      `bytes ${first}-${last}/${length}`,
      String(last - first + 1),
    ]);
    expect(body.equals(mp4.subarray(first, last + 1))).toBe(true);
  });

  it.each([`bytes=${length}-`, `bytes=${length + 5}-${length + 9}`, 'bytes=-0'])(
    '%s that has none of its bytes is answered with 416',
    async (range) => {
      const { status, headers, detail } = await download({ Range: range });
      expect([status, headers['content-range'], headers['content-type']]).toEqual([
        416,
        `bytes */${length}`,
        'application/problem+json; charset=utf-8',
      ]);
      expect(detail).toBe(`The recording has ${length} bytes, none of which is in ${range}.`);
      expect(headers).not.toHaveProperty('content-disposition');
    },
  );

  it.each(['lines=0-9', 'bytes', 'bytes=0-9,20-29', '0-9'])(
    '%s that is none, or several, gets the whole',
    async (range) => {
      const { status, body } = await download({ Range: range });
      expect([status, body.equals(mp4)]).toEqual([200, true]);
    },
  );

  it('rebuilds it byte for byte with others, in whichever order they come', { tags: ['slow'] }, async () => {
    const { get } = await recorded();
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 8 });
    const rebuilt = fc.asyncProperty(cuts, fc.infiniteStream(fc.nat()), async (places, order) => {
      const starts = [0, ...places.toSorted((one, other) => one - other)];
      const ranges = starts.map((first, index) => ({
        first,
        last: (starts[index + 1] ?? length) - 1,
        rank: order.next().value ?? 0,
      }));
      const copy = Buffer.alloc(length);
      await Promise.all(
        ranges
          .toSorted((one, other) => one.rank - other.rank)
          .map(async ({ first, last }) => {
            const { status, body } = await get('recording.mp4', undefined, {
              headers: { Range: `bytes=${first}-${last}` },
            });
            expect([status, body.length]).toEqual([206, last - first + 1]);
            body.copy(copy, first);
          }),
      );
      expect(copy.equals(mp4)).toBe(true);
    });
    await fc.assert(rebuilt, { numRuns: 25, endOnFailure: true });
  });

  it('is given as long as the recording has the tag that If-Range names, else the whole', async () => {
    const range = { Range: 'bytes=10-19' };
    const { status, body } = await download({ ...range, 'If-Range': await tagOf() });
    expect([status, body.equals(mp4.subarray(10, 20))]).toEqual([206, true]);
    for (const other of ['"another"', 'Fri, 20 Nov 2026 10:00:00 GMT'])
      expect([other, (await download({ ...range, 'If-Range': other })).status]).toEqual([other, 200]);
  });
});

describe('an mp4 that is there already', () => {
  it('is not sent again', { tags: ['slow'] }, async () => {
    for (const known of [await tagOf(), `"another", ${await tagOf()}`, '*']) {
      const { status, body, headers } = await download({ 'If-None-Match': known });
      expect([status, body.length, headers.etag]).toEqual([304, 0, await tagOf()]);
    }
    expect((await download({ 'If-None-Match': '"another"' })).status).toBe(200);
  });

  it('is refused where If-Match wants another one', async () => {
    expect((await download({ 'If-Match': await tagOf() })).status).toBe(200);
    const { status, detail } = await download({ 'If-Match': '"another"' });
    expect([status, detail]).toEqual([
      412,
      `The recording does not match If-Match or If-Unmodified-Since: its ETag is ${await tagOf()}.`,
    ]);
  });
});

describe('the signature of an mp4', () => {
  it.each<readonly [string, Asking]>([
    ['a range', { headers: { Range: 'bytes=0-9' } }],
    ['a range that there is not', { headers: { Range: `bytes=${length}-` } }],
    ['a tag that fits', { headers: { 'If-None-Match': '*' } }],
  ])('is looked at before %s', async (_, asking) => {
    const { get, sandbox, query } = await recorded();
    expect((await get('recording.mp4', '', asking)).detail).toContain('The URL is not signed');
    await sandbox.clock.advance({ seconds: 3600 });
    const { status, detail, headers } = await get('recording.mp4', query, asking);
    expect([status, detail, headers['content-range']]).toEqual([
      403,
      expect.stringContaining('The URL expired at'),
      undefined,
    ]);
  });

  it('is part of downloadUrl, which is used as it is', async () => {
    const { url, downloadUrl } = await recorded();
    expect((await fetchRaw(url, downloadUrl.slice(url.length))).body.equals(mp4)).toBe(true);
  });
});

describe('the recording', () => {
  it('of a session that has one source only is that source, and the mp4', { tags: ['slow'] }, async () => {
    const { get, sources } = await recordedIn(await world(), sessions.oneSource);
    expect(sources).toHaveLength(1);
    expect([(await get('camera/master.m3u8')).status, (await get('recording.mp4')).status]).toEqual([
      200, 200,
    ]);
    const { status, detail } = await get('screen/master.m3u8');
    expect([status, detail]).toEqual([
      404,
      'There is no "screen/master.m3u8" in the recording of this session.',
    ]);
  });
});
