import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { serve } from '../support/serve.ts';
import { sharedServer } from '../support/world.ts';

describe('the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/default/journal?request=default-1',
    '/console/mine/assumptions',
  ])('has its page at %s, as every place in it has', async (path) => {
    const { url } = await sharedServer();
    const { status, headers, text } = await supertest(url).get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<script type="module" src="/console/console.js">');
  });

  it.each(['/school', '/school/default/riverside/live-events?event=1'])(
    'has the page of a school at %s',
    async (path) => {
      const { url } = await sharedServer();
      const { status, text } = await supertest(url).get(path);
      expect([status, text]).toEqual([
        200,
        expect.stringContaining('<script type="module" src="/console/school.js">'),
      ]);
    },
  );

  it.each(['/demo', '/demo/demo-1a2b/rate-limit'])('has the guided demo at %s', async (path) => {
    const { url } = await sharedServer();
    const { status, text } = await supertest(url).get(path);
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('<script type="module" src="/console/demo.js">'),
    ]);
  });

  it.each([
    ['/console', 'text/html; charset=utf-8'],
    ['/school', 'text/html; charset=utf-8'],
    ['/demo', 'text/html; charset=utf-8'],
    ['/console/demo.js', 'text/javascript; charset=utf-8'],
    ['/console/school.js', 'text/javascript; charset=utf-8'],
    ['/console/console.js', 'text/javascript; charset=utf-8'],
    ['/console/console.css', 'text/css; charset=utf-8'],
  ])('serves %s under a policy that lets nothing in from elsewhere', async (path, type) => {
    const { url } = await sharedServer();
    const { headers, text } = await supertest(url).get(path);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(text.length).toBeGreaterThan(300);
  });

  it('says that a file is not there, and does not take it for a place', async () => {
    const { url } = await sharedServer();
    const { status, headers } = await supertest(url).get('/console/no-such-file.js');
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });

  it(
    'is beside the control plane where that has a port of its own, and the other port leads there',
    { tags: ['slow'] },
    async () => {
      const { url, control } = await serve({ controlPort: 0 });
      const { status, headers } = await supertest(url).get('/console/default/clock?a=b');
      expect([status, headers['location']]).toEqual([307, `${control.url}/console/default/clock?a=b`]);
      expect((await supertest(String(control.url)).get('/console/default/clock')).text).toContain(
        '/console/console.js',
      );
      expect((await supertest(url).get('/school/default')).headers['location']).toBe(
        `${control.url}/school/default`,
      );
      expect((await supertest(String(control.url)).get('/school/default')).text).toContain(
        '/console/school.js',
      );
      expect((await supertest(String(control.url)).get('/demo')).text).toContain('/console/demo.js');
      const portrait = await supertest(String(control.url)).get('/assets/instructors/mira-okafor.svg');
      expect([portrait.status, portrait.type]).toEqual([200, 'image/svg+xml']);
      expect((await supertest(String(control.url)).get('/console/none.js')).status).toBe(404);
      const wrong = await supertest(String(control.url)).post('/console');
      expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD']);
    },
  );

  it('is not there without a control plane, and says why', async () => {
    const { url } = await serve({ controlPort: 'off' });
    const { status, body } = await supertest(url).get('/console');
    expect([status, body]).toMatchObject([
      404,
      { detail: expect.stringContaining('--control-port off') as string },
    ]);
  });
});
