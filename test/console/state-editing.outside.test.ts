import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();
const riverside = '1d7181362df2b36a581c47d4';

describe.skipIf(!browserIsThere)(`the console's editor of a record${whereSkipped}`, () => {
  it('shows the record as it is now, although the table was loaded before', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools`);
    const edit = page.getByRole('button', { name: `Edit record ${riverside}` });
    await edit.waitFor();
    await sandbox.state.patch('schools', riverside, { name: 'Of somebody else' });
    await edit.click();
    expect(await page.getByLabel('The record as JSON').inputValue()).toContain('Of somebody else');
  });

  it('says that the record was deleted since the table was loaded, and loads the table again', async () => {
    const { url, sandbox } = await world();
    const [coupon] = await sandbox.state.list('coupons');
    const id = String(coupon?.id);
    const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons`);
    const edit = page.getByRole('button', { name: `Edit record ${id}` });
    await edit.waitFor();
    await sandbox.state.remove('coupons', id);
    await edit.click();
    await page.getByText(`coupons has no record ${id}. Somebody may have deleted it`).waitFor();
    await edit.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('keeps what a person typed when the current record is loaded after a conflict', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const text = page.getByLabel('The record as JSON');
    await text.fill((await text.inputValue()).replace('Riverside Academy', 'Mine'));
    await sandbox.state.patch('schools', riverside, { name: 'Of somebody else' });
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByRole('button', { name: 'Load the current record' }).click();
    expect(await text.inputValue()).toContain('Of somebody else');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show what I typed' }).click();
    expect(await text.inputValue()).toContain('Mine');
    await page.getByRole('button', { name: 'Show the current record' }).click();
    expect(await text.inputValue()).toContain('Of somebody else');
  });

  it('asks before Back discards an edited record, and goes there if the person agrees', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByRole('link', { name: 'State' }).click();
    await page.getByRole('button', { name: /^schools/ }).click();
    await page.getByRole('button', { name: `Edit record ${riverside}` }).click();
    const text = page.getByLabel('The record as JSON');
    await text.fill('{ "id": "edited" }');
    const editor = page.url();
    for (const choice of ['Keep editing', 'Discard changes']) {
      await page.goBack();
      await page.getByText('Discard your changes?').waitFor();
      expect(page.url()).toBe(editor);
      expect(await text.inputValue()).toBe('{ "id": "edited" }');
      await page.getByRole('button', { name: choice }).click();
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/collection=schools$/);
  });

  it('asks before Back discards a new record', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/clock`);
    await page.getByRole('link', { name: 'State' }).click();
    await page.getByRole('button', { name: 'Add record …' }).click();
    await page.getByLabel('The record as JSON').fill('{}');
    await page.goBack();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Clock', level: 1 }).waitFor();
  });

  it('lets the browser ask before it leaves a page with an edited record, and only then', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    const text = page.getByLabel('The record as JSON');
    await text.waitFor();
    await page.reload();
    expect(asked).toEqual([]);
    await text.pressSequentially('x');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await text.waitFor();
  });

  it('is undone without a loss of the search and of the page', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools`);
    await page.getByLabel('Search').fill('academy');
    await page.getByText('1 of 3 records').waitFor();
    await page.getByRole('button', { name: `Edit record ${riverside}` }).click();
    const text = page.getByLabel('The record as JSON');
    await text.fill((await text.inputValue()).replace('Riverside Academy', 'Academy of Mine'));
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByRole('cell', { name: 'Academy of Mine' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('cell', { name: 'Riverside Academy' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('academy');
    await page.getByText('1 of 3 records').waitFor();
  });
});

describe.skipIf(!browserIsThere)(`the console's table of records${whereSkipped}`, () => {
  it('shows that a search is running, and counts Next from the page that was wanted', async () => {
    const { url, sandbox } = await world({ seed: 'generated:videos=500' });
    const held: (() => void)[] = [];
    let isSlow = false;
    const page = await open(`${url}/console/${sandbox.id}/state?collection=videos`, {
      prepare: (made) =>
        made.route('**/state/videos?offset=*', async (route) => {
          if (isSlow) await new Promise<void>((go) => held.push(go));
          await route.fallback();
        }),
    });
    await page.getByText('1–100 of 500 records').waitFor();
    isSlow = true;
    const next = page.getByRole('button', { name: 'Next' });
    for (const range of ['101–200', '201–300']) {
      await next.click();
      await page.getByText(`${range} of 500 records`).waitFor();
    }
    await page.getByText('Searching …').waitFor();
    expect(await page.locator('[aria-busy=true] table').count()).toBe(1);
    await page.getByLabel('Search').fill('nothing-has-this');
    await page.getByRole('button', { name: 'Next', disabled: true }).waitFor();
    await expect.poll(() => held.length).toBe(3);
    isSlow = false;
    for (const go of held) go();
    await page.getByText('0 of 500 records', { exact: true }).waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
  });
});
