import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the address of the console's state${whereSkipped}`, () => {
  it('has the search, the page, the school and "Only differences", so that Back, reload and links keep them', async () => {
    const { url, sandbox } = await world({ seed: 'generated:videos=500' });
    const [school] = await sandbox.state.list('schools');
    const slug = String(school?.['slug']);
    const page = await open(`${url}/console/${sandbox.id}/state?collection=videos`);
    await page.getByRole('combobox', { name: 'School' }).selectOption(slug);
    await page.getByLabel('Search').fill('e');
    await page.waitForURL(/text=e$/);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^101–\d+ of \d+ records$/).waitFor();
    const asked = { collection: 'videos', school: slug, text: 'e', page: '2' };
    const link = page.url();
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual(asked);
    const isAsked = async (): Promise<void> => {
      await page.getByText(/^101–\d+ of \d+ records$/).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe('e');
      expect(await page.getByRole('combobox', { name: 'School' }).inputValue()).toBe(slug);
    };
    await page.reload();
    await isAsked();
    await page.getByRole('button', { name: /^quizzes/ }).click();
    await page.waitForURL(/collection=quizzes/);
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    await page.goBack();
    await isAsked();
    await page.goBack();
    await page.getByText(/^1–100 of \d+ records$/).waitFor();
    await page.getByLabel('Only differences from the seed').check();
    await page.getByText(/^0 of /).waitFor();
    await page.reload();
    await page.getByText(/^0 of /).waitFor();
    expect(await page.getByLabel('Only differences from the seed').isChecked()).toBe(true);
    await page.goto(link);
    await page
      .getByRole('button', { name: /^Edit record/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAsked();
  });

  it('says which school and collection it names if they do not exist, and which there are', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=nope&school=hilcrest`);
    await page.getByText(/names the collection “nope”, which does not exist\. .*products/).waitFor();
    await page.getByText(/names the school “hilcrest”, .*riverside, hillcrest, marevista\./).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^coupons/ }).click();
    await page.getByText('nope').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/\?collection=coupons$/);
  });

  it('says what is wrong with its page and its filter, and takes an empty name for none', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=&school=&page=abc&differs=yes`);
    await page.getByText('has the page “abc”, but pages are whole numbers from 1').waitFor();
    await page.getByText('has “differs=yes”, but only “true” has a meaning').waitFor();
    expect(await page.getByText(/names the (?:collection|school)/).count()).toBe(0);
  });

  it('names a school whose removed records are listed, and whose records a new one copies', async () => {
    const { url, sandbox } = await world();
    const schools = await sandbox.state.list('schools');
    const presets = await sandbox.state.list('permissionPresets');
    const of = (slug: string) => {
      const id = schools.find((one) => one['slug'] === slug)?.id;
      return presets.filter(({ schoolId }) => schoolId === id);
    };
    const [removed, others] = [of('hillcrest')[0], of('riverside')];
    await sandbox.state.remove('permissionPresets', String(removed?.id));
    const at = `${url}/console/${sandbox.id}/state?collection=permissionPresets`;
    const page = await open(`${at}&school=riverside`);
    await page.getByText(`${others.length} records`, { exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: /removed record/ }).count()).toBe(0);
    const begin = async (): Promise<unknown> => {
      await page.getByRole('button', { name: 'Add record …' }).click();
      const text = await page.getByLabel('The record as JSON').inputValue();
      await page.keyboard.press('Escape');
      return JSON.parse(text);
    };
    await page.getByRole('combobox', { name: 'School' }).selectOption('hillcrest');
    await page.getByRole('heading', { name: '1 removed record' }).waitFor();
    const copied = of('hillcrest').find(({ id }) => id !== removed?.id) ?? others[0];
    expect(await begin()).toEqual({
      ...copied,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      schoolId: removed?.schoolId,
    });
    await page.getByRole('combobox', { name: 'School' }).selectOption('riverside');
    await page.getByRole('heading', { name: '1 removed record' }).waitFor({ state: 'detached' });
    expect(await begin()).toEqual({ ...others[0], id: expect.anything() });
  });

  it('compares a search with the records of its school, and applies it to removed records', async () => {
    const { url, sandbox } = await world();
    const schools = await sandbox.state.list('schools');
    const riverside = schools.find(({ slug }) => slug === 'riverside')?.id;
    const presets = (await sandbox.state.list('permissionPresets')).filter(
      ({ schoolId }) => schoolId === riverside,
    );
    const [removed, other] = presets;
    await sandbox.state.remove('permissionPresets', String(removed?.id));
    const page = await open(
      `${url}/console/${sandbox.id}/state?collection=permissionPresets&school=riverside&differs=true`,
    );
    const all = presets.length - 1;
    await page.getByText(`0 of ${all} ${all === 1 ? 'record' : 'records'}`, { exact: true }).waitFor();
    await page.getByText('No added or changed records.').waitFor();
    await page.getByRole('heading', { name: '1 removed record' }).waitFor();
    await page.getByLabel('Only differences from the seed').uncheck();
    await page.getByLabel('Search').fill(String(other?.id));
    await page
      .getByText(`1 of ${all}`)
      .or(page.getByText('1 record', { exact: true }))
      .waitFor();
    await page.getByRole('heading', { name: '1 removed record' }).waitFor({ state: 'detached' });
    await page.getByLabel('Search').fill(String(removed?.id));
    await page.getByRole('heading', { name: '1 removed record' }).waitFor();
    await page.getByText('No records.').waitFor();
  });

  it('has the last page instead of one behind it', async () => {
    const { url, sandbox } = await world({ seed: 'generated:videos=150' });
    const page = await open(`${url}/console/${sandbox.id}/state?collection=videos&page=999`);
    await page.waitForURL(/\?collection=videos&page=2$/);
    await page.getByText('101–150 of 150 records').waitFor();
  });

  it('is not that of a closed record again after Back', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByRole('link', { name: 'State' }).click();
    const collection = page.getByRole('button', { name: /^coupons/ });
    await collection.click();
    await page.waitForURL(/collection=coupons$/);
    const text = page.getByLabel('The record as JSON');
    const closed = () => page.waitForURL(/collection=coupons$/);
    const edit = page.getByRole('button', { name: /^Edit record/ }).first();
    await edit.click();
    await text.waitFor();
    await page.keyboard.press('Escape');
    await closed();
    // Neither do saved and discarded changes.
    await edit.click();
    await text.fill((await text.inputValue()).replace(/"title": ".*"/, '"title": "Another"'));
    await page.getByRole('button', { name: 'Save record' }).click();
    await closed();
    await edit.click();
    await text.fill('{}');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await closed();
    await page.goBack();
    await page.waitForURL(/\/state$/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Clock', level: 1 }).waitFor();
    // A link to a record has nothing below it.
    const [one] = await sandbox.state.list('coupons');
    await page.goto(`${url}/console/${sandbox.id}/state?collection=coupons&record=${one?.id}`);
    await text.waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });
});
