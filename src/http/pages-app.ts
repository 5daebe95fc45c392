import express, { type RequestHandler } from 'express';
import { didYouMean } from '../base/did-you-mean.ts';
import { documentText } from '../contract/document.ts';
import { contract } from '../contract/generated/contract.js';
import { guidePath, guides } from '../pages/guides.ts';
import { forProxy, siteLinks } from '../pages/page.ts';
import type { Defect } from '../answer/witness.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { packageVersion } from '../base/package-files.ts';
import { assetFiles, consolePages, type ConsolePlace } from './console-app.ts';
import { compressedPages } from './compressed.ts';
import { docsPages } from './docs-pages.ts';
import { mediaApp } from './media-app.ts';
import type { OriginOf } from './server/origin.ts';
import { pageFailure } from './page-failure.ts';
import { pageHeaders } from './page-headers.ts';
import { sendProblemTo } from './problem-pages.ts';
import { sendProblem } from './send-problem.ts';
import type { Handler } from './public-app.ts';
import { startPage } from '../pages/start-page.ts';
import { keyOf } from '../sandbox/keys.ts';

export const pagePaths = [
  ...siteLinks.map(([path]) => path),
  ...guides.map(({ name }) => guidePath(name)),
  '/pages.css',
  '/pages.js',
  '/openapi.yaml',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
];

/**
 * All pages and files: the start page with the keys of the default sandbox, the contract, the docs, images,
 * recordings and the console. Loaded with express on first use. `upstream` is set if the server is a proxy.
 */
export function pagesApp(
  sandboxes: Sandboxes,
  originOf: OriginOf,
  consolePlace: () => ConsolePlace,
  upstream: string | null,
  defect: Defect,
): Handler {
  const finish = upstream === null ? (html: string) => html : forProxy;
  const notFound = notFoundPage(finish);
  const app = express();
  app.disable('x-powered-by');
  // Videos are compressed already.
  app.use('/media', mediaApp(sandboxes, finish));
  app.use(compressedPages());
  app.get('/', startPageFor(sandboxes, originOf, upstream));
  app.get('/openapi.yaml', (request, response) => {
    response
      .type('application/yaml')
      .send(documentText('learning-platform').replace(/(?<=servers:\n +- url: ).*/, originOf(request)));
  });
  app.get('/openapi.json', (request, response) => {
    response.json({ ...contract, servers: [{ ...contract.servers?.[0], url: originOf(request) }] });
  });
  app.use('/assets', assetFiles());
  app.use(docsPages(originOf, consolePlace, finish));
  app.use(consolePages(consolePlace, originOf, finish));
  app.all(pagePaths, wrongMethod);
  app.use(notFound);
  app.use(pageFailure(notFound, defect, finish));
  return app;
}

const wrongMethod: RequestHandler = ({ method, path }, response, next) => {
  // The file of a page is missing, such as while another version is being installed.
  if (method === 'GET' || method === 'HEAD') return next();
  response.set('Allow', 'GET, HEAD');
  sendProblem(response, {
    status: 405,
    title: 'Wrong method',
    detail: `${path} accepts only GET and HEAD, not ${method}.`,
  });
};

function notFoundPage(finish: (html: string) => string): RequestHandler {
  return (request, response) => {
    const { path } = request;
    const hint = didYouMean(path, pagePaths);
    const detail = `There is nothing at ${JSON.stringify(path)}.${hint} The operations are at /public/<operation>; the start page / lists all other pages.`;
    sendProblemTo(request, response, { status: 404, title: 'Not found', detail }, 'page', finish);
  };
}

/** The maximum number of schools whose keys the start page lists as JSON. */
const maxSchools = 100;

/** Serves the start page: HTML for browsers, JSON for other clients. */
function startPageFor(sandboxes: Sandboxes, originOf: OriginOf, upstream: string | null): RequestHandler {
  const { default: sandbox } = sandboxes;
  const version = packageVersion();
  return (request, response) => {
    const origin = originOf(request);
    // The keys of a sandbox are not secret: they are not valid anywhere else.
    const known = upstream === null && sandboxes.has(sandbox.id) ? sandbox.schools(maxSchools) : [];
    const schools = known.map(({ name, slug }) => ({ name, key: keyOf(sandbox.id, slug) }));
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') {
      const isDemo = sandbox.state.seed.name === 'demo';
      response.set(pageHeaders).send(startPage({ origin, version, schools, isDemo, upstream }));
    } else response.json({ ...index(schools, origin), ...(upstream === null ? {} : { upstream }) });
  };
}

function index(schools: readonly { readonly key: string }[], origin: string): object {
  return {
    name: 'Learning Platform Sandbox',
    operations: `${origin}/public/<operation>`,
    contract: { yaml: `${origin}/openapi.yaml`, json: `${origin}/openapi.json` },
    control: `${origin}/control/openapi.yaml`,
    console: `${origin}/console`,
    docs: `${origin}/docs`,
    health: { live: `${origin}/healthz`, ready: `${origin}/readyz` },
    keys: schools.map(({ key }) => key),
  };
}
