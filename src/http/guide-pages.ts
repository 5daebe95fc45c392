import type { RequestHandler } from 'express';
import { fileURLToPath } from 'node:url';
import { escapedXml } from '../base/escape.ts';
import { packageRoot } from '../base/package-files.ts';
import { readTextFile } from '../store/text-file.ts';
import { movedTo, type ConsolePlace } from './console-app.ts';
import type { OriginOf } from './server/origin.ts';

/** Matches the URL of the server in the guides, with the path of the control plane if it follows. */
const written = /http:\/\/127\.0\.0\.1:4010(?<control>\/control\b)?/g;

/**
 * Serves the guides at `/docs`. Their commands use the URL of the request, so that readers can paste them. `controlPlace` is the port
 * of the control plane.
 */
export function guidePages(originOf: OriginOf, controlPlace: () => ConsolePlace): RequestHandler<{ readonly name: string }> {
  return (request, response, next) => {
    const { name } = request.params;
    const html = /^[a-z-]{1,64}$/.test(name) ? readTextFile(fileURLToPath(new URL(`dist/reference/${name}.html`, packageRoot))) : null;
    if (html === null) return next();
    const origin = originOf(request);
    const place = controlPlace();
    const controlOrigin = typeof place === 'number' ? movedTo(origin, place) : origin;
    const reached = html.replaceAll(written, (_, control: string | undefined) =>
      escapedXml(control === undefined ? origin : `${controlOrigin}${control}`),
    );
    response.type('html').send(reached);
  };
}
