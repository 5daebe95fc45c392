import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`what the page of a school shows${whereSkipped}`, () => {
  it('has, at each value that the API does not return, what it returns, and a link to the reason', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/school/${sandbox.id}/riverside/videos`, { width: 375 });
    const video = page.getByRole('listitem').filter({ hasText: 'Welcome to Riverside Academy' });
    await video.getByText('Ready', { exact: true }).waitFor();
    await video.getByRole('link', { name: 'the API returns CcFailed' }).waitFor();
    const failed = page.getByRole('listitem').filter({ hasText: 'A Walk Along the River: Campus Tour' });
    expect(await failed.getByText('the API returns').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Live events' }).click();
    const workshop = page.getByRole('listitem').filter({ hasText: 'LiveEventWorkshop' });
    await workshop.getByRole('link', { name: 'the API returns LiveEventProduct' }).first().waitFor();
    await page.getByRole('link', { name: 'the API returns Active' }).first().waitFor();
    await page.goto(`${url}/school/${sandbox.id}/riverside/courses`);
    await page.getByRole('link', { name: 'Practical Programming with Python' }).click();
    await page.getByRole('link', { name: 'Check Yourself: Variables and Types' }).click();
    await page.getByRole('link', { name: 'the API returns Article' }).click();
    await page.getByRole('article', { name: 'openValues' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('radio', { name: /^plausible/ }).click();
    await page.getByText('Set openValues to plausible.').waitFor();
    await page.goto(`${url}/school/${sandbox.id}/riverside/videos`);
    await video.getByText('Ready', { exact: true }).waitFor();
    expect(await page.getByText('the API returns').count()).toBe(0);
  });

  it('has the color of the school, and another one only for a school without a color', async () => {
    const { url, sandbox } = await world();
    const [, hillcrest] = await sandbox.state.list('schools');
    const page = await open(`${url}/school/${sandbox.id}/hillcrest`);
    const banner = page.getByRole('region', { name: 'School' });
    const background = () =>
      page.evaluate("getComputedStyle(document.querySelector('.banner')).backgroundColor");
    await expect.poll(background).toBe('rgb(143, 31, 43)');
    expect(await banner.evaluate((element) => element.className)).not.toContain('tint');
    if (hillcrest === undefined) throw new Error('There is no such school.');
    const { color: _, ...plain } = hillcrest;
    await sandbox.state.put('schools', plain);
    await page.reload();
    await expect.poll(() => banner.evaluate((element) => element.className)).toContain('tint');
  });

  it('has each date, and the state of each session with its button, on one line at every width', async () => {
    const { url, sandbox } = await world();
    for (const width of [375, 1280, 2560]) {
      const page = await open(`${url}/school/${sandbox.id}/hillcrest/coupons`, { width });
      await page.getByText('OPEN-EVENING-25', { exact: true }).waitFor();
      const lines = await page
        .locator('.together')
        .evaluateAll((elements) => elements.map((element) => element.getClientRects().length));
      expect(new Set(lines)).toEqual(new Set([1]));
      await page.goto(`${url}/school/${sandbox.id}/riverside/live-events`);
      const line = page.locator('.sessions .row').filter({ hasText: 'Play' }).first();
      await line.waitFor();
      const play = await line.getByRole('button').boundingBox();
      const state = await line.getByText('ended').boundingBox();
      expect(Math.abs((play?.y ?? 0) - (state?.y ?? 0))).toBeLessThan(play?.height ?? 0);
    }
  });

  it('finds a search again after Back, pressed right after typing, and Forward', async () => {
    const { url, sandbox } = await world();
    const at = `${url}/school/${sandbox.id}/riverside`;
    const page = await open(`${at}/courses`);
    const field = page.getByRole('searchbox');
    for (const [link, section] of [
      ['Coupons', 'coupons'],
      ['Videos', 'videos'],
    ] as const) {
      await page.goto(`${at}/courses`);
      await page.getByRole('link', { name: link }).click();
      await page.getByText(new RegExp(`^[1-9]\\d* ${section}$`)).waitFor();
      await page.evaluate(`(async () => {
        const field = document.querySelector('input[type=search]');
        for (const text of ['wee', 'week']) {
          field.value = text;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
        for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
        setTimeout(() => history.back());
      })()`);
      await page.getByText(/^\d+ courses$/).waitFor();
      await page.goForward();
      await page.waitForURL(`${at}/${section}?search=week`);
      await expect.poll(() => field.inputValue()).toBe('week');
      await page.getByText(new RegExp(`^\\d+ of \\d+ ${section}$`)).waitFor();
    }
  });
});
