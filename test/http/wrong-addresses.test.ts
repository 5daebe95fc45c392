import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { readMarkup, type Element } from '../support/markup.ts';
import { serve } from '../support/serve.ts';
import { sharedServer } from '../support/world.ts';

/** What browsers send. */
const accepted = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** What Java's HttpURLConnection sends by default. */
const java = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

async function visit(path: string, accept = accepted) {
  const { url } = await sharedServer();
  return supertest(url).get(path).set('Accept', accept);
}

function every(element: Element): readonly Element[] {
  return [element, ...element.children.flatMap(every)];
}

/** The message of a page, and where its cards lead. */
function shown(html: string) {
  const all = every(readMarkup(html, ['meta', 'link', 'input']));
  const cards = all.find(({ attributes }) => attributes['class'] === 'cards');
  return {
    message: all.find(({ attributes }) => attributes['class'] === 'lead')?.text,
    links: cards === undefined ? [] : every(cards).flatMap(({ attributes }) => attributes['href'] ?? []),
  };
}

const addresses = [
  ['/nowhere', 404, ['/', '/console', '/docs']],
  ['/docs/nowhere', 404, ['/', '/console', '/docs']],
  ['/media/x', 404, ['/', '/console', '/docs']],
  ['/docs/%zz', 400, ['/', '/console', '/docs']],
  ['/media/default/sessions/%zz/x', 400, ['/', '/console', '/docs']],
  ['/control', 404, ['/console', '/docs/control', '/']],
  ['/control/sandboxes/nobody', 404, ['/console', '/docs/control', '/']],
] as const;

describe('a browser at a wrong address', () => {
  it.each(addresses)('gets a page at %s, with the message that clients get', async (path, status, links) => {
    const page = await visit(path);
    expect({ status: page.status, type: page.type, vary: page.headers['vary'] }).toEqual({
      status,
      type: 'text/html',
      vary: expect.stringContaining('Accept'),
    });
    const client = await visit(path, 'application/json');
    expect(client.type).toBe('application/problem+json');
    const { detail } = client.body as { readonly detail: string };
    expect(shown(page.text)).toEqual({ message: detail, links });
  });

  it.each([
    [{ Accept: accepted }, 'browser', 0],
    [{ Accept: '*/*', 'Sec-Fetch-Mode': 'navigate' }, 'browser', 0],
    [{ Accept: '*/*' }, null, 1],
    [{ Accept: java }, null, 1],
    [{ Accept: accepted, 'SERVICE-API-KEY': 'demo-riverside' }, null, 1],
  ])('violates no contract, unlike a client: %j', async (headers, page, calls) => {
    const server = await serve();
    await supertest(server.url).get('/public/get-quiz-details').set(headers);
    const [entry] = await server.default.journal.list();
    expect(entry).toMatchObject({ page, outcome: 'unmatched', method: 'GET' });
    const { curl = '' } = (await server.default.journal.get(entry?.requestId ?? '')) ?? {};
    // curl sends no type without a body.
    expect(curl).not.toContain('Content-Type');
    const { violations, fromPages, ...report } = await server.default.report();
    expect([report.calls, violations.length, fromPages]).toEqual([calls, calls, 1 - calls]);
  });

  it.each([
    ['/public/get-quiz-details', 405],
    ['/public/get-quizz', 404],
    ['/get-quiz-details', 404],
  ])('gets a page at %s, which leads to the request in the journal', async (path, status) => {
    const server = await serve();
    const page = await supertest(server.url).get(path).set('Accept', accepted);
    expect({ status: page.status, type: page.type }).toEqual({ status, type: 'text/html' });
    const [entry] = await server.default.journal.list();
    const { violations = [], requestId, response, responseHeaders } = entry ?? {};
    expect(shown(page.text)).toEqual({
      message: violations[0]?.message,
      links: ['/docs', `/console/default/journal?request=${requestId}`, '/'],
    });
    // The journal has what was sent.
    expect(responseHeaders?.['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text.startsWith(response ?? '-')).toBe(true);
  });

  it('gets a page where the console would be, if the server has no control plane', async () => {
    const { url } = await serve({ controlPort: 'off' });
    const page = await supertest(url).get('/console').set('Accept', accepted);
    expect({ status: page.status, type: page.type }).toEqual({ status: 404, type: 'text/html' });
    expect(shown(page.text).message).toContain('--control-port off');
  });

  it('may load nothing that is not this server’s own', async () => {
    for (const path of ['/nowhere', '/control', '/public/nowhere'])
      expect((await visit(path)).headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
  });

  it('has links to the school and the demo, unless the server is a proxy', async () => {
    for (const path of ['/nowhere', '/control', '/public/nowhere']) {
      const { text } = await visit(path);
      for (const link of ['href="/demo"', 'href="/school"']) expect(text, path).toContain(link);
    }
  });

  it('shows the address as text, never as a tag', async () => {
    const { text } = await visit('/%3Cscript%3E');
    expect(text).not.toContain('<script>');
  });
});

describe('a program at a wrong address', () => {
  it.each([
    ['with any type', {}],
    ['that asks for HTML as Java does by default', { accept: java }],
    ['with a key', { accept: accepted, 'service-api-key': 'sbx_default_riverside' }],
    ['with a token', { accept: accepted, authorization: 'Bearer some-token' }],
  ])('gets a problem document: %s', async (_, headers) => {
    const { url } = await sharedServer();
    for (const path of ['/nowhere', '/control', '/public/nowhere'])
      expect((await supertest(url).get(path).set(headers)).type).toBe('application/problem+json');
  });

  it('gets a problem document for a change', async () => {
    const { url } = await sharedServer();
    for (const path of ['/nowhere', '/control', '/public/nowhere'])
      expect((await supertest(url).put(path).set('Accept', accepted)).type).toBe('application/problem+json');
  });
});
