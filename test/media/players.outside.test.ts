import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, hasChromium } from '../support/chromium.ts';
import { pageFile } from '../support/recipes.ts';
import { recorded, type PlaybackSource, type Recorded } from './recorded.ts';

/**
 * What the site of another origin has: the page, the players, and the lines of docs/playback.md as they
 * stand.
 */
const site: Readonly<Record<string, readonly [type: string, text: () => string]>> = {
  '/': ['text/html', () => textAt(new URL('player-page.html', import.meta.url))],
  '/hls.mjs': ['text/javascript', () => textAt(import.meta.resolve('hls.js/dist/hls.min.mjs'))],
  '/shaka.js': [
    'text/javascript',
    () => textAt(import.meta.resolve('shaka-player/dist/shaka-player.compiled.js')),
  ],
  '/shaka.mjs': ['text/javascript', () => "import './shaka.js';\nexport default window.shaka;\n"],
  '/play-with-hls.js': ['text/javascript', () => pageFile('playback', 'play-with-hls.js')],
  '/play-with-shaka.js': ['text/javascript', () => pageFile('playback', 'play-with-shaka.js')],
  '/reason.js': ['text/javascript', () => pageFile('playback', 'reason.js')],
};

function textAt(address: string | URL): string {
  return readFileSync(new URL(address), 'utf8');
}

const there = hasChromium();
let server: Server;
let browser: Browser;

beforeAll(async () => {
  if (!there) return;
  server = createServer(({ url = '/' }, response) => {
    const [type, text] = site[url] ?? [];
    if (type === undefined || text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': type }).end(text());
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
  });
}, 60_000);

afterAll(async () => {
  if (!there) return;
  await browser.close();
  server.close();
});

/** A page of another origin, and the files that it asked the sandbox for. */
async function openPage({
  url,
}: Recorded): Promise<{ readonly page: Page; readonly asked: readonly string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(url)) asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, asked };
}

interface Seen {
  readonly time: number;
  readonly width: number;
  readonly decoded: number;
}

const players = ['hls', 'shaka'] as const;
type Player = (typeof players)[number];

async function start(page: Page, player: Player, source: Partial<PlaybackSource> | undefined): Promise<void> {
  await page.evaluate(`start(${JSON.stringify(player)}, ${JSON.stringify(source)})`);
}

function seen(page: Page): Promise<Seen> {
  return page.evaluate('seen()');
}

async function expectPlays(page: Page): Promise<void> {
  await page.waitForFunction('seen().time > 0.4 || errors.some(({ fatal }) => fatal)');
  expect(await page.evaluate('errors.filter(({ fatal }) => fatal)')).toEqual([]);
  const { width, decoded, time } = await seen(page);
  expect([640, 320]).toContain(width);
  expect(decoded).toBeGreaterThan(0);
  expect(time).toBeGreaterThan(0.4);
}

/** Waits until the player gives up; what it said last. */
async function expectGivesUp(page: Page): Promise<unknown> {
  await page.waitForFunction('seen().time > 0 || errors.some(({ fatal }) => fatal)');
  expect(await seen(page)).toEqual({ time: 0, width: 0, decoded: 0 });
  return page.evaluate('errors.find(({ fatal }) => fatal)');
}

describe.skipIf(!there).each(players)(
  `%s in Chromium${there ? '' : ' (skipped: there is none here, and none can be installed)'}`,
  (player) => {
    it('plays by the four fields alone, with the key by hand, on a page of another origin', async () => {
      const recording = await recorded();
      const { page, asked } = await openPage(recording);
      await start(page, player, recording.sources[0]);
      await expectPlays(page);
      expect(asked).toContain('master.m3u8');
      expect(asked).not.toContain('session.key');
    });

    it('plays the other source, with the key by its URI', async () => {
      const recording = await recorded();
      const { page, asked } = await openPage(recording);
      const { clearkeyDecryptionKeyInHex, ...source } = recording.sources[1] ?? {};
      expect(clearkeyDecryptionKeyInHex).toBeDefined();
      await start(page, player, source);
      await expectPlays(page);
      expect(asked).toContain('session.key');
    });

    it('does not play with a wrong key', async () => {
      const recording = await recorded();
      const { page, asked } = await openPage(recording);
      await start(page, player, { ...recording.sources[0], clearkeyDecryptionKeyInHex: 'f'.repeat(32) });
      await expectGivesUp(page);
      expect(asked.some((name) => name.endsWith('.ts'))).toBe(true);
    });

    it.each<
      [
        string,
        string,
        (source: PlaybackSource, recording: Recorded) => PlaybackSource | Promise<PlaybackSource>,
      ]
    >([
      [
        'an altered signature',
        'The signature is invalid',
        (source) => ({
          ...source,
          urlSearchParamString: source.urlSearchParamString.replace(/.$/, (digit) =>
            digit === '0' ? '1' : '0',
          ),
        }),
      ],
      [
        'a URL that expired when the clock of the sandbox went on',
        'The URL expired at 2026-11-20T11:00:00.000Z',
        async (source, { sandbox }) => {
          await sandbox.clock.advance({ seconds: 3600 });
          return source;
        },
      ],
    ])('does not play with %s, and the page can read why', async (_, why, change) => {
      const recording = await recorded();
      const [first] = recording.sources;
      if (first === undefined) throw new Error('This session was recorded.');
      const { page, asked } = await openPage(recording);
      const source = await change(first, recording);
      await start(page, player, source);
      expect(await expectGivesUp(page)).toMatchObject({ status: 403 });
      expect(new Set(asked)).toEqual(new Set(['master.m3u8']));
      const url = `${source.origin}${source.masterM3u8Pathname}${source.urlSearchParamString}`;
      expect(
        await page.evaluate(`import('/reason.js').then(({ reason }) => reason(${JSON.stringify(url)}))`),
      ).toContain(why);
    });
  },
);
