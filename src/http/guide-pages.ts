import type { RequestHandler } from 'express';
import { fileURLToPath } from 'node:url';
import { escapedXml } from '../base/escape.ts';
import { packageRoot } from '../base/package-files.ts';
import { readTextFile } from '../store/text-file.ts';
import { movedTo, type ConsolePlace } from './console-app.ts';
import type { OriginOf } from './server/origin.ts';

/** The address that the guides are written with, and whether it is of the control plane. */
const written = /http:\/\/127\.0\.0\.1:4010(?<control>\/control\b)?/g;

/**
 * The pages at `/docs` that are read, with commands that work as they stand: they call the server where whoever reads them has
 * reached it. `controlPlace` is where the control plane is, seen from there.
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
