import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../../src/index.ts';
import { startServer } from '../../src/server/server.ts';
import { run } from '../support/command.ts';
import { readMarkup, type Element } from '../support/markup.ts';
import { serve } from '../support/serve.ts';

/** What browsers send. */
const accepted = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function startPage(options?: StartOptions) {
  const { url } = await serve(options);
  const { status, type, headers, text } = await supertest(url).get('/').set('Accept', accepted);
  return { url, status, type, headers, text };
}

/** What stands in the only element that is called so, for people or by its id. */
function shown(html: string, called: string): string {
  const found = [...every(readMarkup(html, ['meta', 'link', 'input']))].filter(
    ({ attributes }) =>
      attributes['id'] === called || (attributes['aria-label'] === called && attributes['tabindex'] === '0'),
  );
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

function every(element: Element): readonly Element[] {
  return [element, ...element.children.flatMap(every)];
}

describe('the start page', () => {
  it('is a page for browsers, and data for everybody else', { tags: ['slow'] }, async () => {
    const { url, status, type, headers } = await startPage();
    expect({ status, type, vary: headers['vary'] }).toEqual({
      status: 200,
      type: 'text/html',
      vary: 'Accept-Encoding, Accept',
    });
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      expect((await supertest(url).get('/').set('Accept', accept)).type).toBe('application/json');
    }
    expect((await supertest(url).get('/')).type).toBe('application/json');
  });

  it('may load nothing that is not this server’s own, and nothing that stands on it', async () => {
    const { headers, text } = await startPage();
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
    expect(text).not.toMatch(/ style=|<style|<script>|onclick/);
  });

  it('says where the operations are, and has the key of every school', async () => {
    const { url, text } = await startPage();
    expect(shown(text, 'url')).toBe(`${url}/public/`);
    expect(text).toContain('Key of Riverside Academy');
    expect([shown(text, 'key-0'), shown(text, 'key-1'), shown(text, 'key-2')]).toEqual([
      'sbx_default_riverside',
      'sbx_default_hillcrest',
      'sbx_default_marevista',
    ]);
  });

  it('shows a first call that works as it stands, with its answer', { tags: ['slow'] }, async () => {
    const { text } = await startPage();
    const command = shown(text, 'command').replace('curl ', 'curl --silent --show-error --fail ');
    const { code, out } = await run(['-c', command], { program: ['sh'] });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(JSON.parse(shown(text, 'The response to the first call')));
  });

  it('shows one that works without the demo data too', { tags: ['slow'] }, async () => {
    const { text } = await startPage({ seed: 'empty' });
    const { out } = await run(['-c', shown(text, 'command').replace('curl ', 'curl --silent ')], {
      program: ['sh'],
    });
    expect(JSON.parse(out)).toEqual([{ output: { status: 'ok', data: { instructors: [] } } }]);
    expect(shown(text, 'The response to the first call')).toContain('{"instructors":[ … ]}');
  });

  it('names the public URL where there is one', { tags: ['slow'] }, async () => {
    const settings = { port: 0, publicUrl: 'https://sandbox.riverside-academy.example/' };
    const { listening, stop } = await startServer(settings, {
      out: () => {},
      err: () => {},
      owner: 'a test',
    });
    onTestFinished(stop);
    const { text } = await supertest(`http://127.0.0.1:${listening.port}`).get('/').set('Accept', accepted);
    expect(shown(text, 'url')).toBe('https://sandbox.riverside-academy.example/public/');
    expect(shown(text, 'command')).toContain(
      'curl https://sandbox.riverside-academy.example/public/list-assignments',
    );
  });

  it('leads only to pages that there are', { tags: ['slow'] }, async () => {
    const { url, text } = await startPage();
    const links = new Set([...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link = '']) => link));
    expect([...links]).toEqual(
      expect.arrayContaining([
        '/console',
        '/docs',
        '/docs/failures',
        '/docs/assumptions',
        '/docs/report',
        '/docs/playback',
        '/openapi.yaml',
      ]),
    );
    for (const link of links) expect([link, (await supertest(url).get(link)).status]).toEqual([link, 200]);
  });
});
