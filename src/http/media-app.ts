import { Router, type NextFunction, type Request, type Response } from 'express';
import { pipeline } from 'node:stream';
import { phraseOf } from '../base/problem.ts';
import { splitTarget } from '../base/request-target.ts';
import { openMedium, type Medium } from '../media/recording.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { readFootage, type Download } from '../store/media-files.ts';
import { sendProblemTo } from './problem-pages.ts';

/** The headers that a player on another origin may read. */
const shownHeaders =
  'Content-Length, Content-Range, Accept-Ranges, Content-Disposition, ETag, Date, Sandbox-Request-Id, Sandbox-Assumed';

/** Serves the recordings at signed URLs, under `/media`. `finish` adapts the page for a wrong address to the server. */
export function mediaApp(sandboxes: Sandboxes, finish: (html: string) => string): Router {
  const router = Router({ caseSensitive: true });
  const refuse: Refuse = (response, status, detail) =>
    sendProblemTo(response.req, response, { status, title: phraseOf(status), detail }, 'page', finish);
  const footage = readFootage();
  router.use((request, response, next) => {
    // Players are pages on other origins, which must be able to read error messages.
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': shownHeaders,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // A cache must not serve expired URLs.
      'Cache-Control': 'no-store',
    });
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (request.method === 'OPTIONS') return allow(request, response);
    response.set('Allow', 'GET, HEAD, OPTIONS');
    refuse(response, 405, `Recordings accept only GET and HEAD, not ${request.method}.`);
  });
  router.get('/:sandbox/sessions/:session/{*path}', async (request, response, next) => {
    const { sandbox: id, session: sessionId, path = [] } = request.params;
    await sandboxes.load(id);
    const sandbox = sandboxes.get(id);
    if (sandbox === undefined) return refuse(response, 404, `There is no sandbox ${JSON.stringify(id)}.`);
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    const medium = openMedium(sandbox, footage, { sessionId, path, query });
    if ('status' in medium) refuse(response, medium.status, medium.detail);
    else send(medium, { request, response, next, refuse });
  });
  router.use((request, response) => {
    refuse(
      response,
      404,
      `There is no recording at ${JSON.stringify(splitTarget(request.originalUrl).path)}.`,
    );
  });
  return router;
}

/** A page on another origin sends a preflight request before a range request. */
function allow(request: Request, response: Response): void {
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': request.get('Access-Control-Request-Headers') ?? 'Range',
    'Access-Control-Max-Age': '600',
    Vary: 'Access-Control-Request-Headers',
  });
  response.status(204).end();
}

type Refuse = (response: Response, status: 403 | 404 | 405 | 412 | 416, detail: string) => void;

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
  readonly refuse: Refuse;
}

function send(medium: Medium, exchange: Exchange): void {
  const { request, response } = exchange;
  switch (medium.kind) {
    case 'playlist':
      response.set({
        'Content-Type': 'application/vnd.apple.mpegurl',
        'Sandbox-Assumed': `playlistUrls=${medium.urls}`,
      });
      response.send(medium.body);
      break;
    case 'key':
      response.set('Content-Type', 'application/octet-stream').send(medium.body);
      break;
    case 'segment':
      response.set({ 'Content-Type': 'video/mp2t', 'Content-Length': String(medium.bytes) });
      if (request.method === 'HEAD') response.end();
      // A client that disconnects also ends the reading, which is not an error.
      else pipeline(medium.file.open(), medium.cipher(), response, () => {});
      break;
    case 'download':
      response.set({
        'Content-Disposition': `attachment; filename="${medium.name}"`,
        'Accept-Ranges': 'bytes',
        ETag: medium.download.tag,
      });
      sendDownload(medium.download, exchange);
      break;
  }
}

function sendDownload(
  { folder, file, bytes }: Download,
  { request, response, next, refuse }: Exchange,
): void {
  const { range = '' } = request.headers;
  const [, suffix] = /^bytes=-(\d+)$/.exec(range) ?? [];
  // A suffix longer than the recording means all of it (RFC 9110, 14.1.2); express would treat it as
  // unsatisfiable.
  if (Number(suffix) > bytes) request.headers.range = 'bytes=0-';
  // Only GET has ranges (RFC 9110, 14.2).
  const options = {
    root: folder,
    cacheControl: false,
    lastModified: false,
    acceptRanges: request.method === 'GET',
  };
  response.sendFile(file, options, (error?: Error & { readonly status?: number }) => {
    // The response had already started, so express has closed the connection.
    if (error === undefined || response.headersSent) return;
    response.removeHeader('Content-Disposition');
    if (error.status === 416)
      refuse(response, 416, `The recording has ${bytes} bytes, none of which is in ${range}.`);
    else if (error.status === 412)
      refuse(
        response,
        412,
        `The recording does not match If-Match or If-Unmodified-Since: its ETag is ${response.get('ETag')}.`,
      );
    else next(error);
  });
}
