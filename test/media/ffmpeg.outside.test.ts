import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder, type Ended } from '../support/command.ts';
import { pageCommands } from '../support/recipes.ts';
import { serve } from '../support/serve.ts';
import { clear, fixture, frozen, recorded, sourceNames, type PlaybackSource } from './recorded.ts';

const there = spawnSync('ffmpeg', ['-version']).status === 0;
const signed = { ...frozen, assumptions: { playlistUrls: 'signed' } } as const;

/** What ffmpeg decodes of an address: a line with a digest for each frame of each stream. */
function decode(address: string): Promise<Ended> {
  return run(['-v', 'error', '-i', address, '-map', '0', '-f', 'framemd5', '-'], { program: ['ffmpeg'] });
}

function urlOf({ origin, masterM3u8Pathname, urlSearchParamString }: PlaybackSource): string {
  return `${origin}${masterM3u8Pathname}${urlSearchParamString}`;
}

/** The digests of the pictures alone, in their order. */
function pictures(frames: string): readonly string[] {
  const lines = frames.split('\n').filter((line) => line.startsWith('0,'));
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '');
}

describe.skipIf(!there)(
  `ffmpeg${there ? '' : ' (skipped: it is not here; Debian: apt-get install ffmpeg)'}`,
  () => {
    it('decodes both renditions of both sources to the frames of the clear ones, under playlistUrls=signed', async () => {
      const { sources } = await recorded(signed);
      expect(sources).toHaveLength(sourceNames.length);
      const pairs = sources.map(
        async (source, index) =>
          [await decode(urlOf(source)), await decode(fixture(`${sourceNames[index]}/master.m3u8`))] as const,
      );
      for (const [played, plain] of await Promise.all(pairs)) {
        expect(played).toEqual(plain);
        expect([played.code, played.err]).toEqual([0, '']);
        // Two renditions, pictures and sound each; ten pictures a second.
        expect(played.out.match(/^#media_type \d: \w+$/gm)).toEqual([
          '#media_type 0: video',
          '#media_type 1: audio',
          '#media_type 2: video',
          '#media_type 3: audio',
        ]);
        expect(played.out.match(/^#dimensions \d: \w+$/gm)).toEqual([
          '#dimensions 0: 640x360',
          '#dimensions 2: 320x180',
        ]);
        expect(pictures(played.out)).toHaveLength(120);
        expect(new Set(pictures(played.out)).size).toBe(120);
      }
    });

    it('decodes the mp4 to the frames of the larger rendition', async () => {
      const { downloadUrl } = await recorded();
      const [played, plain] = await Promise.all([decode(downloadUrl), decode(fixture('camera/high.m3u8'))]);
      expect([played.code, played.err, pictures(played.out)]).toEqual([0, '', pictures(plain.out)]);
      expect(pictures(played.out)).toHaveLength(120);
    });

    it('decodes nothing with an altered signature, an expired one, or where no query is in the playlists', async () => {
      const [recording, bare] = [await recorded(signed), await recorded()];
      const url = urlOf(recording.sources[0] as PlaybackSource);
      const altered = await decode(url.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')));
      const without = await decode(urlOf(bare.sources[0] as PlaybackSource));
      await recording.sandbox.clock.advance({ seconds: 3600 });
      const expired = await decode(url);
      for (const { code, out } of [altered, expired, without]) expect([code, pictures(out)]).toEqual([1, []]);
      for (const { err } of [altered, expired]) expect(err).toContain('403 Forbidden');
    });

    it('decodes with the key by hand, and no picture with a wrong one', async () => {
      const { get, sources, query } = await recorded();
      const { origin, masterM3u8Pathname, clearkeyDecryptionKeyInHex: key } = sources[0] as PlaybackSource;
      const folder = temporaryFolder();
      const file = join(folder, 'low.m3u8');
      const base = new URL(masterM3u8Pathname, origin);
      const playlist = (await get('camera/low.m3u8')).text.replaceAll(
        /^low-.*$/gm,
        (name) => `${new URL(name, base).href}${query}`,
      );
      writeFileSync(file, playlist.replace('session.key', join(folder, 'session.key')));
      const decodeWith = async (hex: string): Promise<readonly string[]> => {
        writeFileSync(join(folder, 'session.key'), Buffer.from(hex, 'hex'));
        const given = [
          '-allowed_extensions',
          'ALL',
          '-protocol_whitelist',
          'file,http,tcp,crypto',
          '-i',
          file,
        ];
        return pictures(
          (await run(['-v', 'error', ...given, '-f', 'framemd5', '-'], { program: ['ffmpeg'] })).out,
        );
      };
      expect(await decodeWith(key)).toEqual(pictures((await decode(fixture('camera/low.m3u8'))).out));
      expect(await decodeWith('f'.repeat(32))).toEqual([]);
    });

    it('plays what docs/playback.md shows, as it stands there', async () => {
      const server = await serve();
      const folder = temporaryFolder();
      for (const command of [
        ...pageCommands('playback', 'ffmpeg, VLC, Safari'),
        ...pageCommands('playback', 'The mp4'),
      ]) {
        const script = command.replaceAll('http://127.0.0.1:4010', server.url);
        const { code, err } = await run(['-ec', script], { program: ['sh'], cwd: folder });
        expect([command, code, err.replace(/^.*% Total[^]*$/m, '')]).toEqual([command, 0, '']);
      }
      const kept = await decode(join(folder, 'recording.ts'));
      expect(pictures(kept.out)).toEqual(pictures((await decode(fixture('camera/high.m3u8'))).out));
      const download = readdirSync(folder).find((name) => name.endsWith('.mp4')) ?? '';
      expect(download).toMatch(/^python-office-hours-\d{4}-\d\d-\d\d\.mp4$/);
      expect(readFileSync(join(folder, download)).equals(clear('recording.mp4'))).toBe(true);
    });
  },
);
