import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's report${whereSkipped}`, () => {
  it('counts calls by operation and outcome, and leads from what is wrong to the call in the journal', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/report`);
    await page.getByText('No call yet').waitFor();
    await call('get-all-instructors');
    await call('get-quiz-details', { quizId: 7 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('2 calls').waitFor();
    const row = page.getByRole('row', { name: /^get-all-instructors/ });
    expect(await row.getByRole('cell').first().innerText()).toBe('1');
    await page.getByText('The client has met 2 of the').waitFor();
    const violation = page.getByRole('region', { name: 'Violations' }).getByRole('row', { name: /^get-quiz-details/ });
    const evidence = violation.getByRole('link');
    const requestId = await evidence.innerText();
    await evidence.click();
    await page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('request')).toBe(requestId);
  });

  it.each([
    [1280, 'dark'],
    [375, 'light'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox, call } = await world();
    await call('get-quiz-details', { quizId: 7 });
    const page = await open(`${url}/console/${sandbox.id}/report`, { width, colorScheme });
    await page.getByText('not met yet').click();
    await expectAccessible(page);
  });
});
