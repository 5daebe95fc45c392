import { describe, expect, it } from 'vitest';
import { goodReply, proxyTo, send, upstreamThat } from '../proxy/upstream.ts';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console of a proxy${whereSkipped}`, () => {
  it('marks what the upstream got wrong at its place in the response, and tells of it in the report', async () => {
    const upstream = await upstreamThat((response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('[{"output":{"status":"error","errorMessage":5}}]'),
    );
    const { url } = await proxyTo(upstream.url);
    await send(url, { body: '{"data":[{"data":{"quizId":12}}]}' });
    await send(url, { path: '/public/get-all-live-events', body: '{"data":[{"data":{}}]}' });

    const page = await open(`${url}/console/default/journal`);
    await page.getByRole('link', { name: /get-quiz-details.*1 violation.*1 in the response/ }).click();
    const marked = (body: string) => page.getByLabel(body).locator('li', { hasText: 'Violation:' });
    expect(await marked('Request body').locator('code').textContent()).toBe('        "quizId": 12');
    expect(await marked('Response body').locator('code').textContent()).toBe('      "errorMessage": 5');
    expect(await marked('Response body').textContent()).toContain(
      '/0/output/errorMessage must be a string, but is the number 5.',
    );
    await expectAccessible(page);

    await page.goto(`${url}/console/default/report`);
    await page.getByRole('heading', { name: 'Contract violations by the service' }).waitFor();
    const rows = page
      .getByRole('region', { name: 'Contract violations by the service', exact: true })
      .getByRole('article')
      .filter({ hasText: /errorMessage\s+must be a string/ });
    expect(await rows.count()).toBe(2);
    await expectAccessible(page);
  });

  it('says why what has no effect is not offered, and offers the rest', async () => {
    const upstream = await upstreamThat((response) => response.end(goodReply));
    const { url } = await proxyTo(upstream.url);
    await send(url);

    const page = await open(`${url}/console/default/journal`);
    await page.getByRole('link', { name: /get-quiz-details/ }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    expect(await page.getByRole('button', { name: 'Fail the next call' }).count()).toBe(0);
    const tabs = page.getByRole('navigation', { name: 'Panels' }).getByRole('link');
    expect(await tabs.allTextContents()).toEqual(['Journal', 'Assumptions', 'Report']);
    const others = page.getByRole('navigation', { name: 'Pages of this server' }).getByRole('link');
    expect(await others.allTextContents()).toEqual(['Learning Platform Sandbox', 'API reference']);

    for (const path of [
      '/console/default/failures',
      '/console/default/state',
      '/console/default/clock',
      '/console/default/player',
      '/console/default/sandboxes',
      '/school',
      '/demo',
    ]) {
      await page.goto(`${url}${path}`);
      await page.getByText(`This server is a proxy: it forwards all calls to ${upstream.url}`).waitFor();
      await page.getByText('start a sandbox with npm start').waitFor();
      expect(await page.locator('main').getByRole('button').count()).toBe(0);
      expect(
        await page
          .locator('header')
          .getByRole('link', { name: /^(School|Demo)$/ })
          .count(),
      ).toBe(0);
      await expectAccessible(page);
    }
    for (const path of ['/', '/docs', '/docs/control', '/docs/proxy', '/docs/assumptions', '/nowhere']) {
      await page.goto(`${url}${path}`);
      const links = page.locator('header.site nav').getByRole('link');
      expect(await links.allTextContents()).toEqual([
        'Start',
        'Console',
        'Guides',
        'API reference',
        'Control plane API',
      ]);
    }
    expect(upstream.got).toHaveLength(1);
  });

  it('says whose key the reference sends, where calls come from, and nothing of what has no effect', async () => {
    const upstream = await upstreamThat((response) => response.end(goodReply));
    const { url } = await proxyTo(upstream.url);
    const page = await open(`${url}/docs`);
    await page.getByText('enter an API key of the service under Authorize').waitFor();
    await page.getByLabel('Filter').waitFor();
    await page.getByRole('button', { name: 'Authorize' }).waitFor();
    for (const label of ['School', 'Sandbox'])
      expect(await page.getByLabel(label, { exact: true }).isVisible()).toBe(false);
    for (const path of ['/', '/nowhere']) {
      await page.goto(`${url}${path}`);
      await page.getByText('Inspect the requests of your client, and see the report on them.').waitFor();
      expect(await page.getByText('Change faults').count()).toBe(0);
    }
    await page.goto(`${url}/console/default/journal`);
    await page.getByText(`Use ${url}/public/ as the URL of the service in your client`).waitFor();
    expect(await page.getByRole('link', { name: 'Sandboxes' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
