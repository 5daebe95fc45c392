import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { hosted, operatorToken } from '../support/hosted.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's sandboxes${whereSkipped}`, () => {
  it('makes one by the form, gives a key that works, switches to it, and removes it', async () => {
    const { url, control } = await serve();
    const page = await open(`${url}/console/default/sandboxes`);
    await page.getByRole('button', { name: 'Create sandbox …' }).click();
    await page.getByLabel('Id', { exact: true }).fill('mine');
    await page.getByRole('combobox', { name: 'Clock' }).selectOption('frozen');
    await page.getByLabel('Date (UTC)').fill('2026-02-11');
    await page.getByLabel('Time (optional)').fill('09:30');
    await page.getByLabel('Assumptions').fill('missingKey=http-403');
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    const card = page.getByRole('region', { name: 'Sandbox mine' });
    await card.getByText('current').waitFor();
    expect(await page.getByRole('combobox', { name: 'Sandbox' }).inputValue()).toBe('mine');
    await card.getByText('clock frozen at 2026-02-11T09:30:00.000Z').waitFor();
    await card.getByRole('button', { name: 'Copy: the key of Riverside Academy in mine' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor();
    const key = String(await page.evaluate('navigator.clipboard.readText()'));
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${url}/public/get-all-instructors`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{"data":[{"data":{}}]}',
      });
    expect([(await post({ 'SERVICE-API-KEY': key })).status, (await post({})).status]).toEqual([200, 401]);
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('default');
    await page.getByRole('button', { name: 'Delete sandbox mine' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete sandbox' }).click();
    await card.waitFor({ state: 'detached' });
    expect((await fetch(`${control.url}/control/sandboxes/mine`)).status).toBe(404);
    const notice = page.getByText('Sandbox mine is deleted.');
    await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.goto(`${url}/console/mine/sandboxes`);
    await page.getByText('There is no sandbox mine').waitFor();
  });

  it('lists all sandboxes once on other pages, and again when a person opens the list', async () => {
    const server = await serve();
    const page = await open(`${server.url}/console/default/journal`);
    const lists: string[] = [];
    const looks: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname === '/control/sandboxes') lists.push(pathname);
      if (pathname === '/control/sandboxes/default') looks.push(pathname);
    });
    await server.createSandbox({ id: 'another' });
    await expect.poll(() => looks.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    // The one of the start may still have been on its way.
    expect(lists.length).toBeLessThan(2);
    await page.getByRole('combobox', { name: 'Sandbox' }).focus();
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('another');
    await page.waitForURL(`${server.url}/console/another/journal`);
  });

  it('offers the seeds, profiles and scenarios that there are, and takes a seed that is typed', async () => {
    const server = await serve();
    const page = await open(`${server.url}/console/default/sandboxes`);
    await page.getByRole('button', { name: 'Create sandbox …' }).click();
    const seeds = page.locator('#seeds option');
    await expect
      .poll(() => seeds.evaluateAll((all) => all.map((one) => one.getAttribute('value'))))
      .toEqual(['demo', 'empty']);
    await page.getByLabel('Id', { exact: true }).fill('mine');
    await page.getByLabel('Seed', { exact: true }).fill('empti');
    await page.getByRole('combobox', { name: 'Profile' }).selectOption('strict');
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('slow-day');
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    await page.locator('#seed-help').getByText('There is no seed "empti". Did you mean "empty"?').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Seed', { exact: true }).fill('empty');
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    await page.getByRole('region', { name: 'Sandbox mine' }).getByText('current').waitFor();
    const made = await server.sandbox('mine');
    expect(await made?.describe()).toMatchObject({ seed: 'empty', scenario: 'slow-day' });
  });

  it('says what is wrong with a form, and keeps it', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/sandboxes`);
    await page.getByRole('button', { name: 'Create sandbox …' }).click();
    await page.getByLabel('Id', { exact: true }).fill('Not Plain');
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    await page.getByText('Use a–z, 0–9 and hyphens').waitFor();
    expect(await page.getByText('Not Plain').count()).toBe(0);
    expect(await page.locator('#id-help').getByText('a–z').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('id');
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('Not Plain');
    await page.getByLabel('Id', { exact: true }).fill(sandbox.id);
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    await page.getByText('already exists. Choose another id.').waitFor();
    expect(await page.getByLabel('Id', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('asks for the control token once where the server wants it', async () => {
    const { url } = await serve({ controlToken: 'open-sesame' });
    const page = await open(`${url}/console`);
    await page.getByRole('textbox', { name: 'Token' }).fill('open-sesame');
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByText('No requests yet').waitFor();
    await page.reload();
    await page.getByText('No requests yet').waitFor();
  });

  it('shows only its sandbox to a tenant, from any address, and says what the token permits', async () => {
    const server = await hosted();
    const { id, token } = await server.add();
    const other = await server.add();
    const page = await open(`${server.url}/console`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403 && !response.url().endsWith('/default')) refused.push(response.url());
    });
    await page.getByText('The token of a sandbox shows only that sandbox.').waitFor();
    await page.getByRole('textbox', { name: 'Token' }).fill(token);
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.waitForURL(`${server.url}/console/${id}/journal`);
    await page.getByText('No requests yet').waitFor();
    const offered = page.getByRole('combobox', { name: 'Sandbox' }).locator('option');
    expect(await offered.allTextContents()).toEqual([id]);
    const links = await page.getByRole('navigation', { name: 'Panels' }).getByRole('link').all();
    expect(links.length).toBeGreaterThan(5);
    for (const panel of links) {
      await panel.click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await page.goto(`${server.url}/console/${id}/sandboxes`);
    await page.getByText(`Your token permits only the sandbox ${id}.`).waitFor();
    await page.getByRole('region', { name: `Sandbox ${id}` }).waitFor();
    expect(await page.getByRole('button', { name: 'Create sandbox …' }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${server.url}/school`);
    await page.waitForURL(new RegExp(`/school/${id}`));
    expect(refused).toEqual([]);
    await page.goto(`${server.url}/console/${other.id}/journal`);
    await page.getByText(`permits only requests for the sandbox "${id}"`).waitFor();
  });

  it('shows all sandboxes to the operator of a server with tenants, and the token of a new one once', async () => {
    const server = await hosted();
    const { id } = await server.add();
    const page = await open(`${server.url}/console/default/sandboxes`);
    await page.getByRole('textbox', { name: 'Token' }).fill(operatorToken);
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByRole('region', { name: `Sandbox ${id}` }).waitFor();
    expect(await page.getByText('Your token permits only').count()).toBe(0);
    await page.getByRole('button', { name: 'Create sandbox …' }).click();
    await page.getByRole('button', { name: 'Create sandbox', exact: true }).click();
    await page.getByText('Copy it now: no page shows it again.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy: the sandbox token' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const token = String(await page.evaluate('navigator.clipboard.readText()'));
    await page.getByRole('button', { name: 'Show sandbox' }).click();
    await page.getByText('current').waitFor();
    const created = (await server.ask(token, 'GET', '/control/access').expect(200)).body as {
      sandboxId: string;
    };
    expect(new URL(page.url()).pathname).toBe(`/console/${created.sandboxId}/sandboxes`);
    expect(await page.getByText(token).count()).toBe(0);
  });

  it('asks a tenant again when the token is not valid any more', async () => {
    const server = await hosted();
    const { path, token } = await server.add();
    const page = await open(`${server.url}/console`);
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill(token);
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByText('No requests yet').waitFor();
    const { body } = await server.ask(operatorToken, 'POST', `${path}/token`);
    await field.waitFor();
    await field.fill(token);
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByText('The server does not accept this token.').waitFor();
    await field.fill(String(body.token));
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('No requests yet').waitFor();
  });

  it('shows a wrong token at its field, and closes without one, with a way back', async () => {
    const { url } = await serve({ controlToken: 'open-sesame' });
    const page = await open(`${url}/console`);
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill('wrong');
    await field.press('Enter');
    await page.getByText('The server does not accept this token.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('token');
    await page.keyboard.press('Escape');
    await page.getByText('This server needs its control token.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Enter token …' }).press('Enter');
    await field.fill('open-sesame');
    await page.getByRole('button', { name: 'Save token' }).click();
    await page.getByText('No requests yet').waitFor();
  });

  it('keeps what is being edited while it asks for another token', async () => {
    const server = await serve({ controlToken: 'open-sesame' });
    const page = await open(`${server.url}/console/default/state?collection=schools`);
    const saveToken = async (): Promise<void> => {
      await page.getByRole('textbox', { name: 'Token' }).fill('open-sesame');
      await page.getByRole('button', { name: 'Save token' }).click();
      await page.getByRole('dialog', { name: 'Control token' }).waitFor({ state: 'detached' });
    };
    await saveToken();
    await page.getByLabel('Name', { exact: true }).fill('typed');
    await page.getByRole('button', { name: 'Edit record 1d7181362df2b36a581c47d4' }).click();
    const text = page.getByLabel('The record as JSON');
    await text.fill((await text.inputValue()).replace('Riverside Academy', 'Edited'));
    // As if the server had got another token.
    await page.evaluate("sessionStorage.setItem('control-token', 'old')");
    await page.getByRole('button', { name: 'Save record' }).click();
    await saveToken();
    expect(await text.inputValue()).toContain('Edited');
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText('changed name.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('typed');
  });

  it.each(['nosuch', 'journal/extra'])(
    'says so where there is no panel %s, with links to all',
    async (at) => {
      const { url, sandbox } = await world();
      const page = await open(`${url}/console/${sandbox.id}/${at}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('main').getByRole('link', { name: 'Failures' }).click();
      await page.getByRole('heading', { name: 'Failures' }).waitFor();
    },
  );

  it('says so where there is no such sandbox', async () => {
    const { url } = await world();
    const page = await open(`${url}/console/nobody/journal`);
    await page.getByRole('heading', { name: 'Sandbox “nobody” not found' }).waitFor();
  });

  it.each([
    [1280, 'dark'],
    [375, 'light'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/sandboxes`, { width, colorScheme });
    await page.getByText('current').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create sandbox …' }).click();
    await page.getByLabel('Id', { exact: true }).waitFor();
    await expectAccessible(page);
  });
});
