import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's state of a large collection${whereSkipped}`, () => {
  it('loads the page that it shows, and finds, marks and opens records of the others', async () => {
    const { url, sandbox } = await world({ seed: 'generated:videos=3000' });
    const videos = await sandbox.state.list('videos');
    const [last, removed] = [videos.at(-1), videos.at(-2)];
    if (last === undefined || removed === undefined) throw new Error('There are no videos.');
    await sandbox.state.patch('videos', last.id, { videoTitle: 'An Unmistakable Title' });
    await sandbox.state.remove('videos', removed.id);
    const bodies: Promise<Buffer>[] = [];
    let isFirstView = true;
    const page = await open(`${url}/console/${sandbox.id}/state?collection=videos`, {
      prepare: async (blank) => {
        blank.on('response', (response) => {
          // The list of sandboxes grows with the tests that share the server.
          const isOfSandbox = response.url().includes(`/control/sandboxes/${sandbox.id}/`);
          if (isFirstView && isOfSandbox) bodies.push(response.body());
        });
      },
    });
    await page.getByText('1–100 of 2,999 records').waitFor();
    isFirstView = false;
    // Not their sum: a page that opens slowly may load some of them again.
    const sizes = (await Promise.all(bodies)).map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThan(50_000);
    await page.getByRole('heading', { name: '1 removed record' }).waitFor();

    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByText('2,901–2,999 of 2,999 records').waitFor();
    await page.getByRole('rowheader', { name: `${last.id} changed` }).waitFor();
    // Another filter begins at its first page.
    await page.getByLabel('Search').fill('an unmistakable');
    await page.getByText('1 of 2,999 records').waitFor();
    await page.getByRole('button', { name: `Show difference of ${last.id}` }).click();
    await page.getByRole('row', { name: /"An Unmistakable Title"$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search').fill('');
    await page.getByText('1–100 of 2,999 records').waitFor();
    await page.getByLabel('Only differences from the seed').check();
    await page.getByText('1 of 2,999 records').waitFor();
    await page.getByLabel('Only differences from the seed').uncheck();
    const { schools } = (await sandbox.state.export()).collections;
    const [{ slug = '', id: schoolId } = {}] = schools ?? [];
    await page.getByRole('combobox', { name: 'School' }).selectOption(String(slug));
    const ofSchool = videos.filter((video) => video.schoolId === schoolId && video !== removed).length;
    await page.getByText(`1–100 of ${ofSchool.toLocaleString('en')} records`).waitFor();
    await expectAccessible(page);

    await page.goto(`${url}/console/${sandbox.id}/state?collection=videos&record=${last.id}`);
    expect(await page.getByLabel('The record as JSON').inputValue()).toContain('An Unmistakable Title');
  });

  it('loads only those records to which its page refers, shows their titles and leads to them', async () => {
    const { url, sandbox } = await world({ seed: 'generated:products=300,coupons=1' });
    const [coupon] = await sandbox.state.list('coupons');
    const product = (await sandbox.state.list('products')).findLast(
      ({ schoolId }) => schoolId === coupon?.schoolId,
    );
    if (coupon === undefined || product === undefined) throw new Error('There are no coupons.');
    await sandbox.state.patch('coupons', coupon.id, { productId: product.id });
    await sandbox.state.patch('products', product.id, { title: 'Far Away' });
    const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons`);
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/state/products?')),
      page.reload(),
    ]);
    expect(await response.json()).toMatchObject({ records: [{ id: product.id }] });
    await page.getByRole('link', { name: 'Far Away' }).click();
    expect(await page.getByLabel('The record as JSON').inputValue()).toContain('Far Away');
  });
});
