import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { resultOf, world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's player${whereSkipped}`, () => {
  it('plays a recording with what the public API returned, until the clock has gone past the URL', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get playback data' }).click();
    await page.getByText('clearkeyDecryptionKeyInHex').waitFor();
    await expect
      .poll(() => page.evaluate('document.querySelector("video").currentTime'), { timeout: 10_000 })
      .toBeGreaterThan(0.4);
    expect(Number(await page.evaluate('document.querySelector("video").videoWidth'))).toBeGreaterThan(0);
    const [{ operation } = {}] = await sandbox.journal.list();
    expect(operation).toBe('get-signed-url-data-for-live-event-session-playback');
    await page.getByRole('button', { name: 'Expire URL' }).click();
    await page.getByText('HTTP 403. The server returned: The URL expired at').waitFor();
    const expired = Date.parse(await sandbox.clock.now());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(Date.parse(await sandbox.clock.now())).toBeLessThan(expired);
    // The same source plays again.
    await page.getByText('Fetched and decrypted segment 0.').waitFor();
  });

  it('starts no video by itself if a person has asked for less motion', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`, {
      prepare: (blank) => blank.emulateMedia({ reducedMotion: 'reduce' }),
    });
    for (const [kind, label] of [
      ['Get playback data', 'The recording'],
      ['Get mp4', 'The mp4'],
    ] as const) {
      await page.getByRole('button', { name: kind }).click();
      const video = page.getByLabel(label);
      await video.waitFor();
      expect(await video.getAttribute('autoplay')).toBeNull();
      expect(await video.getAttribute('controls')).not.toBeNull();
    }
  });

  it('moves the clock once, however often the URL is made to expire, and still offers to undo that', async () => {
    const { url, sandbox } = await world();
    await sandbox.clock.set({ mode: 'frozen' });
    const before = await sandbox.clock.now();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get playback data' }).click();
    const expire = page.getByRole('button', { name: 'Expire URL' });
    await expire.click();
    await page.getByText('HTTP 403. The server returned: The URL expired at').waitFor();
    const expired = await sandbox.clock.now();
    const replayed = page.waitForResponse((response) => response.status() === 403);
    await expire.click();
    await replayed;
    expect(await sandbox.clock.now()).toBe(expired);
    await page.getByText('Expired the URL: moved the clock forward by').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.clock.now()).toBe(before);
  });

  it('warns before the undo of an expiry that somebody else has set the clock since', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get playback data' }).click();
    await page.getByRole('button', { name: 'Expire URL' }).click();
    await page.getByText(/^Expired the URL: moved the clock forward by \d+ (h|min)/).waitFor();
    await sandbox.clock.advance({ seconds: 60 });
    const before = Date.parse(await sandbox.clock.now());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Since then, the clock changed. Undo discards').waitFor();
    expect(Date.parse(await sandbox.clock.now())).toBeGreaterThanOrEqual(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(Date.parse(await sandbox.clock.now())).toBeLessThan(before);
  });

  it('plays the source whose button is pressed', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get playback data' }).click();
    const buttons = page.getByRole('group', { name: 'Sources' }).getByRole('button');
    await buttons.nth(1).waitFor();
    const { playbackSources } = resultOf(
      await call('get-signed-url-data-for-live-event-session-playback', {
        liveEventSessionId: await page.getByLabel('Session').inputValue(),
      }),
    ) as { playbackSources: readonly { masterM3u8Pathname: string }[] };
    expect(await buttons.count()).toBe(playbackSources.length);
    for (const [place, { masterM3u8Pathname }] of [...playbackSources.entries()].toReversed()) {
      const playlist = page.waitForRequest(
        (request) => new URL(request.url()).pathname === masterM3u8Pathname,
      );
      await buttons.nth(place).click();
      await playlist;
      await page.getByRole('definition').filter({ hasText: masterM3u8Pathname }).waitFor();
      await expect.poll(() => buttons.nth(place).getAttribute('aria-pressed')).toBe('true');
      await page.getByText('Fetched and decrypted segment 0.').waitFor();
    }
  });

  it('plays the mp4 that the public API returned, and has it to keep, until its URL expires', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get mp4' }).click();
    await expect
      .poll(() => page.evaluate('document.querySelector("video")?.currentTime ?? 0'), { timeout: 10_000 })
      .toBeGreaterThan(0.4);
    const [{ operation } = {}] = await sandbox.journal.list();
    expect(operation).toBe('get-live-event-session-processed-mp4');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download mp4' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.mp4$/);
    expect((await readFile(await download.path())).subarray(4, 8).toString()).toBe('ftyp');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Expire URL' }).click();
    await page.getByText('The URL has expired. A new request returns: The URL expired at').waitFor();
    await sandbox.faults.add({ fault: 'output-error', with: { message: 'Not processed yet.' } });
    await page.getByRole('button', { name: 'Get mp4' }).click();
    await page.getByRole('alert').getByText('Not processed yet.').waitFor();
  });

  it('says what the API answered where it gives no playback data', async () => {
    const { url, sandbox } = await world();
    await sandbox.faults.add({ fault: 'http-error', with: { status: 503 } });
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get playback data' }).click();
    await page.getByRole('alert').getByText('The public API returned 503').waitFor();
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`, { width, colorScheme });
    await page.getByRole('button', { name: 'Get playback data' }).click();
    await page.getByText('Fetched and decrypted segment 0.').waitFor();
    await expectAccessible(page);
  });
});
