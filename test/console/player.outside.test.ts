import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's player${whereSkipped}`, () => {
  it('plays a recording with what the public API returned, until the clock has gone past the URL', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get the playback data' }).click();
    await page.getByText('clearkeyDecryptionKeyInHex').waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("video").currentTime'), { timeout: 10_000 }).toBeGreaterThan(0.4);
    expect(Number(await page.evaluate('document.querySelector("video").videoWidth'))).toBeGreaterThan(0);
    const [{ operation } = {}] = await sandbox.journal.list();
    expect(operation).toBe('get-signed-url-data-for-live-event-session-playback');
    await page.getByRole('button', { name: 'Let the URL expire' }).click();
    await page.getByText('HTTP 403. The server says: The URL expired at').waitFor();
    await page.getByRole('button', { name: 'Get the playback data' }).click();
    await page.getByText('Segment 0 was fetched and decrypted.').waitFor();
  });

  it('says what the API answered where it gives no playback data', async () => {
    const { url, sandbox } = await world();
    await sandbox.faults.add({ fault: 'http-error', with: { status: 503 } });
    const page = await open(`${url}/console/${sandbox.id}/player`);
    await page.getByRole('button', { name: 'Get the playback data' }).click();
    await page.getByRole('alert').getByText('The public API answered 503').waitFor();
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/player`, { width, colorScheme });
    await page.getByRole('button', { name: 'Get the playback data' }).click();
    await page.getByText('Segment 0 was fetched and decrypted.').waitFor();
    await expectAccessible(page);
  });
});
