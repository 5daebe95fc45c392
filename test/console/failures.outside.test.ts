import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's failures${whereSkipped}`, () => {
  it('explain each fault, add a rule by the form, count what it does, and are cleared by one click', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByText('No rules: no call fails').waitFor();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Fault', { exact: true }).selectOption('slow-body');
    await page.getByText('The headers come at once, the body drips').waitFor();
    await page.getByLabel('Fault', { exact: true }).selectOption('http-error');
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByLabel('Operation', { exact: true }).selectOption('get-all-instructors');
    await page.getByText('When it fires').click();
    await page.getByLabel('first', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    const row = page.getByRole('row', { name: 'http-error-1' });
    await row.getByText('status 503').waitFor();
    expect((await call('get-all-instructors')).status).toBe(503);
    expect((await call('get-all-instructors')).status).toBe(200);
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts(), { timeout: 8000 })
      .toEqual(expect.arrayContaining(['first 1', '2', '1']));
    await page.getByRole('button', { name: 'Clear all' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('say what is wrong with a rule at its field', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('status', { exact: true }).fill('200');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByRole('alert').waitFor();
    const status = page.getByLabel('status', { exact: true });
    expect(await status.getAttribute('aria-invalid')).toBe('true');
    await page
      .locator(`[id="${await status.getAttribute('aria-describedby')}"]`)
      .getByText('must be a whole number from 400 to 599')
      .waitFor();
    expect(await status.inputValue()).toBe('200');
  });

  it('play a scenario by its button, and end it', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'bad-gateway' }).click();
    await page.getByText('Playing: bad-gateway').waitFor();
    await page.getByText('of bad-gateway').first().waitFor();
    expect((await sandbox.describe()).scenario).toBe('bad-gateway');
    await page.getByRole('button', { name: 'End the scenario' }).click();
    await page.getByText('No rules: no call fails').waitFor();
    expect((await sandbox.describe()).scenario).toBeNull();
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
  ] as const)('are accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world({ scenario: 'bad-gateway' });
    const page = await open(`${url}/console/${sandbox.id}/failures`, { width, colorScheme });
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Add the rule' }).waitFor();
    await expectAccessible(page);
  });
});
