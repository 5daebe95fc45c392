import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's report${whereSkipped}`, () => {
  it('counts calls by operation and outcome, and leads from what is wrong to the call in the journal', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/report`);
    await page.getByText('The client made no calls, so there is nothing to report.').waitFor();
    await call('get-all-instructors');
    await call('get-quiz-details', { quizId: 7 });
    await page.getByRole('button', { name: 'Refresh report' }).click();
    await page.getByText(`2 to 2 of ${operationNames.length} operations`).waitFor();
    const row = page.getByRole('row', { name: /^get-all-instructors/ });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['1', '1', '–', '–', '']);
    await page.getByText('The client has met 2 of').waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.verdict')).fontWeight")).toBe(
      '600',
    );
    await page.getByRole('link', { name: 'Contract', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#contract');
    const violation = page.getByRole('article').filter({ hasText: 'must be a string, but is the number 7.' });
    const evidence = violation.getByRole('link');
    const requestId = await evidence.innerText();
    await evidence.click();
    await page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('request')).toBe(requestId);
    expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0);
  });

  it('counts the forms of parameters and fields, and gives the command for what was not met', async () => {
    const { url, sandbox, call } = await world();
    await call('get-video-library', { filterTerm: 'off by one' });
    const page = await open(`${url}/console/${sandbox.id}/report`);
    await page.getByText(/get-video-library: sent 3 of 6 variants/).click();
    await page.getByRole('heading', { name: 'Parameters sent' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^\/filterTerm: given 1,\s+left out never$/ })
      .waitFor();
    await page.getByRole('heading', { name: 'Fields received' }).waitFor();
    await page.getByText('Operations without a successful call').click();
    await page.getByText('Faults not met').click();
    await page
      .getByRole('button', { name: 'Copy command: the command for list-assignments' })
      .first()
      .click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl "${url}/public/list-assignments" -H "SERVICE-API-KEY: ${sandbox.apiKey('riverside')}"`,
    );
    await page.getByText(`SANDBOX_API_KEY='${sandbox.apiKey('riverside')}'`).waitFor();
    await page
      .getByRole('group', { name: 'truncated-body' })
      .getByRole('link', { name: 'Add rule …' })
      .click();
    await page.getByRole('heading', { name: 'Failures', level: 1 }).waitFor();
    await expect.poll(() => page.getByLabel('Fault', { exact: true }).inputValue()).toBe('truncated-body');
  });

  it('is saved in each of its renderings, with the control token where the server wants it', async () => {
    const { url } = await serve({ controlToken: 'open-sesame' });
    const page = await open(`${url}/console/default/report`);
    await page.getByRole('textbox', { name: 'Token' }).fill('open-sesame');
    await page.getByRole('button', { name: 'Save token' }).click();
    for (const [title, ending, content] of [
      ['HTML', '.html', '<!doctype html>'],
      ['Markdown', '.md', '# '],
      ['JUnit', '.junit.xml', '<testsuite'],
      ['JSON', '.json', '"situations":'],
    ] as const) {
      const button = page.getByRole('button', { name: `Download ${title}`, exact: true });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toBe(`default-report${ending}`);
      expect(await readFile(await download.path(), 'utf8')).toContain(content);
    }
  });

  it.each([
    [1280, 'dark'],
    [375, 'light'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox, call } = await world();
    await call('get-quiz-details', { quizId: 7 });
    const page = await open(`${url}/console/${sandbox.id}/report`, { width, colorScheme });
    for (const fold of await page.locator('main summary').all()) await fold.click();
    await expectAccessible(page);
  });
});
