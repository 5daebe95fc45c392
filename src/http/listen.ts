import type { ServerResponse } from 'node:http';
import type { Defect, Witness } from '../answer/witness.ts';
import type { Makings } from '../control/create-sandbox.ts';
import type { Metrics } from '../metrics.ts';
import type { ConsolePlace } from './console-app.ts';
import type { ControlOptions } from './control-app.ts';
import { isPrivate } from './control-guard.ts';
import { serve, type Fail, type Listening } from './http-server.ts';
import { internalError, problemBody, problemType } from './problem.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { originFrom, shownHost, type OriginOf } from './origin.ts';
import type { Front } from './proxy-app.ts';
import { publicApp, type Handler } from './public-app.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Where clients reach the server, where that is not what they send as Host. */
  readonly publicUrl: string | null;
  readonly witness: Witness;
  readonly metrics: Metrics;
  /** What every request to the control plane must carry; null where none is needed. */
  readonly controlToken: string | null;
  /** A port of its own for the control plane; null for the same one. */
  readonly controlPort: number | 'off' | null;
  /** What passes calls on to another server; null where the sandboxes answer them. */
  readonly front: Front | null;
}

/** A server that answers, and where its control plane is; null for nowhere. */
export interface Served extends Listening {
  readonly controlPort: number | null;
}

export async function listen(makings: Makings, options: ListenOptions): Promise<Served> {
  const { host, port, publicUrl, controlPort, controlToken } = options;
  const originOf = originFrom(publicUrl);
  const upstream = options.front?.upstream ?? null;
  const access = { token: controlToken, loopback: isPrivate(host, publicUrl), publicUrl };
  let stopping = false;
  const atStop = new Set<() => void>();
  const isStopping = (): boolean => stopping;
  const shared = controlPort === null ? controlHandler({ makings, access, baseUrlOf: originOf, atStop }) : null;
  let consolePlace: ConsolePlace = controlPort === null ? 'here' : 'nowhere';
  const pages = lazily(async () =>
    (await import('./pages-app.ts')).pagesApp(makings.sandboxes, originOf, () => consolePlace, upstream, options.witness.defect),
  );
  const operations = await operationsOf(makings, options, originOf, isStopping);
  const fail = failWith(makings.sandboxes, options.witness.defect);
  const main = await serve(handlerOf(makings, options.metrics, isStopping, { operations, control: shared, pages }), host, port, fail);
  const ownOrigin = publicUrl ?? `http://${shownHost(host)}:${main.port}`;
  try {
    const own =
      typeof controlPort === 'number'
        ? await serve(
            withConsole(controlHandler({ makings, access, baseUrlOf: () => ownOrigin, atStop }), originOf),
            host,
            controlPort,
            fail,
          )
        : null;
    if (own !== null) consolePlace = own.port;
    return {
      port: main.port,
      controlPort: controlPort === null ? main.port : (own?.port ?? null),
      close: async () => {
        stopping = true;
        for (const act of atStop) act();
        for (const { clock } of makings.sandboxes.all) clock.hurry();
        await Promise.all([main.close(), own?.close()]);
      },
    };
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Answers a request at which the sandbox itself failed, and tells of it. */
function failWith(sandboxes: Sandboxes, defect: Defect): Fail {
  return (error, response) => {
    const known = response.getHeader('Sandbox-Request-Id');
    const requestId = typeof known === 'string' ? known : sandboxes.default.nextRequestId();
    defect(error, requestId);
    if (response.headersSent) return void response.destroy();
    response.writeHead(500, { 'Content-Type': problemType, 'Sandbox-Request-Id': requestId, Connection: 'close' });
    response.end(problemBody(internalError(requestId)));
  };
}

/** What answers calls. A server that answers them itself needs nothing of one that passes them on. */
async function operationsOf(
  { sandboxes }: Makings,
  { witness, front }: ListenOptions,
  originOf: OriginOf,
  isStopping: () => boolean,
): Promise<Handler> {
  if (front === null) return publicApp(sandboxes, originOf, witness, isStopping);
  return (await import('./proxy-app.ts')).proxyApp(front, isStopping);
}

/** Who answers which request. */
function handlerOf(
  { sandboxes }: Makings,
  metrics: Metrics,
  isStopping: () => boolean,
  { operations, control, pages }: { readonly operations: Handler; readonly control: Handler | null; readonly pages: Handler },
): Handler {
  return (request, response) => {
    const { url = '/' } = request;
    if (url.startsWith('/public/')) return operations(request, response);
    response.setHeader('Sandbox-Request-Id', sandboxes.default.nextRequestId());
    if (isStopping()) response.setHeader('Connection', 'close');
    if (control !== null && /^\/control(?=[/?]|$)/.test(url)) return control(request, response);
    const check = request.method === 'GET' || request.method === 'HEAD' ? url.split('?')[0] : undefined;
    if (check === '/healthz') health(response, true);
    else if (check === '/readyz') health(response, !isStopping());
    else if (check === '/metrics') void tell(metrics, response);
    else pages(request, response);
  };
}

function controlHandler(options: ControlOptions): Handler {
  return lazily(async () => (await import('./control-app.ts')).controlApp(options));
}

/** What a port of its own for the control plane answers: the console is where that is, as it asks nothing else. */
function withConsole(control: Handler, originOf: OriginOf): Handler {
  const pages = lazily(async () => (await import('./console-app.ts')).consoleApp(originOf));
  return (request, response) => (/^\/console(?=[/?]|$)/.test(request.url ?? '') ? pages : control)(request, response);
}

/** A handler that is loaded when it is first needed. */
function lazily(load: () => Promise<Handler>): Handler {
  let loading: Promise<Handler> | null = null;
  return (request, response) => void (loading ??= load()).then((handle) => handle(request, response));
}

async function tell(metrics: Metrics, response: ServerResponse): Promise<void> {
  const { type, body } = await metrics.render();
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

function health(response: ServerResponse, good: boolean): void {
  response.writeHead(good ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ status: good ? 'ok' : 'stopping' }));
}
