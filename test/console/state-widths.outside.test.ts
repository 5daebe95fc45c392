import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();
const coupon = '5bb6bf98e3b6a0f3c19b07c3';

describe.skipIf(!browserIsThere)(`the records of the State panel${whereSkipped}`, () => {
  it.each([375, 1280, 2560])(
    'show title, limit, marker and buttons within the window, %i pixels wide',
    async (width) => {
      const { url, sandbox } = await world();
      await sandbox.state.patch('coupons', coupon, { numberOfRedemptionsAllowed: 107 });
      const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons`, { width });
      const row = page.getByRole('row').filter({ hasText: coupon });
      const edit = row.getByRole('button', { name: /^Edit record/ });
      await edit.focus();
      for (const part of [
        row.getByText(coupon, { exact: true }),
        row.getByText('changed', { exact: true }),
        row.getByText('PYTHON-EARLY-BIRD'),
        row.getByText('107'),
        row.getByRole('button', { name: /^Show difference/ }),
        edit,
      ]) {
        const { x = -1, width: size = 0 } = (await part.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + size).toBeLessThanOrEqual(width);
      }
      await expectAccessible(page);
    },
  );

  it('have the names of numbers above the numbers, at their right', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/state?collection=coupons`);
    await page.getByRole('columnheader', { name: 'description' }).waitFor();
    const aligned = `[...document.querySelectorAll('thead th')].map((one) =>
      [one.textContent, getComputedStyle(one).textAlign])`;
    const sides = new Map(await page.evaluate<[string, string][]>(aligned));
    expect(sides.get('numberOfRedemptionsAllowed')).toBe('right');
    expect(sides.get('description')).toBe('left');
  });

  it('are found again after Back, pressed right after typing, and Forward', async () => {
    const { url, sandbox } = await world();
    const at = `${url}/console/${sandbox.id}/state?collection=`;
    const page = await open(`${at}coupons`);
    await page.getByRole('button', { name: /^videos/ }).click();
    await page.getByText('65 records').waitFor();
    await page.evaluate(`(async () => {
      const field = document.querySelector('input[type=search]');
      field.value = 'lesson';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
      history.back();
    })()`);
    await page.getByText('11 records').waitFor();
    await page.goForward();
    await page.waitForURL(`${at}videos&text=lesson`);
    await page.getByText(/^\d+ of 65 records$/).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('lesson');
  });
});
