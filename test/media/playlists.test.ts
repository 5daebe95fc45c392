import { createDecipheriv } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import { sessions } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { resultOf } from '../support/world.ts';
import {
  clear,
  frozen,
  recorded,
  recordedIn,
  sourceNames,
  type PlaybackSource,
  type Recorded,
} from './recorded.ts';

const renditions = sourceNames.flatMap((source) => ['high', 'low'].map((name) => [source, name] as const));

/** The lines of a playlist that start with a word. */
function tags(playlist: string, word: string): readonly string[] {
  return playlist.split('\n').filter((line) => line.startsWith(word));
}

/** What a playlist names: files, and the key. */
function names(playlist: string): readonly string[] {
  return [...playlist.matchAll(/URI="([^"]*)"/g)]
    .map(([, uri = '']) => uri)
    .concat(playlist.split('\n').filter((line) => /^[^#]/.test(line)));
}

async function playlistOf({ get }: Recorded, file: string): Promise<string> {
  const { status, headers, text } = await get(file);
  expect([file, status, headers['content-type']]).toEqual([
    file,
    200,
    'application/vnd.apple.mpegurl; charset=utf-8',
  ]);
  return text;
}

/** The IV that a media playlist gives explicitly. */
function ivOf(playlist: string): string {
  return /IV=0x([0-9a-f]{32})$/m.exec(playlist)?.[1] ?? '';
}

/**
 * What a player gets out of a segment: nothing where the padding at the end is none, as with nearly every
 * wrong key.
 */
function opened(bytes: Buffer, key: string, iv: string): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.from(iv, 'hex'));
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    return Buffer.alloc(0);
  }
}

describe('the multivariant playlist', () => {
  it.each(sourceNames)('of %s has two renditions of H.264 and AAC, in version 3', async (source) => {
    const playlist = await playlistOf(await recorded(), `${source}/master.m3u8`);
    expect(playlist).toMatch(/^#EXTM3U\n/);
    expect(tags(playlist, '#EXT-X-VERSION')).toEqual(['#EXT-X-VERSION:3']);
    expect(tags(playlist, '#EXT-X-STREAM-INF')).toEqual([
      expect.stringMatching(/BANDWIDTH=\d+,RESOLUTION=640x360,CODECS="avc1\.\w{6},mp4a\.40\.2"$/),
      expect.stringMatching(/BANDWIDTH=\d+,RESOLUTION=320x180,CODECS="avc1\.\w{6},mp4a\.40\.2"$/),
    ]);
    expect(names(playlist)).toEqual(['high.m3u8', 'low.m3u8']);
  });

  it('tells of no less bandwidth than the largest segment takes', async () => {
    for (const source of sourceNames) {
      const playlist = await playlistOf(await recorded(), `${source}/master.m3u8`);
      const told = [...playlist.matchAll(/BANDWIDTH=(\d+)/g)].map(([, bits]) => Number(bits));
      const taken = ['high', 'low'].map((name) =>
        Math.max(...[0, 1, 2].map((n) => clear(`${source}/${name}-${n}.ts`).length * 2)),
      );
      expect(told.map((bits, index) => bits >= (taken[index] ?? Infinity))).toEqual([true, true]);
    }
  });
});

describe('a media playlist', () => {
  it.each(renditions)(
    'of %s, %s, is on demand, in version 3, with one key and an explicit IV ahead of all segments',
    async (source, name) => {
      const playlist = await playlistOf(await recorded(), `${source}/${name}.m3u8`);
      expect(tags(playlist, '#EXT-X-VERSION')).toEqual(['#EXT-X-VERSION:3']);
      expect(tags(playlist, '#EXT-X-PLAYLIST-TYPE')).toEqual(['#EXT-X-PLAYLIST-TYPE:VOD']);
      expect(playlist).toMatch(/#EXT-X-ENDLIST\n$/);
      expect(tags(playlist, '#EXTINF')).toEqual(Array.from({ length: 3 }, () => '#EXTINF:4.000000,'));
      expect(tags(playlist, '#EXT-X-KEY')).toEqual([
        expect.stringMatching(/^#EXT-X-KEY:METHOD=AES-128,URI="session.key",IV=0x[0-9a-f]{32}$/),
      ]);
      expect(playlist.indexOf('#EXT-X-KEY')).toBeLessThan(playlist.indexOf('#EXTINF'));
    },
  );

  it.each(renditions)(
    'of %s, %s, names the key and its segments in its own directory',
    async (source, name) => {
      const recording = await recorded();
      const named = names(await playlistOf(recording, `${source}/${name}.m3u8`));
      expect(named).toEqual(['session.key', `${name}-0.ts`, `${name}-1.ts`, `${name}-2.ts`]);
      for (const file of named) expect((await recording.get(`${source}/${file}`)).status).toBe(200);
    },
  );

  it('has an IV that no other has', { tags: ['slow'] }, async () => {
    const recording = await recorded();
    const other = await recordedIn(recording, 'c03a88fa1d729b1d39289e1e');
    const ivs: string[] = [];
    for (const one of [recording, other])
      for (const [source, name] of renditions)
        ivs.push(ivOf(await playlistOf(one, `${source}/${name}.m3u8`)));
    expect(new Set(ivs).size).toBe(8);
  });

  it('is the same at every time', async () => {
    const recording = await recorded();
    const before = await playlistOf(recording, 'camera/high.m3u8');
    await recording.sandbox.clock.advance({ seconds: 60 });
    expect(await playlistOf(recording, 'camera/high.m3u8')).toBe(before);
  });
});

describe('a segment', () => {
  it.each(renditions)(
    "of %s, %s, is the clear one under the API's key and the playlist's IV, byte for byte",
    async (source, name) => {
      const recording = await recorded();
      const { clearkeyDecryptionKeyInHex: key = '' } = recording.sources[sourceNames.indexOf(source)] ?? {};
      const iv = ivOf(await playlistOf(recording, `${source}/${name}.m3u8`));
      for (const file of [0, 1, 2].map((number) => `${source}/${name}-${number}.ts`)) {
        const { headers, body } = await recording.get(file);
        expect([headers['content-type'], headers['content-length']]).toEqual([
          'video/mp2t',
          String(body.length),
        ]);
        expect(body.length % 16).toBe(0);
        expect(opened(body, key, iv).equals(clear(file))).toBe(true);
      }
    },
  );

  it.each([
    [
      'another key',
      (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      (iv: string) => iv,
    ],
    ['another IV', (key: string) => key, (iv: string) => `${iv.slice(0, -1)}${iv.endsWith('0') ? '1' : '0'}`],
  ])('does not become the clear one with %s', async (_, changeKey, changeIv) => {
    const recording = await recorded();
    const key = changeKey(recording.sources[0]?.clearkeyDecryptionKeyInHex ?? '');
    const iv = changeIv(ivOf(await playlistOf(recording, 'camera/high.m3u8')));
    for (const file of ['camera/high-0.ts', 'camera/high-1.ts', 'camera/high-2.ts']) {
      const { body } = await recording.get(file);
      expect(opened(body, key, iv).equals(clear(file))).toBe(false);
    }
  });

  it('has the same length to HEAD', async () => {
    const recording = await recorded();
    for (const file of ['camera/high-0.ts', 'screen/low-2.ts']) {
      const [head, whole] = [
        await recording.get(file, recording.query, { method: 'HEAD' }),
        await recording.get(file),
      ];
      expect([head.headers['content-length'], head.body.length]).toEqual([String(whole.body.length), 0]);
    }
  });
});

describe('the key', () => {
  it("behind the URI is the API's, for both sources", async () => {
    const { sources, get } = await recorded();
    for (const [index, source] of sourceNames.entries()) {
      const { headers, body } = await get(`${source}/session.key`);
      expect([headers['content-type'], headers['content-length']]).toEqual([
        'application/octet-stream',
        '16',
      ]);
      expect(body.toString('hex')).toBe(sources[index]?.clearkeyDecryptionKeyInHex);
    }
  });

  it('of one session does not open what is of another', async () => {
    const one = await recorded();
    const other = await recordedIn(one, sessions.oneSource);
    const [mine, theirs] = [one, other].map(({ sources }) => sources[0]?.clearkeyDecryptionKeyInHex ?? '');
    expect(mine).not.toBe(theirs);
    const iv = ivOf(await playlistOf(one, 'camera/high.m3u8'));
    const { body } = await one.get('camera/high-0.ts');
    expect(opened(body, mine ?? '', iv).equals(clear('camera/high-0.ts'))).toBe(true);
    expect(opened(body, theirs ?? '', iv).equals(clear('camera/high-0.ts'))).toBe(false);
  });
});

/**
 * Follows every name from a concatenated URL on, as a player does that appends the query itself. How many
 * files there are.
 */
async function follow({ masterM3u8Pathname, origin, urlSearchParamString }: PlaybackSource): Promise<number> {
  let count = 0;
  const visit = async (url: string): Promise<void> => {
    count += 1;
    const reply = await fetch(url);
    expect([url, reply.status]).toEqual([url, 200]);
    const text = await reply.text();
    if (url.includes('.m3u8'))
      for (const name of names(text)) await visit(`${new URL(name, url).href}${urlSearchParamString}`);
  };
  await visit(`${origin}${masterM3u8Pathname}${urlSearchParamString}`);
  return count;
}

describe('a URL', () => {
  it(
    'is plainly put together, and everything that it leads to is one of the same kind',
    { tags: ['slow'] },
    async () => {
      // Both playlists name the key.
      for (const source of (await recorded()).sources) expect(await follow(source)).toBe(11);
    },
  );

  it.each(['', '/', '/some/where', '/some/where/'])(
    'is on the public URL where there is one, with whatever path: "%s"',
    { tags: ['slow'] },
    async (path) => {
      const proxy = await proxyAt(path.replace(/\/$/, ''));
      const running = await startServer(
        { port: 0, publicUrl: `${proxy.url}${path}` },
        { out: () => {}, err: () => {}, owner: 'a test' },
      );
      onTestFinished(running.stop);
      proxy.leadTo(running.listening.port);
      const ask = async (operation: string): Promise<Record<string, unknown>> =>
        resultOf(
          await supertest(proxy.url)
            .post(`${path.replace(/\/$/, '')}/public/${operation}`)
            .set('SERVICE-API-KEY', 'sbx_default_riverside')
            .send({ data: [{ data: { liveEventSessionId: sessions.twoSources } }] }),
        );
      const { playbackSources } = await ask('get-signed-url-data-for-live-event-session-playback');
      for (const source of playbackSources as readonly PlaybackSource[]) {
        expect(source.origin).toBe(`${proxy.url}${path.replace(/\/$/, '')}`);
        expect(await follow(source)).toBe(11);
      }
      const { downloadUrl } = await ask('get-live-event-session-processed-mp4');
      expect(String(downloadUrl).startsWith(`${proxy.url}${path.replace(/\/$/, '')}/media/`)).toBe(true);
      const download = await fetch(String(downloadUrl));
      expect(download.status).toBe(200);
      // A connection over which more is to come would keep the server from stopping.
      await download.body?.cancel();
    },
  );
});

/** What stands in front of a server, at a path that it takes away. */
async function proxyAt(path: string): Promise<{ readonly url: string; leadTo(port: number): void }> {
  let target = 0;
  const server = createServer((asked, answered) => {
    const { url = '', method, headers } = asked;
    if (!url.startsWith(`${path}/`)) return void answered.writeHead(404).end();
    const passed = request({ port: target, path: url.slice(path.length), method, headers }, (reply) => {
      answered.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answered);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, leadTo: (to) => (target = to) };
}

describe('under playlistUrls=signed', () => {
  const signed = { ...frozen, assumptions: { playlistUrls: 'signed' } } as const;

  it(
    'every name in a playlist has the query that opened the playlist, and opens',
    { tags: ['slow'] },
    async () => {
      const recording = await recorded(signed);
      const { query, get } = recording;
      for (const source of sourceNames) {
        const variants = names(await playlistOf(recording, `${source}/master.m3u8`));
        expect(variants).toEqual([`high.m3u8${query}`, `low.m3u8${query}`]);
        for (const variant of variants) {
          const { text } = await get(`${source}/${variant}`, '');
          const [key, ...segments] = names(text);
          expect(key).toBe(`session.key${query}`);
          expect(segments).toEqual(
            [0, 1, 2].map((number) => `${variant.slice(0, variant.indexOf('.'))}-${number}.ts${query}`),
          );
          for (const name of [key, ...segments])
            expect((await get(`${source}/${name}`, '')).status).toBe(200);
        }
      }
    },
  );

  it('a playlist is else the same', async () => {
    const [bare, written] = [await recorded(), await recorded(signed)];
    for (const file of ['camera/master.m3u8', 'screen/low.m3u8'])
      expect((await playlistOf(written, file)).replaceAll(written.query, '')).toBe(
        await playlistOf(bare, file),
      );
  });

  it.each([
    ['repeated', (query: string) => `${query}&expires=1&signature=2${query.replace('?', '&')}`],
    ['large', (query: string) => `${query}&padding=${'x'.repeat(12_000)}`],
    ['of letters that are not ASCII', (query: string) => `${query}&name=${encodeURIComponent('Łódź ☂')}&%FF`],
    ['with lines and quotes in it', (query: string) => `${query}&x=%0A%23EXT-X-KEY%3AMETHOD%3DNONE%22%0D%0A`],
    ['with raw quotes and patterns in it', (query: string) => `${query}&x="'$&$1\\<>{}|^\``],
    ['put in another order', (query: string) => query.replace(/\?(.*)&(.*)/, '?$2&$1')],
  ])('a query that is %s leaves only what opens in the lines', async (_, change) => {
    const recording = await recorded(signed);
    const { status, text } = await recording.get('camera/high.m3u8', change(recording.query));
    expect([status, text]).toEqual([200, await playlistOf(recording, 'camera/high.m3u8')]);
  });
});
