import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SandboxHandle } from '../../src/index.ts';
import type { JournalSummary } from '../../src/sandbox/journal-summary.ts';
import { browserIsThere, expectAccessible, whereSkipped, withBrowser } from '../support/console-page.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

const open = withBrowser();

/** A page that showed a journal of one request, which a program has emptied. */
async function emptiedElsewhere() {
  const { url, sandbox, call } = await world();
  await call('get-all-instructors');
  const page = await open(`${url}/console/${sandbox.id}/journal`);
  await page.getByText('1 request', { exact: true }).waitFor();
  await sandbox.journal.clear();
  await page.getByText('No requests yet').waitFor();
  return { page, sandbox, call };
}

async function readSummaries({
  baseUrl,
  id,
}: SandboxHandle): Promise<{ entries: readonly JournalSummary[] }> {
  const reply = await fetch(`${baseUrl}/control/sandboxes/${id}/journal?form=summary`);
  // As openapi/control.yaml has it.
  return (await reply.json()) as { entries: readonly JournalSummary[] };
}

/** Opens a page, and returns how many bytes it loads until it waits for nothing but new journal entries. */
async function bytesOfFirstLoad(address: string, shown: string): Promise<number> {
  let bytes = 0;
  const pending = new Set<object>();
  const page = await open(address, {
    prepare: async (made) => {
      const session = await made.context().newCDPSession(made);
      await session.send('Network.enable');
      // As they are sent, with their headers: compressed.
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      made.on('request', (request) => {
        if (!request.url().includes('/stream')) pending.add(request);
      });
      made.on('requestfinished', (request) => pending.delete(request));
      made.on('requestfailed', (request) => pending.delete(request));
    },
  });
  await page.getByText(shown).filter({ visible: true }).first().waitFor();
  await expect.poll(() => pending.size).toBe(0);
  return bytes;
}

/**
 * A server with 300 journal entries of 60 kB, with the longest lines: the longest name of an operation, a test that each
 * belongs to, and, once the rate limit is reached, the most assumptions.
 */
async function serveFull() {
  const server = await serve({ max: { journalBytes: 1_000_000_000 } });
  const sandbox = await server.createSandbox();
  const body = JSON.stringify({ data: [{ data: { liveEventSessionID: 12, padding: 'x'.repeat(60_000) } }] });
  const headers = { 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' };
  const operation = 'get-signed-url-data-for-live-event-session-playback';
  for (let call = 0; call < 300; call += 1) {
    const scope = `tests/integration/recordings.spec.ts > recordings > a learner who is enrolled > plays recording ${call % 150}`;
    const request = { method: 'POST', headers: { ...headers, 'Sandbox-Scope': scope }, body };
    await (await fetch(`${server.url}/public/${operation}`, request)).text();
  }
  return { url: server.url, sandbox };
}

/** A call to the default sandbox of a server. */
function callDefault(url: string): Promise<Response> {
  return fetch(`${url}/public/get-all-instructors`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' },
    body: '{"data":[{"data":{}}]}',
  });
}

describe.skipIf(!browserIsThere)(`the console's journal${whereSkipped}`, () => {
  it('says that nobody has called, and shows a call as it comes', async () => {
    const { url, sandbox, call } = await world();
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByText('No requests yet').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await call('get-all-instructors');
    const row = page.getByRole('link', { name: /get-all-instructors/ });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/POST.*riverside.*200.*ms.*ok/);
  });

  it('marks a violation at its place in the body, beside the response', async () => {
    const { url, sandbox, call } = await world();
    await call('get-quiz-details', { quizId: 12 });
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /get-quiz-details.*1 violation/ }).click();
    const line = page.getByLabel('Request body', { exact: true }).locator('li', { hasText: 'Violation:' });
    expect(await line.locator('code').textContent()).toBe('        "quizId": 12');
    expect(await line.textContent()).toContain('must be a string');
    expect(await page.getByLabel('Response body', { exact: true }).textContent()).toContain(
      '"status": "error"',
    );
  });

  it('shows a body as it was sent, what is in it twice and what is no JSON too', async () => {
    const { url, sandbox, post } = await world();
    const send = (body: string) =>
      post('get-quiz-details')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .set('Content-Type', 'application/json')
        .send(body);
    const twice = '{"data":[{"data":{"10":1.50,"quizId":"caf\\u00e9","2":[],"quizId":12}}]}';
    await send(twice);
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /get-quiz-details/ }).click();
    const body = page.getByLabel('Request body', { exact: true });
    await body.waitFor();
    const lines = await body.locator('li > code').allTextContents();
    const [, , , , ...inner] = lines.map((line) => line.trim());
    expect(inner.slice(0, 4)).toEqual(['"10": 1.50,', '"quizId": "caf\\u00e9",', '"2": [],', '"quizId": 12']);
    const marked = body.locator('li', { hasText: '/data/0/data/quizId' });
    expect(await marked.locator('code').allTextContents()).toEqual(['        "quizId": 12']);
    await page.getByText('Duplicate members: /data/0/data/quizId. The last one counts.').waitFor();
    await page.getByRole('button', { name: 'Show original: Request body' }).click();
    await expect.poll(() => body.locator('li > code').allTextContents()).toEqual([twice]);
    await send('{"data": [');
    await page.getByRole('link', { name: /get-quiz-details.*400/ }).click();
    await page.getByText('Not valid JSON; shown unformatted.').waitFor();
    expect(await body.locator('li > code').allTextContents()).toEqual(['{"data": [']);
  });

  it('narrows by operation, outcome, status, time and text, as its address says', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    await call('get-quiz-details', { quizId: 'no-such-quiz' });
    await call('get-quiz-details', { quizId: 'another' });
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    const shown = page.getByLabel('Requests, newest first').getByRole('link');
    await expect.poll(() => shown.count()).toBe(3);
    await page.getByLabel('Operation').selectOption('get-quiz-details');
    await expect.poll(() => shown.count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Text' }).fill('ANOTHER');
    await expect.poll(() => shown.count()).toBe(1);
    await page.getByLabel('Operation').selectOption('');
    await page.getByRole('searchbox', { name: 'Text' }).fill('');
    await page.getByLabel('Outcome').selectOption('ok');
    await expect
      .poll(() => shown.allTextContents())
      .toEqual([expect.stringContaining('get-all-instructors')]);
    await page.getByText('1 of 3 requests').waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await page.getByLabel('Time').selectOption('last 10 minutes');
    await page.reload();
    await page.getByText('1 of 3 requests').waitFor();
    expect(new URL(page.url()).search).toBe('?outcome=ok&status=2xx&last=10');
    await page.getByLabel('Time').selectOption('between …');
    await page.getByLabel('From (UTC)').fill('2100-01-01T00:00:00');
    await page.getByText('No request matches the filter.').waitFor();
    await page.getByLabel('To (UTC)').fill('2099-01-01T00:00:00');
    await page.getByText('✗ The end is before the start').waitFor();
    expect(await page.getByLabel('To (UTC)').getAttribute('aria-invalid')).toBe('true');
  });

  it('closes an entry without an entry of the history that opens it again, also under a filter set meanwhile', async () => {
    const { url, sandbox, call } = await world();
    for (const quizId of ['first', 'second']) await call('get-quiz-details', { quizId });
    await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/sandboxes`);
    await page.getByRole('link', { name: 'Journal', exact: true }).click();
    await page.getByText('3 requests').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.getByRole('region', { name: `Request ${sandbox.id}-2` }).waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.waitForURL(`${url}/console/${sandbox.id}/journal?status=2xx`);
    await page.goBack();
    await page.waitForURL(`${url}/console/${sandbox.id}/sandboxes`);
  });

  it('stays in the journal if Close is activated twice at the same moment', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/sandboxes`);
    await page.getByRole('link', { name: 'Journal', exact: true }).click();
    await page.getByText('1 request', { exact: true }).waitFor();
    await page.keyboard.press('j');
    const close = page.getByRole('button', { name: 'Close' });
    await close.waitFor();
    await page.evaluate(`{
      const close = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Close');
      close.click();
      close.click();
    }`);
    await close.waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL(`${url}/console/${sandbox.id}/sandboxes`);
    await page.goForward();
    await page.waitForURL(`${url}/console/${sandbox.id}/journal`);
  });

  it('clears the search with Esc, and closes the entry with Esc in the empty field', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/journal?text=instructors&request=${sandbox.id}-1`);
    const search = page.getByRole('searchbox');
    const entry = page.getByRole('region', { name: `Request ${sandbox.id}-1` });
    await entry.getByRole('heading', { name: 'Request', exact: true }).waitFor();
    await search.press('Escape');
    await page.waitForURL(`${url}/console/${sandbox.id}/journal?request=${sandbox.id}-1`);
    expect(await entry.count()).toBe(1);
    await search.press('Escape');
    await entry.waitFor({ state: 'detached' });
  });

  it('is read by keyboard alone', async () => {
    const { url, sandbox, call } = await world();
    for (const quizId of ['first', 'second', 'third']) await call('get-quiz-details', { quizId });
    const page = await open(`${url}/console/${sandbox.id}/journal?operation=get-quiz-details`);
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement.closest("[aria-label]")?.getAttribute("aria-label")');
    await page.getByText('3 requests').waitFor();
    await page.keyboard.press('j');
    await expect.poll(focused).toBe(`Request ${sandbox.id}-3`);
    await page.keyboard.press('j');
    await expect.poll(focused).toBe(`Request ${sandbox.id}-2`);
    await page.keyboard.press('k');
    await expect.poll(focused).toBe(`Request ${sandbox.id}-3`);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("href")'))
      .toContain(`operation=get-quiz-details&request=${sandbox.id}-3`);
    expect(new URL(page.url()).search).toBe('?operation=get-quiz-details');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('second?');
    await page.getByText('No request matches the filter.').waitFor();
  });

  it('sends an edited call, compares it with the one before, and saves all as HAR', async () => {
    const { url, sandbox, call } = await world();
    await call('get-quiz-details', { quizId: 'no-such-quiz' });
    const page = await open(`${url}/console/${sandbox.id}/journal?request=${sandbox.id}-1`);
    await page.getByRole('button', { name: 'Edit and resend …' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('{"data":[{"data":{"quizId":"another"}}]}');
    await page.getByRole('button', { name: 'Send request', exact: true }).click();
    await page.getByRole('region', { name: `Request ${sandbox.id}-2` }).waitFor();
    await page.getByRole('button', { name: 'Copy body: Request body' }).click();
    await page.getByRole('button', { name: 'Copied: Request body' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      '{"data":[{"data":{"quizId":"another"}}]}',
    );
    await page.getByLabel('Compare with').selectOption(`${sandbox.id}-1`);
    await page.getByRole('row', { name: 'data/0/data/quizId "no-such-quiz" "another"' }).waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download HAR' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${sandbox.id}.har`);
  });

  it('marks entries that the server has evicted, and still shows their lines', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    await call('get-all-live-events');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByText('2 requests').waitFor();
    // As after the oldest entry was evicted.
    await page.route(`**/control/sandboxes/${sandbox.id}`, async (route) => {
      const reply = await route.fetch();
      const about = (await reply.json()) as object;
      await route.fulfill({ json: { ...about, exchanges: 1 } });
    });
    await page.route(/\/journal\/[^/]+-1$/, (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        json: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Evicted.' },
      }),
    );
    await page.getByRole('link', { name: /get-all-instructors.*evicted/ }).click();
    await page.getByText('The journal no longer has this entry').waitFor();
    await page
      .getByRole('region', { name: `Request ${sandbox.id}-1` })
      .getByText('HTTP 200')
      .waitFor();
    expect(await page.getByText('evicted', { exact: true }).count()).toBe(1);
  });

  it('gives the call as a curl command, and sends it again as another school', async () => {
    const { url, sandbox, call } = await world();
    // What is masked is left out.
    await call('get-all-instructors').set({ 'X-Auth-Token': 'hush', 'X-Trace': 'mine' });
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /get-all-instructors/ }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain(`curl '${url}/public/get-all-instructors'`);
    expect(copied).toContain(sandbox.apiKey('riverside'));
    await page.getByRole('combobox', { name: 'as', exact: true }).selectOption('hillcrest');
    await page.getByRole('button', { name: 'Send request again' }).click();
    await page.getByRole('link', { name: /hillcrest/ }).waitFor();
    const entries = await sandbox.journal.list();
    expect(entries.map(({ school, outcome }) => [school, outcome])).toEqual([
      ['riverside', 'ok'],
      ['hillcrest', 'ok'],
    ]);
    expect(
      entries.map(({ requestHeaders }) => [requestHeaders['x-trace'], requestHeaders['x-auth-token']]),
    ).toEqual([
      ['mine', '…'],
      ['mine', undefined],
    ]);
    await page.getByText(/school hillcrest/).waitFor();
  });

  it('makes the next such call fail, once', async () => {
    const { url, sandbox, call } = await world();
    const { body: first } = await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /get-all-instructors/ }).click();
    await page.getByRole('combobox', { name: 'with', exact: true }).selectOption('throttled');
    await page.getByRole('button', { name: 'Fail the next call' }).click();
    await page.getByText(/The next call of get-all-instructors will fail/).waitFor();
    expect((await call('get-all-instructors')).status).toBe(429);
    expect((await call('get-all-instructors')).body).toEqual(first);
    await page.getByRole('link', { name: /⚡ throttled/ }).waitFor();
  });

  it('leads to the form of a rule that is about this call, with the fault that was picked', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /get-all-instructors/ }).click();
    await page.getByRole('combobox', { name: 'with', exact: true }).selectOption('throttled');
    await page.getByRole('link', { name: 'Edit the rule first …' }).click();
    await page.getByLabel('retry-after', { exact: true }).fill('9');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText(/^Added rule \S+: throttled\.$/).waitFor();
    expect(await sandbox.faults.list()).toMatchObject([
      {
        operation: 'get-all-instructors',
        fault: 'throttled',
        with: { 'retry-after': 9 },
        when: { times: 1 },
      },
    ]);
  });

  it('keeps few rows in the page however many exchanges there are, and comes to the last one', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    const [first] = (await readSummaries(sandbox)).entries;
    const many = Array.from({ length: 10_000 }, (_, at) => ({ ...first, requestId: `made-up-${at}` }));
    const values = { operations: [], outcomes: [], statuses: [] };
    const page = await open(`${url}/console/${sandbox.id}/journal`, {
      prepare: (made) =>
        made.route(/\/journal(\?|$)/, (route) =>
          route.request().resourceType() === 'document'
            ? route.fallback()
            : route.fulfill({ json: { entries: many, values, evicted: 0, more: false } }),
        ),
    });
    await page.getByText('10000 requests').waitFor();
    const rows = page.getByLabel('Requests, newest first').getByRole('listitem');
    expect(await rows.count()).toBeLessThan(80);
    await page.evaluate("document.querySelector('.virtual').scrollTop = 1e9");
    await page.locator('a[href$="request=made-up-0"]').waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await page.locator('a[href$="request=made-up-1"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toContain('made-up-0');
  });

  it('is emptied, and filled again by Undo', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    await call('list-assignments');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByText('2 requests', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Empty journal' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Empty journal' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await sandbox.journal.list()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 requests', { exact: true }).waitFor();
    expect(await sandbox.journal.list()).toHaveLength(2);
  });

  it('is filled again in every tab, once the clearing was undone elsewhere', async () => {
    const { page, sandbox } = await emptiedElsewhere();
    await sandbox.journal.restore();
    await page.getByText('1 request', { exact: true }).waitFor();
  });

  it('shows the method of a request', async () => {
    const { url, sandbox } = await world();
    const headers = { 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
    await fetch(`${url}/public/list-assignments`, { method: 'PUT', headers });
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByRole('link', { name: /PUT list-assignments/ }).waitFor();
  });

  it('loads the newest entries first, and the others when they are needed', async () => {
    const { url, sandbox, call } = await world();
    await sandbox.limits.set({ scale: null });
    await call('list-assignments');
    for (let calls = 0; calls < 120; calls += 1) await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByText('the newest 100 requests').waitFor();
    await page.getByRole('button', { name: 'Load older requests' }).click();
    await page.getByText('121 requests', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('the newest 100 requests').waitFor();
    // The filter offers what only an older entry has.
    await page.getByLabel('Operation').selectOption('list-assignments');
    await page.getByText('1 of 121 requests').waitFor();
  });

  it('loads older entries once, however often it is asked to, and fits them to a filter that was changed meanwhile', async () => {
    const { url, sandbox, call } = await world();
    await sandbox.limits.set({ scale: null });
    await call('list-assignments');
    for (let calls = 0; calls < 120; calls += 1) await call('get-all-instructors');
    const held: Route[] = [];
    const page = await open(`${url}/console/${sandbox.id}/journal`, {
      prepare: (opened) => opened.route(/journal\?limit=10000&/, (route) => void held.push(route)),
    });
    const load = page.getByRole('button', { name: 'Load older requests' });
    await load.waitFor();
    // Before the page is drawn again.
    await load.evaluate('(button) => [1, 2].forEach(() => button.click())');
    await page.getByLabel('Operation').selectOption('list-assignments');
    // An entry that comes while the older ones are on their way.
    await call('list-assignments');
    await page.getByText('1 of the newest 101 requests').waitFor();
    for (const route of held) await route.continue();
    await page.getByText('2 of 122 requests').waitFor();
    expect(held).toHaveLength(1);
    await page.getByLabel('Operation').selectOption('');
    await page.getByText('122 requests', { exact: true }).waitFor();
  });

  it('finds a text in the body of an old entry, and in new ones', async () => {
    const { url, sandbox, call } = await world();
    await sandbox.limits.set({ scale: null });
    await call('get-quiz-details', { quizId: 'needle' });
    for (let calls = 0; calls < 120; calls += 1) await call('get-all-instructors');
    const page = await open(`${url}/console/${sandbox.id}/journal`);
    await page.getByText('the newest 100 requests').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('NEEDLE');
    await page.getByText('1 of 121 requests').waitFor();
    await call('get-quiz-details', { quizId: 'another-needle' });
    await page.getByText('2 of 122 requests').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('nobody-sent-this');
    await page.getByText('No request matches the filter.').waitFor();
  });

  it('offers all calls of the operation for a comparison, but not the call itself', async () => {
    const { url, sandbox, call } = await world();
    await sandbox.limits.set({ scale: null });
    for (let calls = 0; calls < 55; calls += 1) await call('get-all-instructors');
    for (let calls = 0; calls < 110; calls += 1) await call('list-assignments');
    const page = await open(`${url}/console/${sandbox.id}/journal?request=${sandbox.id}-55`);
    const field = page.getByLabel('Compare with');
    const offered = field.locator('option');
    await expect.poll(() => offered.count()).toBe(52);
    const last = offered.last();
    expect(await last.textContent()).toBe('Offer older calls, too …');
    expect(await offered.filter({ hasText: `(${sandbox.id}-55)` }).count()).toBe(0);
    await field.selectOption('Offer older calls, too …');
    await expect.poll(() => offered.count()).toBe(55);
    await field.selectOption(`${sandbox.id}-1`);
    await page.getByRole('region', { name: 'Comparison' }).waitFor();
  });

  it.each([
    ['was emptied', 'emptied', '1 request'],
    ['was emptied and restored', 'restored', '4 requests'],
  ])('shows what there is if it %s while the page was disconnected', async (_, what, count) => {
    const { url, sandbox, call } = await world();
    for (let calls = 0; calls < 3; calls += 1) await call('get-all-instructors');
    let isAway = true;
    const page = await open(`${url}/console/${sandbox.id}/journal`, {
      prepare: (made) =>
        made.route(/\/journal\/stream\b/, (route) =>
          isAway ? route.fulfill({ contentType: 'text/event-stream', body: '' }) : route.fallback(),
        ),
    });
    await page.getByText('3 requests', { exact: true }).waitFor();
    await sandbox.journal.clear();
    await call('list-assignments');
    if (what === 'restored') await sandbox.journal.restore();
    isAway = false;
    await page.getByText(count, { exact: true }).waitFor();
    await page.getByRole('link', { name: /list-assignments/ }).waitFor();
    expect(await page.getByText('While this page was disconnected, the journal was emptied').count()).toBe(
      what === 'emptied' ? 1 : 0,
    );
  });

  it('loads less than 200 kB at first, however many and large the entries are', async () => {
    const { sandbox, url } = await serveFull();
    for (const [path, shown] of [
      [`/console/${sandbox.id}/journal`, 'the newest 100 requests'],
      [`/console/${sandbox.id}/report`, 'Contract violations'],
      [`/console/${sandbox.id}/state?collection=submissions`, 'records'],
      [`/school/${sandbox.id}`, 'Courses'],
    ] as const) {
      const bytes = await bytesOfFirstLoad(`${url}${path}`, shown);
      expect(bytes, path).toBeGreaterThan(50_000);
      expect(bytes, path).toBeLessThan(200_000);
    }
  });

  it('shows nothing any more once the journal was emptied elsewhere', async () => {
    const { page, call } = await emptiedElsewhere();
    await call('get-all-instructors');
    await page.getByText('1 request', { exact: true }).waitFor();
  });

  it('says that some are missing where more came while it was away than the server keeps', async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    let connections = 0;
    const page = await open(`${url}/console/${sandbox.id}/journal`, {
      prepare: (made) =>
        made.route(/\/journal\/stream\b/, (route) => {
          connections += 1;
          const body = connections === 1 ? '' : 'event: gap\ndata: {"evicted":3}\n\n';
          return route.fulfill({ contentType: 'text/event-stream', body });
        }),
    });
    await page.getByText('Some requests are missing').waitFor();
    await page.getByText('1 request', { exact: true }).waitFor();
  });

  it('says that it is not live while the server is away, and goes on with another one', async () => {
    const first = await serve();
    await callDefault(first.url);
    const page = await open(`${first.url}/console/default/journal`);
    await page.getByText('1 request', { exact: true }).waitFor();
    await first.close();
    await page.getByText('not live').waitFor();
    const second = await serve({ port: Number(new URL(first.url).port) });
    await page.getByText('live', { exact: true }).waitFor();
    // Its journal is another one, though its request ids are the same.
    await page.getByText('the server started again').waitFor();
    await page.getByText('No requests yet').waitFor();
    await callDefault(second.url);
    await page.getByText('1 request', { exact: true }).waitFor();
  });

  it('leaves room for the badges beside an open entry', async () => {
    const { url, sandbox, call } = await world();
    const parameters = { liveEventSessionId: 12, anotherField: 1, oneMore: 2 };
    await call('get-signed-url-data-for-live-event-session-playback', parameters);
    const page = await open(`${url}/console/${sandbox.id}/journal`, { width: 1440 });
    await page.getByRole('link', { name: /get-signed-url-data/ }).click();
    await page.getByText('Violation:').waitFor();
    const cut = await page
      .locator('.exchange .badge')
      .evaluateAll(
        (badges) => badges.filter(({ clientWidth, scrollWidth }) => clientWidth < scrollWidth).length,
      );
    expect(cut).toBe(0);
  });

  it.each([
    [1280, 'light'],
    [375, 'dark'],
    [2560, 'dark'],
  ] as const)('is accessible at %i pixels, %s', async (width, colorScheme) => {
    const { url, sandbox, call } = await world();
    // The longest name.
    await call('get-signed-url-data-for-live-event-session-playback', { liveEventSessionId: 12 });
    const page = await open(`${url}/console/${sandbox.id}/journal`, { width, colorScheme });
    await page.getByRole('link', { name: /get-signed-url-data/ }).click();
    await page.getByText('Violation:').waitFor();
    await expectAccessible(page);
  });
});
