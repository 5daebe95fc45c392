import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { guides } from '../../src/pages/guides.ts';
import {
  browserIsThere,
  expectAccessible,
  whereSkipped,
  withBrowser,
  type OpenOptions,
} from '../support/console-page.ts';
import { serve } from '../support/serve.ts';

const open = withBrowser();

const looks: readonly OpenOptions[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
  { width: 2560, colorScheme: 'dark' },
];

/** Opens an operation of the reference by its path. */
async function unfold(page: Page, operation: string): Promise<void> {
  await page
    .getByRole('button', { name: `/public/${operation}` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Execute' }).waitFor();
}

describe.skipIf(!browserIsThere)(`the reference${whereSkipped}`, () => {
  it('tries an operation on this server with a key that is filled in, under a strict policy', async () => {
    const server = await serve();
    const page = await open(`${server.url}/docs`);
    await unfold(page, 'list-assignments');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"ok"').first().waitFor();
    const [call] = await server.default.journal.list();
    expect(call).toMatchObject({
      operation: 'list-assignments',
      school: 'riverside',
      status: 200,
      violations: [],
    });
  });

  it('sends calls as the school and to the sandbox that are selected, which may be new', async () => {
    const server = await serve();
    const other = await server.createSandbox({ id: 'other' });
    const page = await open(`${server.url}/docs`);
    await page.getByLabel('School').selectOption('Hillcrest College');
    await page.getByLabel('Sandbox', { exact: true }).fill('other');
    await page.keyboard.press('Tab');
    await page.getByText('sbx_other_hillcrest').first().waitFor();
    await unfold(page, 'get-all-instructors');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"ok"').first().waitFor();
    expect(await other.journal.list()).toMatchObject([{ school: 'hillcrest', status: 200 }]);
    await page.getByLabel('Sandbox', { exact: true }).fill('build-7');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByRole('link', { name: 'Open build-7-1 in the journal' }).waitFor();
  });

  it('selects among the schools that the keys of the start page name, if the control plane is elsewhere', async () => {
    const { url } = await serve({ controlPort: 'off' });
    const page = await open(`${url}/docs`);
    await page.getByLabel('School').selectOption('hillcrest');
    await page.getByText('sbx_default_hillcrest').first().waitFor();
  });

  it('leads from a response to its request in the journal', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await unfold(page, 'get-all-instructors');
    await page.getByRole('button', { name: 'Execute' }).click();
    const link = page.getByRole('link', { name: /^Open default-\d+ in the journal$/ });
    const [, requestId] = /Open (\S+)/.exec((await link.textContent()) ?? '') ?? [];
    await link.click();
    await page.waitForURL(`${url}/console/default/journal?request=${requestId}`);
    await page.getByText('/public/get-all-instructors').first().waitFor();
  });

  it('shows a call as code in six languages, with the key and the body of the page', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await unfold(page, 'get-quiz-details');
    const code = page.getByLabel('The call as code');
    expect(await code.textContent()).toMatch(
      /^curl http.*\/public\/get-quiz-details[^]*sbx_default_riverside[^]*"quizId"/,
    );
    await page.getByLabel('School').selectOption('Hillcrest College');
    await page.getByLabel('Request body').fill('{"data":[{"data":{"quizId":"mine"}}]}');
    for (const [name, start] of [
      ['fetch', 'const response = await fetch('],
      ['Python', 'import requests'],
      ['Java', 'import java.net.URI;'],
      ['Go', 'package main'],
      ['C#', 'using System.Net.Http;'],
    ] as const) {
      await page.getByLabel('Language').selectOption(name);
      await page.getByLabel('The call as code').getByText(start).waitFor();
      for (const part of ['sbx_default_hillcrest', 'mine']) expect(await code.textContent()).toContain(part);
    }
    await page.locator('.call-as-code').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('using System.Net.Http;');
  });

  it('moves nothing if a person has asked for less motion', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`, {
      prepare: (blank) => blank.emulateMedia({ reducedMotion: 'reduce' }),
    });
    await unfold(page, 'get-quiz-details');
    const moving = `[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return animationName !== 'none' || /[1-9]/.test(transitionDuration);
    }).map((one) => one.className)`;
    expect(await page.evaluate(moving)).toEqual([]);
  });

  it('hides the operations without the words of the filter', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await page.getByLabel('Filter').fill('LIVE mp4');
    await page.getByText(`1 of ${operationNames.length} operations`).waitFor();
    expect(await page.locator('.opblock:visible').count()).toBe(1);
    expect(await page.locator('.opblock-tag-section:visible').count()).toBe(1);
    await page.getByLabel('Filter').fill('');
    expect(await page.locator('.opblock:visible').count()).toBe(operationNames.length);
  });

  it('shows the errors of all operations once, so that an operation fits on a few screens', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await unfold(page, 'get-quiz-details');
    const { height = 0 } = (await page.locator('.opblock.is-open').boundingBox()) ?? {};
    expect(height).toBeLessThan(2500);
    await page.getByRole('link', { name: 'the errors of every operation' }).click();
    const errors = page.getByRole('region', { name: 'Errors of every operation' });
    for (const status of ['400', '401', '429', '503'])
      await errors.getByRole('rowheader', { name: status, exact: true }).waitFor();
  });

  it('shows every operation once', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await page.locator('.opblock').first().waitFor();
    const shown = await page
      .locator('.opblock-summary-path')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')));
    expect(shown).toHaveLength(operationNames.length);
    expect(new Set(shown)).toEqual(new Set(operationNames.map((name) => `/public/${name}`)));
  });

  it('fills in a key of the seed that the server has', async () => {
    const server = await serve({ seed: 'empty' });
    const page = await open(`${server.url}/docs`);
    await unfold(page, 'get-all-instructors');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"ok"').first().waitFor();
    expect(await server.default.journal.list()).toHaveLength(1);
  });

  it('leads from an operation to its assumptions, and from there back to the operation', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`);
    await unfold(page, 'get-instructor-permission-presets');
    const href = await page.getByRole('link', { name: 'fractionalLimit' }).getAttribute('href');
    expect(href).toBe('/docs/assumptions#fractionalLimit');
    await page.goto(`${url}${href}`);
    const section = page.locator('#fractionalLimit');
    await section.getByRole('link', { name: 'get-instructor-permission-presets' }).click();
    await page
      .locator('.opblock.is-open')
      .getByText('/public/get-instructor-permission-presets')
      .first()
      .waitFor();
  });

  it.each(looks)(
    'is usable by everybody, at $width pixels, $colorScheme',
    async (look) => {
      const { url } = await serve();
      const page = await open(`${url}/docs`, look);
      await unfold(page, 'get-video-library');
      await page.getByRole('button', { name: 'Execute' }).click();
      await page.locator('.live-responses-table').getByText('"ok"').first().waitFor();
      await expectAccessible(page);
    },
    60_000,
  );
});

describe.skipIf(!browserIsThere)(`the pages at wrong addresses${whereSkipped}`, () => {
  it.each(looks)('are usable by everybody, at $width pixels, $colorScheme', async (look) => {
    const { url } = await serve();
    const page = await open(`${url}/nowhere`, look);
    for (const path of ['/nowhere', '/control', '/public/get-quiz-details']) {
      await page.goto(`${url}${path}`);
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: 'This request in the journal' }).click();
    await page.waitForURL(`${url}/console/default/journal?request=default-*`);
  });
});

describe.skipIf(!browserIsThere)(`the pages to read${whereSkipped}`, () => {
  it.each(looks)(
    'are usable by everybody, at $width pixels, $colorScheme',
    async (look) => {
      const { url } = await serve();
      const page = await open(url, look);
      await expectAccessible(page);
      for (const name of ['guides', 'control', ...guides.map((guide) => guide.name)]) {
        await page.goto(`${url}/docs/${name}`);
        if (name === 'control') await page.locator('.opblock').first().waitFor();
        await expectAccessible(page);
      }
    },
    // Some twenty pages.
    180_000,
  );

  it('copies a key from the start page', async () => {
    const { url } = await serve();
    const page = await open(url);
    await page.getByRole('button', { name: 'Copy the key of Hillcrest College' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('sbx_default_hillcrest');
  });

  it('copies a command of a guide, without the line break at its end', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs/ci`);
    await page.getByRole('button', { name: 'Copy the command' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'npm install --save-dev learning-platform-sandbox\nnpx lp-sandbox exec -- npm test',
    );
  });

  it.each(looks)(
    'finds a section of a guide from any page, by keyboard, at $width pixels, $colorScheme',
    async (look) => {
      const { url } = await serve();
      const page = await open(url, look);
      await page.keyboard.press('/');
      await page.keyboard.type('truncated-body');
      await page.getByRole('link', { name: 'truncated-body Faults' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${url}/docs/faults#truncated-body`);
    },
  );

  it('says so if nothing is found, and closes the results with Escape', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs/failures`);
    await page.getByRole('searchbox').fill('unheard-of');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No results').waitFor({ state: 'hidden' });
  });

  it('opens the list of all guides on a narrow screen', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs/failures`, { width: 400 });
    await page.getByRole('button', { name: 'All guides' }).click();
    await page.getByRole('link', { name: 'Play recordings' }).click();
    await page.waitForURL(`${url}/docs/playback`);
  });

  it('needs no script for what is read', async () => {
    const { url } = await serve();
    const page = await open(url, {
      prepare: (made) =>
        made.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' })),
    });
    await page.getByText('sbx_default_riverside', { exact: true }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('begins at the left edge of the links at the top, like all pages, on a wide screen, too', async () => {
    const { url } = await serve();
    const page = await open(`${url}/docs`, { width: 2560 });
    for (const path of ['/docs', '/docs/control', '/docs/faults', '/', '/nowhere']) {
      await page.goto(`${url}${path}`);
      const content = page.locator(path === '/docs/faults' ? 'nav.guides' : 'main > h1');
      const left = (await content.boundingBox())?.x;
      const top = (await page.locator('.site li').first().boundingBox())?.x;
      expect({ path, left }).toEqual({ path, left: top });
    }
  });
});
