import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's assumptions${whereSkipped}`, () => {
  it('ask in plain words with the sentence of the specification, and take effect when another option is chosen', async () => {
    const { url, sandbox, post } = await world();
    const page = await open(`${url}/console/${sandbox.id}/assumptions`);
    await page.getByLabel('Search').fill('matches no school');
    const card = page.getByRole('article', { name: 'invalidKey' });
    await card
      .getByText('Behavior on a missing or invalid key, and how keys are issued or rotated: not shown.')
      .waitFor();
    await card.getByText('HTTP 403 with a refusal body.').click();
    await card.getByText('differs from the default').waitFor();
    const refused = await post('get-all-instructors')
      .set('SERVICE-API-KEY', `sbx_${sandbox.id}_nobody`)
      .send({ data: [{ data: {} }] });
    expect(refused.status).toBe(403);
    await card.getByRole('button', { name: 'Reset to http-401' }).click();
    await card.getByText('differs from the default').waitFor({ state: 'detached' });
  });

  it('show only what differs from the default, and what a profile sets', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/assumptions`);
    const cards = page.getByRole('article');
    await cards.first().waitFor();
    await page.getByLabel('Show only non-default options').check();
    await page.getByText('Every assumption has its default option.').waitFor();
    await page.getByRole('button', { name: 'problem-json' }).click();
    await expect.poll(() => cards.count()).toBe(3);
    expect(await page.getByRole('button', { name: 'problem-json' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    for (const name of ['operationFailureStatus', 'refusalBody'])
      await page.getByRole('article', { name }).waitFor();
  });

  it.each([
    [1280, 'dark'],
    [375, 'light'],
    [2560, 'dark'],
  ] as const)(
    'are accessible at %i pixels, %s',
    async (width, colorScheme) => {
      const { url, sandbox } = await world({ profile: 'strict' });
      const page = await open(`${url}/console/${sandbox.id}/assumptions`, { width, colorScheme });
      await page.getByRole('article').first().waitFor();
      await expectAccessible(page);
    },
    // There is a lot to look at.
    60_000,
  );
});
