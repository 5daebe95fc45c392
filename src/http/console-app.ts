import express, { type RequestHandler, type Response } from 'express';
import type { Defect } from '../answer/witness.ts';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/package-files.ts';
import { pageFailure } from './page-failure.ts';
import type { OriginOf } from './server/origin.ts';
import { problemBody, problemType } from '../base/problem.ts';
import type { Handler } from './public-app.ts';

/** Where the console is, seen from a port: at this one, at the port of that number, or nowhere as there is no control plane. */
export type ConsolePlace = 'here' | 'nowhere' | number;

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The console's page and files, at `/console`. They are the same for everybody and hold no secret: what the console shows it asks of
 * the control plane, so it is where that is.
 */
export function consolePages(place: () => ConsolePlace, originOf: OriginOf): RequestHandler {
  const folder = fileURLToPath(new URL('dist/console/', packageRoot));
  const router = express.Router();
  router.use('/console', (request, response, next) => {
    const there = place();
    if (there === 'nowhere') return nowhere(response);
    if (there !== 'here') return response.redirect(307, `${movedTo(originOf(request), there)}${request.originalUrl}`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    response.set(headers);
    next();
  });
  // A new build must not meet an old page's files.
  const files = express.static(folder, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache'),
  });
  router.use('/console', files);
  // What is no file is a place in the console; the names of sandboxes and panels have no dots.
  router.get(/^\/console(\/[^.]*)?$/, (_, response) => {
    response.sendFile('index.html', { root: folder, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } });
  });
  return router;
}

/** The same as a handler of its own, for a port that has no other pages. */
export function consoleApp(originOf: OriginOf, defect: Defect): Handler {
  const app = express();
  app.disable('x-powered-by');
  app.use(consolePages(() => 'here', originOf));
  app.use(notThere);
  app.use(pageFailure(notThere, defect));
  return app;
}

/** The same scheme and host, at another port. A Host header can be anything, also what is no host. */
export function movedTo(origin: string, port: number): string {
  const to = new URL(URL.canParse(origin) ? origin : 'http://127.0.0.1');
  to.port = String(port);
  return to.origin;
}

const notThere: RequestHandler = ({ method, path }, response) => {
  const isRead = method === 'GET' || method === 'HEAD';
  const status = isRead ? 404 : 405;
  const detail = isRead ? `The console has no file ${JSON.stringify(path)}.` : `The console is read with GET, not with ${method}.`;
  if (!isRead) response.set('Allow', 'GET, HEAD');
  response
    .status(status)
    .type(problemType)
    .send(problemBody({ status, title: isRead ? 'Not found' : 'Wrong method', detail }));
};

function nowhere(response: Response): void {
  const detail = 'The console steers by the control plane, which this server was started without (--control-port off).';
  response
    .status(404)
    .type(problemType)
    .send(problemBody({ status: 404, title: 'No console', detail }));
}
