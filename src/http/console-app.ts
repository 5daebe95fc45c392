import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Defect } from '../answer/witness.ts';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/package-files.ts';
import { compressedPages } from './compressed.ts';
import { consolePaths } from './console-paths.ts';
import { pageFailure } from './page-failure.ts';
import { consoleHeaders } from './page-headers.ts';
import type { OriginOf } from './server/origin.ts';
import { sendProblemTo } from './problem-pages.ts';
import { sendProblem } from './send-problem.ts';
import type { Handler } from './public-app.ts';

/** The place of the console: on this port, on another port, or nowhere because there is no control plane. */
export type ConsolePlace = 'here' | 'nowhere' | number;

/**
 * Serves the console, the school's page and the guided demo, and their files at `/console`. They contain no secrets: they get
 * their data from the control plane, which is on the same port. `finish` adapts a page to the server.
 */
export function consolePages(
  place: () => ConsolePlace,
  originOf: OriginOf,
  finish: (html: string) => string,
): RequestHandler {
  const folder = fileURLToPath(new URL('dist/console/', packageRoot));
  const router = express.Router();
  router.use(consolePaths, (request, response, next) => {
    const there = place();
    if (there === 'nowhere') return nowhere(request, response, finish);
    if (there !== 'here')
      return response.redirect(307, `${movedTo(originOf(request), there)}${request.originalUrl}`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    response.set(consoleHeaders);
    next();
  });
  // The page must not use files of an older build.
  const files = express.static(folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache'),
  });
  router.use('/console', files);
  // A path without a dot is a view of the page: the names of sandboxes, panels, schools and steps have no dots.
  router.get(/^\/(console|school|demo)(\/[^.]*)?$/, ({ path }, response) => {
    const [, page = ''] = path.split('/');
    response.sendFile(page === 'console' ? 'index.html' : `${page}.html`, {
      root: folder,
      cacheControl: false,
      headers: { 'Cache-Control': 'no-cache' },
    });
  });
  return router;
}

/** The pages and the pictures of the demo data as a handler, for a port without other pages. */
export function consoleApp(originOf: OriginOf, defect: Defect): Handler {
  const app = express();
  app.disable('x-powered-by');
  app.use(compressedPages());
  app.use(
    consolePages(
      () => 'here',
      originOf,
      (html) => html,
    ),
  );
  app.use('/assets', assetFiles());
  app.use(notThere);
  app.use(pageFailure(notThere, defect));
  return app;
}

/** Returns the origin with another port. The Host header may be invalid. */
export function movedTo(origin: string, port: number): string {
  const to = new URL(URL.canParse(origin) ? origin : 'http://127.0.0.1');
  to.port = String(port);
  return to.origin;
}

/** Serves the pictures that the demo data refers to. */
export function assetFiles(): RequestHandler {
  return express.static(fileURLToPath(new URL('fixtures/assets/', packageRoot)), {
    index: false,
    redirect: false,
    maxAge: '1h',
  });
}

const notThere: RequestHandler = ({ method, path }, response) => {
  const isRead = method === 'GET' || method === 'HEAD';
  const status = isRead ? 404 : 405;
  const detail = isRead
    ? `The console has no file ${JSON.stringify(path)}.`
    : `The console accepts only GET and HEAD, not ${method}.`;
  if (!isRead) response.set('Allow', 'GET, HEAD');
  sendProblem(response, { status, title: isRead ? 'Not found' : 'Wrong method', detail });
};

function nowhere(request: Request, response: Response, finish: (html: string) => string): void {
  const detail =
    'This page needs the control plane, but this server was started without it (--control-port off).';
  sendProblemTo(request, response, { status: 404, title: 'No control plane', detail }, 'page', finish);
}
