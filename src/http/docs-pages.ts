import express, { type RequestHandler } from 'express';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../store/package-files.ts';

/**
 * What pages for people may do: nothing that is not this server's own. Swagger UI writes styles into what it shows, so the reference
 * may do that.
 */
export const pageHeaders = headersWith("style-src 'self'");
const referenceHeaders = headersWith("style-src 'self' 'unsafe-inline'");

function headersWith(styles: string): Readonly<Record<string, string>> {
  const policy = ["default-src 'none'", "script-src 'self'", styles, "img-src 'self' data:", "connect-src 'self'"];
  return {
    'Content-Security-Policy': [...policy, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // A page of one build must not meet the files of another.
    'Cache-Control': 'no-cache',
  };
}

/** The reference and the guides at `/docs`, as they are built, and the files that every page loads. */
export function docsPages(): RequestHandler {
  const root = fileURLToPath(new URL('dist/reference/', packageRoot));
  const router = express.Router();
  router.use('/docs', ({ path }, response, next) => {
    response.set(path === '/' || path === '/control' ? referenceHeaders : pageHeaders);
    next();
  });
  router.get('/docs', (_, response) => response.sendFile('index.html', { root, cacheControl: false }));
  router.use('/docs', express.static(root, { index: false, redirect: false, cacheControl: false, extensions: ['html'] }));
  router.get(['/pages.css', '/pages.js'], ({ path }, response) => {
    response.set(pageHeaders).sendFile(path.slice(1), { root, cacheControl: false });
  });
  return router;
}
