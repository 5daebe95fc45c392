import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type ConsoleMessage, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { chromiumPath, hasChromium } from './chromium.ts';

/** Whether there is a browser to look at pages with; tests that need one are skipped where there is none. */
export const browserIsThere = hasChromium();

/** Behind the name of tests that need a browser, so that nobody takes them for passed. */
export const whereSkipped = browserIsThere
  ? ''
  : ' (skipped: there is no Chromium here, and none can be installed)';

export interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Done before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/**
 * Opens a page of a server; the test fails where it has errors in its console or asks another host for
 * anything.
 */
export type OpenPage = (url: string, options?: OpenOptions) => Promise<Page>;

/** A browser for the tests of a file. */
export function withBrowser(): OpenPage {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (!browserIsThere) return;
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  }, 60_000);
  afterAll(async () => browser?.close());
  return async (url, { width = 1280, colorScheme = 'light', prepare } = {}) => {
    if (browser === null) throw new Error('There is no browser.');
    const { origin } = new URL(url);
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(25_000);
    const faulty: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !isAnswer(message)) faulty.push(message.text());
    });
    page.on('pageerror', (error) => faulty.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url()))
        faulty.push(`asked for ${request.url()}`);
    });
    onTestFinished(async () => {
      await context.close();
      expect(faulty).toEqual([]);
    });
    await prepare?.(page);
    await page.goto(url);
    return page;
  };
}

/** The browser notes every reply of 400 and above, also the ones that a person provoked. */
function isAnswer(message: ConsoleMessage): boolean {
  return (
    message.text().startsWith('Failed to load resource') &&
    /\/(control|public|media|healthz|nowhere)(\/|$)/.test(message.location().url)
  );
}

/** Throws where a page is hard to use for people who see little or use no mouse, or wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // A frame shows another page, with landmarks of its own.
    .exclude('iframe')
    // Without frames, its other way of working finds the same and takes four times as long.
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual(
    [],
  );
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
