import { Router, type Request, type Response } from 'express';
import { pipeline } from 'node:stream';
import { openMedium, type Medium } from '../media/recording.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { downloadTag, mediaRoot } from '../store/media-files.ts';
import { problemBody, problemType } from './problem.ts';

/** The recordings behind signed URLs, at `/media`. */
export function mediaApp(sandboxes: Sandboxes): Router {
  const router = Router({ caseSensitive: true });
  const tag = downloadTag();
  router.use((request, response, next) => {
    // A player is a page on another origin, and what keeps it from playing must be readable there.
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Content-Length, Content-Range, Accept-Ranges, Content-Disposition, ETag, Date, Sandbox-Request-Id',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // What expires must not outlive its time in a cache.
      'Cache-Control': 'no-store',
    });
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (request.method === 'OPTIONS') return void allow(request, response);
    response.set('Allow', 'GET, HEAD, OPTIONS');
    refuse(response, 405, `Recordings are read with GET, not with ${request.method}.`);
  });
  router.get('/:sandbox/sessions/:session/{*path}', (request, response) => {
    const { sandbox: id, session: sessionId, path = [] } = request.params;
    const sandbox = sandboxes.get(id);
    if (sandbox === undefined) return refuse(response, 404, `There is no sandbox ${JSON.stringify(id)}.`);
    const { search, searchParams } = new URL(request.originalUrl, 'http://localhost');
    const query = { expires: searchParams.get('expires'), signature: searchParams.get('signature') };
    const medium = openMedium(sandbox, { sessionId, path, query, search });
    if ('status' in medium) refuse(response, medium.status, medium.detail);
    else send(medium, tag, request, response);
  });
  router.use((request, response) => {
    refuse(response, 404, `There is no recording at ${JSON.stringify(request.originalUrl.split('?')[0])}.`);
  });
  return router;
}

/** A page on another origin asks before it asks for a range. */
function allow(request: Request, response: Response): void {
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': request.get('Access-Control-Request-Headers') ?? 'Range',
    'Access-Control-Max-Age': '600',
    Vary: 'Access-Control-Request-Headers',
  });
  response.status(204).end();
}

const titles: Readonly<Record<number, string>> = { 403: 'Closed', 404: 'No recording', 405: 'Wrong method' };

function refuse(response: Response, status: 403 | 404 | 405, detail: string): void {
  response
    .status(status)
    .type(problemType)
    .send(problemBody({ status, title: titles[status] ?? '', detail }));
}

function send(medium: Medium, tag: string, request: Request, response: Response): void {
  switch (medium.kind) {
    case 'text':
    case 'bytes':
      response.set('Content-Type', medium.type).send(medium.body);
      break;
    case 'encrypted':
      response.set({ 'Content-Type': medium.type, 'Content-Length': String(medium.bytes) });
      if (request.method === 'HEAD') response.end();
      // Whoever goes away ends the reading too; there is nobody left to tell of it.
      else pipeline(medium.file.open(), medium.cipher(), response, () => {});
      break;
    case 'download':
      response.set({ 'Content-Disposition': `attachment; filename="${medium.name}"`, ETag: tag });
      response.sendFile('recording.mp4', { root: mediaRoot, cacheControl: false, lastModified: false });
      break;
  }
}
