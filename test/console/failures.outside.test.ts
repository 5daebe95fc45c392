import { describe, expect, it } from 'vitest';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

describe.skipIf(!browserIsThere)(`the console's failures${whereSkipped}`, () => {
  it('explain each fault, add a rule by the form, count what it does, and are cleared by one click', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByText('No rules. Calls fail only').waitFor();
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByLabel('Fault', { exact: true }).selectOption('slow-body');
    await page
      .getByRole('paragraph')
      .filter({ hasText: 'The headers arrive at once, but the body arrives a few bytes at a time' })
      .waitFor();
    await page.getByLabel('Fault', { exact: true }).selectOption('http-error');
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByLabel('Operation', { exact: true }).selectOption('get-all-instructors');
    await page.getByText('some calls …').click();
    await page.getByLabel('first', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const row = page.getByRole('row', { name: 'http-error-1' });
    await row.getByText('status 503').waitFor();
    expect((await call('get-all-instructors')).status).toBe(503);
    expect((await call('get-all-instructors')).status).toBe(200);
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts(), { timeout: 8000 })
      .toEqual(expect.arrayContaining(['first 1', '2', '1']));
    await page.getByRole('button', { name: 'Delete all rules' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await sandbox.faults.list()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('status 503').waitFor();
    expect(await sandbox.faults.list()).toMatchObject([
      { id: 'http-error-1', when: { first: 1 }, matched: 2, fired: 1 },
    ]);
  });

  it('make the next call fail with 503 and Retry-After in three clicks, and show that the rule has fired', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: 'Failures' }).click();
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const row = page.getByRole('row', { name: 'http-error-1' });
    await row.getByRole('cell', { name: 'next call' }).waitFor();
    const failed = await call('get-all-instructors');
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '2']);
    await row.getByText('inactive', { exact: true }).waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Arm rule http-error-1 again' }).click();
    await row.getByText('inactive', { exact: true }).waitFor({ state: 'detached' });
    expect((await call('get-all-instructors')).status).toBe(503);
  });

  it('say for whom and when a rule fires, and change it by the same form', async () => {
    const { url, sandbox, call } = await world({
      clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' },
    });
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByText('What each fault does').click();
    await page.getByRole('term').filter({ hasText: 'truncated-body' }).waitFor();
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByLabel('Operation', { exact: true }).selectOption('several …');
    for (const name of ['get-quiz-details', 'get-all-instructors'])
      await page.getByRole('checkbox', { name }).check();
    await page.getByText('More conditions').click();
    await page.getByLabel('School', { exact: true }).selectOption('Riverside Academy');
    await page.getByLabel('Key', { exact: true }).fill(sandbox.apiKey('riverside'));
    const parameters = page.getByLabel('Parameters', { exact: true });
    await parameters.fill('{ quizId: "x" }');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('✗ is not valid JSON').waitFor();
    await parameters.fill('{ "quizId": "x" }');
    await page.getByText('some calls …').click();
    await page.getByLabel('between: from').fill('now');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText(/✗ .*must be/).waitFor();
    await page.getByLabel('between: to').fill('now+PT1M');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const row = page.getByRole('row', { name: 'http-error-1' });
    await row.getByText('status 503').waitFor();
    const [added] = await sandbox.faults.list();
    expect(added).toMatchObject({
      operation: ['get-quiz-details', 'get-all-instructors'],
      match: { school: 'riverside', parameters: { quizId: 'x' } },
      when: { between: ['now', 'now+PT1M'] },
    });
    expect((await call('get-quiz-details', { quizId: 'x' })).status).toBe(503);
    expect((await call('get-quiz-details', { quizId: 'y' })).status).toBe(200);

    await row.getByRole('button', { name: 'Edit rule http-error-1' }).click();
    const form = page.getByRole('dialog', { name: 'Edit rule http-error-1' });
    expect(await form.getByLabel('status', { exact: true }).inputValue()).toBe('503');
    expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(2);
    expect(JSON.parse(await form.getByLabel('Parameters', { exact: true }).inputValue())).toEqual({
      quizId: 'x',
    });
    await expectAccessible(page);
    await form.getByLabel('Fault', { exact: true }).selectOption('throttled');
    await form.getByLabel('Parameters', { exact: true }).fill('{ "quizId": "y" }');
    await form.getByText('every call', { exact: true }).click();
    await form.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Saved rule http-error-1 and reset its counters.').waitFor();
    const [changed] = await sandbox.faults.list();
    expect(changed).toMatchObject({
      id: 'http-error-1',
      fault: 'throttled',
      match: { school: 'riverside', parameters: { quizId: 'y' } },
    });
    expect([changed?.when, changed?.with]).toEqual([undefined, undefined]);
    // The key was shown shortened, and stayed.
    expect((await call('get-quiz-details', { quizId: 'y' })).status).toBe(429);
  });

  it('say that a rule for the key of another sandbox or school never fires', async () => {
    const { url, sandbox } = await world();
    await sandbox.faults.add({ fault: 'timeout', match: { key: 'sbx_another_riverside' } });
    const key = sandbox.apiKey('hillcrest');
    await sandbox.faults.add({ fault: 'timeout', match: { key, school: 'riverside' } });
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByText('never fires: no school of this sandbox has its key').waitFor();
    await page.getByText('never fires: its key is of the school hillcrest').waitFor();
    expect(await page.getByText('inactive', { exact: true }).count()).toBe(2);
    // The key is not touched, so it stays as it is: whole for the server, shortened here.
    await page.getByRole('button', { name: 'Edit rule timeout-1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('It can never fire, because no school of this sandbox has its key.').waitFor();
  });

  it('say what is wrong with a rule at its field', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByLabel('status', { exact: true }).fill('200');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const status = page.getByLabel('status', { exact: true });
    await expect.poll(() => status.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('must be a whole number from 400 to 599').count()).toBe(1);
    await page
      .locator(`[id="${await status.getAttribute('aria-describedby')}"]`)
      .getByText('must be a whole number from 400 to 599')
      .waitFor();
    expect(await status.inputValue()).toBe('200');
  });

  it('say at the operations that none is chosen, and at the end that an interval is reversed', async () => {
    const { url, sandbox } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByLabel('Operation', { exact: true }).selectOption('several …');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('✗ Choose at least one operation.').waitFor();
    const first = page.getByRole('checkbox').first();
    expect(await first.getAttribute('aria-invalid')).toBe('true');
    await first.check();
    await page.getByText('some calls …').click();
    await page.getByLabel('between: from').fill('now+PT9S');
    await page.getByLabel('between: to').fill('now');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('must be after the start.').waitFor();
    expect(await page.getByLabel('between: to').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('play a scenario by its button, and end it', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Play bad-gateway' }).click();
    await page.getByText('Playing: bad-gateway').waitFor();
    await page.getByText('from scenario bad-gateway').first().waitFor();
    await call('get-all-instructors');
    expect((await sandbox.describe()).scenario).toBe('bad-gateway');
    await page.getByRole('button', { name: 'End scenario', exact: true }).click();
    await page.getByText('No rules. Calls fail only').waitFor();
    expect((await sandbox.describe()).scenario).toBeNull();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Playing: bad-gateway').waitFor();
    const matched = (await sandbox.faults.list()).map((rule) => rule.matched);
    expect(Math.max(...matched)).toBe(1);
  });

  it('come back at their places by Undo', async () => {
    const { url, sandbox } = await world();
    for (const id of ['one', 'two', 'three'])
      await sandbox.faults.add({ id, fault: 'delay', with: { ms: 1 } });
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'Delete rule two' }).click();
    await page.getByText('Deleted rule two.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await sandbox.faults.list()).map(({ id }) => id)).toEqual(['one', 'two', 'three']);
    // Another sandbox does not offer what was done in this one.
    await page.locator('header select').selectOption('default');
    await page.getByText('Undone.').waitFor({ state: 'detached' });
  });

  it('warn that Undo replaces another scenario, also one with the same name and other rules, and of nothing else', async () => {
    const { url, sandbox } = await world({ scenario: 'bad-gateway' });
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    await page.getByRole('button', { name: 'End scenario', exact: true }).click();
    await page.getByText('Ended the scenario.').waitFor();
    await sandbox.faults.add({ fault: 'delay', with: { ms: 1 } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('button', { name: 'Delete all rules' }).click();
    await page.getByText('Deleted all rules and ended the scenario.').waitFor();
    await sandbox.scenario.play('slow-day');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Since then, the scenario changed again.').waitFor();
    expect((await sandbox.describe()).scenario).toBe('slow-day');
    await page.getByRole('button', { name: 'Play bad-gateway' }).click();
    await page.getByText('Playing bad-gateway.').waitFor();
    const [rule] = await sandbox.faults.list();
    await sandbox.faults.change(rule?.id ?? '', { when: { times: 3 } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Since then, the scenario changed again.').waitFor();
  });

  it('come back with their counters by Undo after another scenario was played in their place', async () => {
    const { url, sandbox, call } = await world({ scenario: 'bad-gateway' });
    await call('get-all-instructors');
    const before = await sandbox.faults.list();
    const page = await open(`${url}/console/${sandbox.id}/failures`);
    for (const next of ['slow-day', 'flaky-network'])
      await page.getByRole('button', { name: `Play ${next}` }).click();
    await page.getByText('Playing flaky-network.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Playing: slow-day').waitFor();
    await page.getByRole('button', { name: 'Play bad-gateway' }).click();
    await page.getByText('Playing bad-gateway.').waitFor();
    await sandbox.scenario.play('bad-gateway');
    await call('get-all-instructors');
    const replaced = await sandbox.faults.list();
    await page.getByRole('button', { name: 'Play flaky-network' }).click();
    await page.getByText('Playing flaky-network.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Playing: bad-gateway').waitFor();
    expect(await sandbox.faults.list()).toEqual(replaced);
    expect(replaced.map(({ id, matched }) => [id, matched])).toEqual(
      before.map(({ id, matched }) => [id, matched]),
    );
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('are accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox } = await world({ scenario: 'bad-gateway' });
    const page = await open(`${url}/console/${sandbox.id}/failures`, { width, colorScheme });
    await page.getByRole('button', { name: 'Add rule …' }).click();
    await page.getByRole('button', { name: 'Add rule' }).waitFor();
    await page.getByText('More conditions').click();
    await page.getByText('What each fault does').click();
    await page.getByText('some calls …').click();
    await page.getByLabel('Operation', { exact: true }).selectOption('several …');
    await expectAccessible(page);
  });
});
