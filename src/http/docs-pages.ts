import express, { type RequestHandler } from 'express';
import { fileURLToPath } from 'node:url';
import { packageRoot, readPackageFile } from '../base/package-files.ts';
import { type ConsolePlace, movedTo } from './console-app.ts';
import { pageHeaders, referenceHeaders } from './page-headers.ts';
import type { OriginOf } from './server/origin.ts';
import { escapedXml } from '../base/escape.ts';
import { readTextFile } from '../store/text-file.ts';

/** The URL of the server in the files for other tools. */
const writtenOrigin = 'http://127.0.0.1:4010';

/**
 * Serves the API reference and the guides at `/docs`, the files for other tools, and the files that every
 * page loads. `controlPlace` is the port of the control plane, and `finish` adapts a page to the server.
 */
export function docsPages(
  originOf: OriginOf,
  controlPlace: () => ConsolePlace,
  finish: (html: string) => string,
): RequestHandler {
  const root = fileURLToPath(new URL('dist/reference/', packageRoot));
  const router = express.Router();
  router.use('/docs', ({ path }, response, next) => {
    response.set(path === '/' || path === '/control' ? referenceHeaders : pageHeaders);
    next();
  });
  router.get(['/docs/postman.json', '/docs/requests.http'], (request, response) => {
    const name = request.path.slice('/docs/'.length);
    const text = readPackageFile(`dist/reference/${name}`).replaceAll(writtenOrigin, () => originOf(request));
    response.attachment(`learning-platform.${name === 'postman.json' ? 'postman_collection.json' : 'http'}`);
    response.type(name.endsWith('.json') ? 'json' : 'text/plain').send(text);
  });
  router.get(['/docs', '/docs/:name'], guidePages(originOf, controlPlace, finish));
  router.use('/docs', express.static(root, { index: false, redirect: false, cacheControl: false }));
  router.get(['/pages.css', '/pages.js'], ({ path }, response) => {
    response.set(pageHeaders).sendFile(path.slice(1), { root, cacheControl: false });
  });
  return router;
}

/** Matches the URL of the server in the guides, with the path of the control plane if it follows. */
const written = /http:\/\/127\.0\.0\.1:4010(?<control>\/control\b)?/g;

/**
 * Serves the API reference and the guides at `/docs`. Their commands use the URL of the request, so that readers can
 * paste them.
 */
function guidePages(
  originOf: OriginOf,
  controlPlace: () => ConsolePlace,
  finish: (html: string) => string,
): RequestHandler<{ readonly name?: string }> {
  return (request, response, next) => {
    const { name = 'index' } = request.params;
    const html = /^[a-z-]{1,64}$/.test(name)
      ? readTextFile(fileURLToPath(new URL(`dist/reference/${name}.html`, packageRoot)), 'The page')
      : null;
    if (html === null) return next();
    const origin = originOf(request);
    const place = controlPlace();
    const controlOrigin = typeof place === 'number' ? movedTo(origin, place) : origin;
    const reached = html.replaceAll(written, (_, control: string | undefined) =>
      escapedXml(control === undefined ? origin : `${controlOrigin}${control}`),
    );
    response.type('html').send(finish(reached));
  };
}
