import type { Response } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assumptionNames, assumptions, type AssumptionName } from '../../src/assumptions.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { findSections, type Section } from '../../src/pages/browser/find-sections.ts';
import { guideIndexPath, guidePath, guides } from '../../src/pages/guides.ts';
import { siteLinks } from '../../src/pages/page.ts';
import { startServer } from '../../src/server/server.ts';
import { run } from '../support/command.ts';
import { requestExamples } from '../support/examples.ts';
import { all, readMarkup, type Element } from '../support/markup.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { sharedServer, world } from '../support/world.ts';

const written = [
  guideIndexPath,
  ...guides.map(({ name }) => guidePath(name)).filter((path) => path !== '/docs/assumptions'),
];
const withSidebar = [...written, '/docs/assumptions'];
const pages = ['/docs', '/docs/control', ...withSidebar];
const files = [
  '/pages.css',
  '/pages.js',
  '/docs/reference.css',
  '/docs/reference.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
];

/** The elements of the pages that have no end tag. */
const voids = ['meta', 'link', 'br', 'hr', 'input'];

async function fetched(path: string): Promise<Response> {
  const { url } = await sharedServer();
  return supertest(url).get(path).set('Accept', 'text/html,*/*;q=0.8');
}

/** What this server sends is the same each time, and most of these tests look at all of it. */
const replies = new Map<string, Promise<Response>>();

function get(path: string): Promise<Response> {
  const reply = replies.get(path) ?? fetched(path);
  replies.set(path, reply);
  return reply;
}

/** Pages that were read before. */
const known = new Map<string, Element>();

async function read(path: string): Promise<Element> {
  const page = known.get(path) ?? readMarkup((await get(path)).text, voids);
  known.set(path, page);
  return page;
}

function every(element: Element): readonly Element[] {
  return [element, ...element.children.flatMap(every)];
}

function idsIn(page: Element): ReadonlySet<string | undefined> {
  return new Set(every(page).map(({ attributes }) => attributes['id']));
}

/** Where the page leads and what it loads. */
function targetsIn(page: Element): readonly string[] {
  return every(page).flatMap(({ attributes: { href, src, 'data-document': document } }) =>
    [href, src, document].filter((one) => one !== undefined),
  );
}

interface Documented {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly description: string;
          readonly tags: readonly string[];
          readonly 'x-assumptions': readonly AssumptionName[];
          readonly responses: Readonly<
            Record<string, { readonly headers?: object; readonly description?: string }>
          >;
        };
      }
    >
  >;
}

async function referenceDocument(): Promise<Documented> {
  // The server's own, whose form the assertions hold.
  return (await get('/docs/openapi.json')).body as Documented;
}

describe('the pages of the reference', () => {
  it.each(pages)('%s is HTML in UTF-8 that may load nothing from elsewhere', async (path) => {
    const { status, headers } = await get(path);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    const styles =
      path === '/docs' || path === '/docs/control' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'";
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; ${styles}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
  });

  it.each(files)(
    '%s is text in UTF-8 that is asked for anew after a build',
    { tags: ['slow'] },
    async (path) => {
      const { status, headers } = await get(path);
      expect({ status, cached: headers['cache-control'] }).toEqual({ status: 200, cached: 'no-cache' });
      expect(headers['content-type']).toBe(
        path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
    },
  );

  it.each(files.filter((path) => path.endsWith('.css')))('%s has its pictures in itself', async (path) => {
    const { text } = await get(path);
    expect(text.match(/url\((?!["']?data:)|@import/g)).toBeNull();
  });

  it.each(pages)('%s is well-formed, with one heading, and every id once', async (path) => {
    const page = await read(path);
    expect(all(page, 'h1')).toHaveLength(1);
    const ids = every(page).flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(pages)('%s leads only to what this server has', { tags: ['slow'] }, async (path) => {
    const page = await read(path);
    const targets = new Set(targetsIn(page).filter((target) => !target.startsWith('data:')));
    expect(targets.size).toBeGreaterThan(siteLinks.length);
    for (const target of targets) {
      expect(target).toMatch(/^[/#](?!\/)/);
      const [place = '', anchor] = target.split('#');
      if (place !== '') expect([target, (await get(place)).status]).toEqual([target, 200]);
      // What begins with a slash is a place that Swagger UI makes; the test in a browser goes there.
      if (anchor !== undefined && !anchor.startsWith('/'))
        expect([target, idsIn(place === '' ? page : await read(place)).has(anchor)]).toEqual([target, true]);
    }
  });

  it.each(['/docs/nothing', '/docs/index', '/docs/../package.json', '/docs/%2e%2e/console/index.html'])(
    'has nothing of its own at %s',
    async (path) => {
      const { status, text } = await get(path);
      if (path !== '/docs/index') expect(status).toBe(404);
      expect(text).not.toContain('devDependencies');
    },
  );
});

/** The only element of a page with an attribute of this value. */
function only(page: Element, attribute: string, value: string): Element {
  const found = every(page).filter(({ attributes }) => attributes[attribute] === value);
  expect([value, found.length]).toEqual([value, 1]);
  return found[0] ?? page;
}

describe('a guide', () => {
  it.each(withSidebar)('%s has a list of all guides, with itself marked', async (path) => {
    const links = all(only(await read(path), 'id', 'guide-list'), 'a');
    expect(links.map(({ attributes }) => attributes['href'])).toEqual(
      guides.map(({ name }) => guidePath(name)),
    );
    const current = links
      .filter(({ attributes }) => attributes['aria-current'] === 'page')
      .map(({ attributes }) => attributes['href']);
    expect(current).toEqual(path === guideIndexPath ? [] : [path]);
  });

  it.each(written)('%s lists its sections, if it has three or more', async (path) => {
    const page = await read(path);
    const idsOf = (name: string): readonly string[] =>
      all(page, name).flatMap(({ attributes: { id } }) =>
        id === undefined || id === 'contents-title' ? [] : [`#${id}`],
      );
    const lists = every(page).filter(({ attributes }) => attributes['class'] === 'contents');
    const listed = lists.flatMap((list) => all(list, 'a')).map(({ attributes }) => attributes['href']);
    expect(new Set(listed)).toEqual(new Set(idsOf('h2').length < 3 ? [] : [...idsOf('h2'), ...idsOf('h3')]));
  });

  it.each(written)('%s has a copy button on every code block', async (path) => {
    const page = await read(path);
    const copied = all(page, 'button').flatMap(({ attributes }) => attributes['data-copies'] ?? []);
    expect(copied).toEqual(all(page, 'pre').map(({ attributes }) => attributes['id']));
  });

  it.each(pages)('%s has the search', async (path) => {
    expect(only(await read(path), 'role', 'search').attributes['data-index']).toBe('/docs/search.json');
  });
});

async function readIndex(): Promise<readonly Section[]> {
  // The server's own, whose form the assertions hold.
  return (await get('/docs/search.json')).body as readonly Section[];
}

describe('the index of the search', () => {
  it('has every guide, assumption and operation', async () => {
    const hrefs = (await readIndex()).map(({ href }) => href);
    expect(hrefs).toEqual(expect.arrayContaining(written.filter((path) => path !== guideIndexPath)));
    expect(hrefs).toEqual(expect.arrayContaining(assumptionNames.map((name) => `/docs/assumptions#${name}`)));
    expect(hrefs.filter((href) => href.startsWith('/docs#/'))).toHaveLength(operationNames.length);
  });

  it('leads only to sections that exist, and has their text without markup', async () => {
    const idsOf = new Map<string, ReturnType<typeof idsIn>>();
    for (const { href, text, title } of await readIndex()) {
      const [path = '', anchor] = href.split('#');
      if (anchor !== undefined && !anchor.startsWith('/')) {
        const ids = idsOf.get(path) ?? idsIn(await read(path));
        idsOf.set(path, ids);
        expect([href, ids.has(anchor)]).toEqual([href, true]);
      }
      expect(`${title} ${text}`).not.toMatch(/<\/?(?:code|p|a|pre|button)\b|&(?:lt|amp|quot);/);
    }
  });

  it('finds a fault by its name, and a section by its words', async () => {
    const sections = await readIndex();
    expect(findSections(sections, 'truncated-body')[0]?.href).toBe('/docs/faults#truncated-body');
    expect(findSections(sections, 'unknownId')[0]?.href).toBe('/docs/assumptions#unknownId');
    expect(findSections(sections, 'list-assignments')[0]?.page).toBe('API reference');
  });
});

/** A guide as a reader gets it who has reached the server by a name. */
async function guide(url: string, name: string, host: string | null = null): Promise<string> {
  const request = supertest(url).get(`/docs/${name}`);
  const { status, text } = await (host === null ? request : request.set('Host', host));
  expect([status, text]).toEqual([200, expect.stringContaining('/public/')]);
  return text;
}

describe('the commands of a guide', () => {
  it('work as they stand', { tags: ['slow'] }, async () => {
    const { url } = await sharedServer();
    const [pre] = all(readMarkup(await guide(url, 'failures'), voids), 'pre');
    expect(pre?.text).toContain(`${url}/public/`);
    const { code, out } = await run(['-c', pre?.text ?? ''], { program: ['sh'] });
    expect([code, out]).toEqual([0, expect.stringMatching(/^HTTP\/1\.1 503 /)]);
  });

  it.each(['failures', 'playback'])('of %s call the server where the reader has reached it', async (name) => {
    const { url } = await sharedServer();
    const text = await guide(url, name, 'sandbox.riverside-academy.example:8443');
    expect(text).toContain('http://sandbox.riverside-academy.example:8443/public/');
    expect(text).not.toContain('127.0.0.1:4010');
  });

  it.each(['"><script>alert(1)</script>', "a'b", 'a;b', '$(id)', 'a b'])(
    'name the address of the server itself where the Host is %s',
    async (host) => {
      const { url } = await sharedServer();
      const text = await guide(url, 'failures', host);
      expect(text).toContain(`${url}/public/`);
      expect(text).not.toContain(`http://${host}`);
      expect(text).not.toContain('alert(1)');
    },
  );

  it('name the public URL where there is one, as it may stand in HTML', async () => {
    const settings = { port: 0, publicUrl: 'https://sandbox.example/a&b"c/' };
    const { listening, stop } = await startServer(settings, {
      out: () => {},
      err: () => {},
      owner: 'a test',
    });
    onTestFinished(stop);
    expect(await guide(`http://127.0.0.1:${listening.port}`, 'failures')).toContain(
      'https://sandbox.example/a&amp;b&quot;c/public/',
    );
  });

  it.each([null, '::1:x'])('call the control plane at its own port, with the Host %s', async (host) => {
    const { url, control } = await serve({ controlPort: 0 });
    const text = await guide(url, 'playback', host);
    expect(text).toContain(`curl ${control.url}/control/sandboxes/default/clock/advance`);
    expect(text).not.toContain(`${url}/control`);
  });
});

describe('the contract as the reference shows it', () => {
  it('is the contract, but that calls go to the server of the page, and operations are there once and name their assumptions', async () => {
    const { url } = await sharedServer();
    const shown = await referenceDocument();
    const contract = (await supertest(url).get('/openapi.json')).body as Documented;
    expect(shown.servers).toEqual([{ url: '/', description: 'This server.' }]);
    expect(Object.keys(shown.paths)).toEqual(Object.keys(contract.paths));
    for (const [path, { post }] of Object.entries(contract.paths)) {
      const {
        description,
        tags,
        'x-assumptions': names,
        responses,
        ...rest
      } = shown.paths[path]?.post ?? { description: '', tags: [], 'x-assumptions': [], responses: {} };
      const { description: before, tags: tagsBefore, responses: responsesBefore, ...restBefore } = post;
      expect([rest, tags]).toEqual([restBefore, tagsBefore.slice(0, 1)]);
      const { headers: _, ...ok } = responsesBefore['200'] ?? {};
      expect(responses).toEqual({
        200: ok,
        default: { description: expect.stringContaining('(#errors)') },
      });
      expect(description.startsWith(before)).toBe(true);
      for (const name of names)
        expect(description).toContain(`[${name}](/docs/assumptions#${name}): ${assumptions[name].question}`);
    }
  });

  it('shows the statuses and headers that all operations share once, below them', async () => {
    const { url } = await sharedServer();
    const contract = (await supertest(url).get('/openapi.json')).body as Documented;
    const { text } = await get('/docs');
    for (const { post } of Object.values(contract.paths)) {
      const others = Object.keys(post.responses).filter((status) => status !== '200');
      expect(others.length).toBeGreaterThan(5);
      for (const name of [...others, ...Object.keys(post.responses['200']?.headers ?? {})])
        expect(text.split(`<th scope="row"><code>${name}</code></th>`)).toHaveLength(2);
    }
  });

  it.each(operationNames)(
    'names at %s what shapes the replies to its examples, but for what is open for every operation',
    async (operation) => {
      const shown = await referenceDocument();
      const own = new Set(Object.values(shown.paths).flatMap(({ post }) => post['x-assumptions']));
      const named = shown.paths[`/public/${operation}`]?.post['x-assumptions'] ?? [];
      const { url, sandbox } = await world();
      const met = new Set<string>();
      for (const { value } of Object.values(requestExamples(operation))) {
        const { headers } = await supertest(url)
          .post(`/public/${operation}`)
          .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
          .send(value);
        for (const pair of (headers['sandbox-assumed'] ?? '').split(', ')) met.add(pair.split('=')[0] ?? '');
      }
      const unnamed = [...met].filter(
        (name) => own.has(name as AssumptionName) && !named.includes(name as AssumptionName),
      );
      expect(unnamed).toEqual([]);
    },
  );

  it('finds those that are known to touch an operation', async () => {
    const { paths } = await referenceDocument();
    const named = (operation: string): readonly string[] =>
      paths[`/public/${operation}`]?.post['x-assumptions'] ?? [];
    expect(named('get-quiz-details')).toEqual([]);
    expect(named('list-assignments')).toEqual(expect.arrayContaining(['courseIdentifierTypes']));
    expect(named('get-instructor-permission-presets')).toEqual(
      expect.arrayContaining(['firstPageNumber', 'fractionalLimit', 'permissionShape']),
    );
    expect(named('get-live-event-session-processed-mp4')).toEqual(
      expect.arrayContaining(['processedMp4RateLimit', 'signedUrlLifetime']),
    );
  });
});

describe('the page of assumptions', () => {
  it.each(assumptionNames)('tells of %s all that is known', async (name) => {
    const section = all(await read('/docs/assumptions'), 'section').find(
      ({ attributes }) => attributes['id'] === name,
    );
    const { question, sentence, options, why, default: byDefault } = assumptions[name];
    for (const text of [question, sentence, why, ...Object.entries(options).flat()])
      expect(section?.text).toContain(text);
    expect(section?.text).toContain(`${byDefault} default`);
  });
});
