import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { coupon } from '../support/demo.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

const open = withBrowser();
const riverside = '1d7181362df2b36a581c47d4';

describe.skipIf(!browserIsThere)(`the console's state${whereSkipped}`, () => {
  it('finds a record, tells what is wrong with it at its line, and changes it', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.getByRole('button', { name: /^schools/ }).click();
    await page.getByLabel('Search').fill('riverSIDE');
    await page.getByText('1 of 3').waitFor();
    await page.getByRole('button', { name: `Edit record ${riverside}` }).click();
    const text = page.getByLabel('The record as JSON');
    await text.fill('{');
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText('The record is not valid JSON').waitFor();
    await text.fill('null');
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText('The record is not a JSON object').waitFor();
    await text.fill(JSON.stringify({ id: riverside, slug: 'riverside', name: 7 }));
    await page.getByRole('button', { name: 'Save record' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'must be a string, but is the number 7' });
    await line.getByRole('button', { name: 'Line 4' }).click();
    expect(await page.evaluate('getSelection().toString()')).toBe('  "name": 7');
    await text.fill(JSON.stringify({ id: riverside, slug: 'riverside', name: 'Riverbank' }));
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByRole('cell', { name: 'Riverbank' }).waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Riverbank' });
    await page.getByText(new RegExp(`^Saved schools/${riverside}: changed .*name`)).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Riverside Academy' });
  });

  it('asks before it discards an edited record, with Escape and with Close', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const dialog = page.getByRole('dialog', { name: `schools/${riverside}` });
    const text = page.getByLabel('The record as JSON');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await text.fill('{ "id": "edited" }');
    for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Escape');
    await page.getByText('Discard your changes?').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await text.inputValue()).toBe('{ "id": "edited" }');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows titles and limits of a school, and leads to the records that others refer to', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons`);
    await page.getByRole('combobox', { name: 'School' }).selectOption('hillcrest');
    await page.getByText(/^[1-9] records$/).waitFor();
    expect(await page.getByText('PYTHON-EARLY-BIRD').count()).toBe(0);
    await page.getByRole('combobox', { name: 'School' }).selectOption('riverside');
    const row = page.getByRole('row').filter({ hasText: 'PYTHON-EARLY-BIRD' });
    await row.getByRole('cell', { name: '100', exact: true }).waitFor();
    await row.getByRole('link', { name: 'Practical Programming with Python' }).click();
    expect(await page.getByLabel('The record as JSON').inputValue()).toContain('e14eab51f0b9dee5b286f9ec');
  });

  it('marks the records that differ from the seed, and shows the difference', async () => {
    const { url, sandbox } = await world();
    const [preset] = await sandbox.state.list('permissionPresets');
    await sandbox.state.patch('schools', riverside, { name: 'Riverbank' });
    await sandbox.state.remove('permissionPresets', preset?.id ?? '');
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools`);
    await page.getByLabel('Only differences from the seed').check();
    await page.getByText('1 of 3 records').waitFor();
    await page.getByRole('rowheader', { name: `${riverside} changed` }).waitFor();
    await page.getByRole('button', { name: `Show difference of ${riverside}` }).click();
    const dialog = page.getByRole('dialog', { name: `Difference of schools/${riverside}` });
    await dialog.getByRole('row', { name: 'name "Riverside Academy" "Riverbank"' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^permissionPresets/ }).click();
    await page.getByRole('heading', { name: '1 removed record' }).waitFor();
    await page.getByRole('button', { name: `Show difference of ${preset?.id}` }).click();
    await page.getByText('The record is in the seed, but was removed.').waitFor();
  });

  it('adds a record, and removes it after asking', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.getByRole('button', { name: /^videos/ }).click();
    const before = (await sandbox.state.list('videos')).length;
    await page.getByRole('button', { name: 'Add record …' }).click();
    const { id } = JSON.parse(await page.getByLabel('The record as JSON').inputValue()) as { id: string };
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText(`${before + 1} records`).waitFor();
    await page.getByRole('button', { name: `Edit record ${id}` }).click();
    await page.getByRole('button', { name: 'Delete record' }).click();
    await page
      .getByRole('dialog', { name: 'Delete record?' })
      .getByRole('button', { name: 'Delete record' })
      .click();
    await page.getByText(`${before} records`).waitFor();
    expect(await sandbox.state.list('videos')).toHaveLength(before);
  });

  it('takes a snapshot, goes back to it, and removes it', async () => {
    const { url, sandbox } = await world();
    await sandbox.state.patch('schools', riverside, { name: 'Once' });
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.getByLabel('Name', { exact: true }).fill('before');
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    await page.getByText('Took snapshot before.').waitFor();
    await page.getByText(/, 1 changed record, 0 rules$/).waitFor();
    await sandbox.state.patch('schools', riverside, { name: 'Elsewhere' });
    await page.getByRole('button', { name: 'Restore snapshot before' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click();
    await page.getByText('Restored snapshot before.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Once' });
    await page.getByRole('button', { name: 'Delete snapshot before' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click();
    await page.getByText('No snapshots yet.').waitFor();
  });

  it('exports a file, goes back to the seed, and imports the file', async () => {
    const { url, sandbox } = await world();
    await sandbox.state.patch('schools', riverside, { name: 'Exported' });
    const page = await open(`${url}/console/${sandbox.id}/state`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export state' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${sandbox.id}-state.json`);
    const text = await readFile(await download.path(), 'utf8');
    await page.getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByText('Reset the sandbox to its seed.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Riverside Academy' });
    await page
      .getByLabel('Import state')
      .setInputFiles({ name: 'kept.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByRole('dialog').getByRole('button', { name: 'Import state' }).click();
    await page.getByText('Imported kept.json.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Exported' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Riverside Academy' });
    expect((await sandbox.snapshots.list()).map(({ name }) => name)).toEqual([]);
  });

  it('warns before an undo that also undoes what clients have changed since', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByText('Reset the sandbox to its seed.').waitFor();
    await call('get-all-instructors');
    await call('update-digital-product-coupon', {
      serviceCouponCodeId: coupon.id,
      serviceDigitalProductId: coupon.productId,
      description: 'From a client',
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Since then, records changed, such as by update-digital-product-coupon.').waitFor();
    expect(await sandbox.state.get('coupons', coupon.id)).toMatchObject({
      description: 'From a client',
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.state.get('coupons', coupon.id)).not.toMatchObject({
      description: 'From a client',
    });
  });

  it('undoes in each tab what was done there, and warns of what the other has done', async () => {
    const { url, sandbox } = await world();
    const named = (name: string) => sandbox.state.patch('schools', riverside, { name });
    const nameNow = async () => (await sandbox.state.get('schools', riverside))?.['name'];
    const [one, other] = [
      await open(`${url}/console/${sandbox.id}/state`),
      await open(`${url}/console/${sandbox.id}/state`),
    ];
    const reset = async (page: typeof one): Promise<void> => {
      await page.getByRole('button', { name: 'Reset to seed' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset to seed' }).click();
      await page.getByText('Reset the sandbox to its seed.').waitFor();
    };
    await named('First');
    await reset(one);
    await named('Second');
    await reset(other);
    await one.getByRole('button', { name: 'Undo' }).click();
    await one.getByText('Since then, records and the fault rules changed.').waitFor();
    await one.getByRole('button', { name: 'Undo' }).click();
    await one.getByText('Undone.').waitFor();
    expect(await nameNow()).toBe('First');
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByText('Since then, records').waitFor();
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByText('Undone.').waitFor();
    expect(await nameNow()).toBe('Second');
    expect(await sandbox.snapshots.list()).toEqual([]);
  });

  it('keeps its snapshot apart from those of people, and deletes it when it offers no Undo any more', async () => {
    const { url, sandbox } = await world();
    await sandbox.snapshots.take('own');
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.getByRole('button', { name: 'Restore snapshot own' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore snapshot' }).click();
    await page.getByText('1 snapshot for Undo').waitFor();
    expect(await sandbox.snapshots.list()).toHaveLength(2);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(async () => (await sandbox.snapshots.list()).map(({ name }) => name)).toEqual(['own']);
  });

  it('does not overwrite what somebody else has changed in the meantime without asking', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const text = page.getByLabel('The record as JSON');
    const before = await text.inputValue();
    await sandbox.state.patch('schools', riverside, { name: 'Of somebody else' });
    await text.fill(before.replace('Riverside Academy', 'Mine'));
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText('Somebody else changed the record in the meantime: name.').waitFor();
    await expectAccessible(page);
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Of somebody else' });
    await page.getByRole('button', { name: 'Load the current record' }).click();
    expect(await text.inputValue()).toContain('Of somebody else');
    await sandbox.state.patch('schools', riverside, { name: 'Again' });
    await text.fill(before.replace('Riverside Academy', 'Mine'));
    await page.getByRole('button', { name: 'Save record' }).click();
    const overwrite = page.getByRole('button', { name: 'Overwrite the current record' });
    await overwrite.waitFor();
    await sandbox.state.patch('schools', riverside, { slug: 'once-more' });
    await overwrite.click();
    await page.getByText('Somebody else changed the record in the meantime: slug.').waitFor();
    await sandbox.state.patch('schools', riverside, { slug: 'riverside' });
    await overwrite.click();
    await page.getByText('Somebody else changed the record in the meantime: slug.').waitFor();
    await overwrite.click();
    await page.getByText(`Saved schools/${riverside}: changed name.`).waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Mine' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Again' });
  });

  it('says that somebody else had already deleted the record', async () => {
    const { url, sandbox } = await world();
    const { id } = coupon;
    const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons&record=${id}`);
    await page.getByLabel('The record as JSON').waitFor();
    await sandbox.state.remove('coupons', id);
    await page.getByRole('button', { name: 'Delete record' }).click();
    await page
      .getByRole('dialog', { name: 'Delete record?' })
      .getByRole('button', { name: 'Delete record' })
      .click();
    await page.getByText(`Somebody else had already deleted coupons/${id}.`).waitFor();
  });

  it('undoes with Ctrl+Z, but not while a person types', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const text = page.getByLabel('The record as JSON');
    await text.fill((await text.inputValue()).replace('Riverside Academy', 'Mine'));
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText(`Saved schools/${riverside}: changed name.`).waitFor();
    await page.getByLabel('Search').focus();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Mine' });
    await page.getByRole('button', { name: 'Add record …' }).focus();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Riverside Academy' });
  });

  it('loads a collection that was chosen while the server was away, once it is back', async () => {
    const { url, sandbox } = await world();
    let isAway = false;
    const page = await open(`${url}/console/${sandbox.id}/state`, {
      prepare: (made) =>
        made.route('**/state/quizzes?*', (route) => (isAway ? route.abort() : route.fallback())),
    });
    await page.getByRole('button', { name: /^schools/ }).waitFor();
    isAway = true;
    await page.getByRole('button', { name: /^quizzes/ }).click();
    const problem = page.getByText('The server does not respond.');
    await problem.waitFor();
    isAway = false;
    await problem.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^Edit record/ })
      .first()
      .waitFor();
  });

  it('warns of what somebody else has changed before the response to an action has arrived', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state`);
    await page.route('**/reset', async (route) => {
      const response = await route.fetch();
      await sandbox.state.patch('schools', riverside, { name: 'Of somebody else' });
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to seed' }).click();
    await page.getByText('Reset the sandbox to its seed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Since then, records changed.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Of somebody else' });
  });

  it('does not overwrite what somebody else changes between its comparison and its write', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=schools&record=${riverside}`);
    const text = page.getByLabel('The record as JSON');
    await text.fill((await text.inputValue()).replace('Riverside Academy', 'Mine'));
    await page.route(
      `**/state/schools/${riverside}`,
      async (route) => {
        const response = await route.fetch();
        await sandbox.state.patch('schools', riverside, { name: 'Of somebody else' });
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Save record' }).click();
    await page.getByText('Somebody else changed the record in the meantime: name.').waitFor();
    expect(await sandbox.state.get('schools', riverside)).toMatchObject({ name: 'Of somebody else' });
  });

  it('loads only the collection that it shows, so that its first view stays below 200 kB', async () => {
    // The list of sandboxes would be that of all tests.
    const { url } = await serve();
    const bodies: Promise<Buffer>[] = [];
    const paths: string[] = [];
    const page = await open(`${url}/console/default/state`, {
      prepare: async (blank) => {
        blank.on('response', (response) => {
          paths.push(new URL(response.url()).pathname);
          bodies.push(response.body());
        });
      },
    });
    await page.getByRole('button', { name: `Edit record ${riverside}` }).waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThan(200_000);
    expect(paths.filter((path) => /\/state\/(?!schools$)/.test(path))).toEqual([]);
  });

  it('tells of a file that does not fit in which record each violation is, and leads to it', async () => {
    const { url, sandbox } = await world();
    const state = await sandbox.state.export();
    const schools = state.collections['schools'] ?? [];
    const [first, ...others] = schools;
    const strange = { ...first, id: 'f'.repeat(24), slug: 7 };
    const wrong = {
      ...state,
      collections: {
        ...state.collections,
        schools: [{ ...first, name: 7 }, ...others, strange, { name: 'Nameless' }],
      },
    };
    const page = await open(`${url}/console/${sandbox.id}/state?collection=videos`);
    const file = {
      name: 'wrong.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(wrong)),
    };
    await page.getByLabel('Import state').setInputFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Import state' }).click();
    const told = page.getByRole('alert').getByRole('listitem');
    await told
      .filter({ hasText: `/collections/schools/${schools.length}/slug` })
      .getByText('which does not exist now')
      .waitFor();
    await told
      .filter({ hasText: `/collections/schools/${schools.length + 1}/id` })
      .getByText(`in record ${schools.length + 2} of schools`)
      .waitFor();
    await expectAccessible(page);
    await told
      .filter({ hasText: '/collections/schools/0/name must be a string' })
      .getByRole('link', { name: `schools/${String(first?.['id'])}` })
      .click();
    expect(await page.getByLabel('The record as JSON').inputValue()).toContain(String(first?.['name']));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await told.count()).toBe(4);
    expect(await sandbox.state.get('schools', String(first?.['id']))).toEqual(first);
    await page.goto(`${url}/console/${sandbox.id}/state?collection=schools&record=nobody`);
    await page.getByText('schools has no record nobody').waitFor();
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state`, { width, colorScheme });
    await page.getByRole('button', { name: `Edit record ${riverside}` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Edit record ${riverside}` }).click();
    await page.getByRole('button', { name: 'Save record' }).waitFor();
    await expectAccessible(page);
  });
});
