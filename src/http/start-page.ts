import type { RequestHandler } from 'express';
import { startPage } from '../pages/start-page.ts';
import { keyOf } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { packageVersion } from '../base/package-files.ts';
import { pageHeaders } from './docs-pages.ts';
import type { OriginOf } from './server/origin.ts';

/** Serves the start page: HTML for browsers, JSON for other clients. */
export function startPageFor(sandbox: Sandbox, originOf: OriginOf, upstream: string | null): RequestHandler {
  const version = packageVersion();
  return (request, response) => {
    const origin = originOf(request);
    // The keys of a sandbox are not secret: they are not valid anywhere else.
    const known = upstream === null ? sandbox.schools() : [];
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
