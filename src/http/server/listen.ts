import type { Defect, Witness } from '../../answer/witness.ts';
import type { ServerParts } from '../../control/server-parts.ts';
import { isCall, splitTarget } from '../../base/request-target.ts';
import type { ConsolePlace } from '../console-app.ts';
import { isForConsole } from '../console-paths.ts';
import type { ControlOptions } from '../control-app.ts';
import { isPrivate } from '../control-guard.ts';
import { serve, shareOf, type ConnectionLimit } from './http-server.ts';
import { lazily, type Lazy } from './lazy-handler.ts';
import { failWith } from '../not-available.ts';
import { originFrom, shownHost, type OriginOf } from './origin.ts';
import type { PassThrough } from '../proxy-app.ts';
import { metricsHandler, sendHealth, type MetricsSource } from './probes.ts';
import { publicApp, type Handler, type PublicApp, type Serving } from '../public-app.ts';
import { ReadingTurns } from './reading-turns.ts';
import type { ReplicaPlace } from '../replicas/replica-app.ts';
import { stop } from './stop.ts';
import { behindProxies } from './trusted-proxy.ts';
import { whyStrayed, wrongPort } from '../strayed.ts';
import { proxyNotes, sandboxNotes, type SandboxNotes } from '../unparsed.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The public URL of the server, if it differs from the Host header. */
  readonly publicUrl: string | null;
  readonly witness: Witness;
  readonly metrics: MetricsSource;
  /** Returns why changes cannot be stored; null if they can. */
  readonly storageFailure: () => string | null;
  /** The token that every request to the control plane needs; null for none. */
  readonly controlToken: string | null;
  /** A separate port for the control plane; null for the same port. */
  readonly controlPort: number | 'off' | null;
  /** Forwards calls to another server; null if the sandboxes process them. */
  readonly front: PassThrough | null;
  /** The place of this server among replicas; null if it shares its sandboxes with none. */
  readonly replica: ReplicaPlace | null;
  /** The number of proxies in front of the server that add to X-Forwarded-For. */
  readonly trustProxy: number;
  /** For all ports together; null for no limit. */
  readonly connectionLimit: ConnectionLimit | null;
}

/** A running server, and the URL of its control plane; null if it has none. */
export interface Served {
  readonly port: number;
  readonly controlPort: number | null;
  /** Loads the modules that the first request would have to wait for. */
  readonly parts: readonly (() => Promise<unknown>)[];
  /** The number of requests so far. */
  requests(): number;
  /** From now on, the server is not ready, and closes connections after each response. */
  leave(): void;
  /** Refuses new requests, finishes those in flight, and cancels those that do not finish in time. */
  close(): Promise<void>;
}

export async function listen(parts: ServerParts, options: ListenOptions): Promise<Served> {
  const { host, port, publicUrl, controlPort, controlToken, metrics } = options;
  const { defect } = options.witness;
  const originOf = originFrom(publicUrl);
  const upstream = options.front?.upstream ?? null;
  const { tokens } = parts;
  const access = { token: controlToken, tokens, loopback: isPrivate(host, publicUrl), publicUrl };
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const reading = new ReadingTurns();
  const control = (baseUrlOf: ControlOptions['baseUrlOf'], hasPages: boolean): Lazy =>
    controlHandler({ parts, access, baseUrlOf, defect, hasPages });
  const shared = controlPort === null ? control(originOf, true) : null;
  let consolePlace: ConsolePlace = controlPort === null ? 'here' : 'nowhere';
  const pages = lazily(
    async () =>
      (await import('../pages-app.ts')).pagesApp(
        parts.sandboxes,
        originOf,
        () => consolePlace,
        upstream,
        defect,
      ),
    defect,
  );
  const operations = await operationsOf(parts, options, originOf, { isStopping, reading });
  const ownNotes = options.front === null ? sandboxNotes(parts.sandboxes, originOf, options.witness) : null;
  const fail = failWith(parts.sandboxes, defect);
  let requests = 0;
  const handle = handlerOf(
    parts,
    { metrics: metricsHandler(metrics, access), isStopping, storageFailure: options.storageFailure },
    { operations, leaked: ownNotes?.leaked, control: shared?.handle ?? null, pages: pages.handle },
  );
  const counted: Handler = (request, response) => {
    requests += 1;
    handle(request, response);
  };
  const { replica } = options;
  const replicas =
    replica && new (await import('../replicas/replica-app.ts')).ReplicaApp(parts.sandboxes, replica, fail);
  const placed = (serves: Handler): Handler =>
    behindProxies(options.trustProxy, replicas?.before(serves) ?? serves);
  const { caps, slices } = parts.sandboxes;
  const service = { host, fail, caps, slices, reading, notes: null };
  // A separate control plane must stay reachable if clients use up all other connections.
  const controlShare = typeof controlPort === 'number' ? 1 / 4 : 0;
  const room = (share: number): ConnectionLimit | null => shareOf(options.connectionLimit, share);
  const main = await serve({
    ...service,
    handle: placed(counted),
    notes: options.front === null ? ownNotes : proxyNotes(options.front),
    port,
    connectionLimit: room(1 - controlShare),
  });
  const ownOrigin = publicUrl ?? `http://${shownHost(host)}:${main.port}`;
  try {
    const apart =
      typeof controlPort === 'number'
        ? { control: control(() => ownOrigin, false), console: consoleHandler(originOf, defect) }
        : null;
    const own =
      apart === null
        ? null
        : await serve({
            ...service,
            handle: placed(
              withConsole(parts, operations.unmatched, apart.control.handle, apart.console.handle),
            ),
            port: Number(controlPort),
            connectionLimit: room(controlShare),
          });
    if (own !== null) consolePlace = own.port;
    return {
      port: main.port,
      controlPort: controlPort === null ? main.port : (own?.port ?? null),
      parts: [pages, shared, apart?.control, apart?.console].flatMap((lazy) =>
        lazy?.load === undefined ? [] : [lazy.load],
      ),
      requests: () => requests,
      leave: () => {
        stopping = true;
      },
      close: async () => {
        stopping = true;
        await stop(parts.sandboxes, reading, own === null ? [main] : [main, own]);
        replicas?.close();
      },
    };
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Returns the handler of calls. The proxy is loaded only if needed. */
async function operationsOf(
  { sandboxes }: ServerParts,
  { witness, front }: ListenOptions,
  originOf: OriginOf,
  serving: Serving,
): Promise<Operations> {
  if (front === null) return publicApp(sandboxes, originOf, witness, serving);
  return {
    calls: (await import('../proxy-app.ts')).proxyApp(front, sandboxes, serving),
    unmatched: null,
  };
}

/** The handlers of requests to operations. A proxy has none for those that are not calls. */
type Operations = Pick<PublicApp, 'calls'> & { readonly unmatched: PublicApp['unmatched'] | null };

/** Routes each request to its handler. */
function handlerOf(
  { sandboxes }: ServerParts,
  {
    metrics,
    isStopping,
    storageFailure,
  }: Pick<ListenOptions, 'storageFailure'> & Pick<Serving, 'isStopping'> & { readonly metrics: Handler },
  {
    operations,
    leaked,
    control,
    pages,
  }: {
    readonly operations: Operations;
    readonly leaked: SandboxNotes['leaked'] | undefined;
    readonly control: Handler | null;
    readonly pages: Handler;
  },
): Handler {
  return (request, response) => {
    const { url = '/' } = request;
    if (isCall(url)) return operations.calls(request, response);
    const strayed = operations.unmatched === null ? null : whyStrayed(request);
    if (strayed?.isServed === false) return operations.unmatched?.(request, response, strayed.explain);
    if (strayed !== null) {
      const note = leaked?.(request, strayed.explain);
      response.once('close', () => note?.(response.statusCode));
    }
    response.setHeader('Sandbox-Request-Id', sandboxes.default.nextRequestId());
    if (isStopping()) response.setHeader('Connection', 'close');
    if (control !== null && /^\/control(?=[/?]|$)/.test(url)) return control(request, response);
    const check = request.method === 'GET' || request.method === 'HEAD' ? splitTarget(url).path : undefined;
    if (check === '/healthz') sendHealth(response, 'ok');
    else if (check === '/readyz')
      sendHealth(response, isStopping() ? 'stopping' : (storageFailure() ?? 'ok'));
    else if (check === '/metrics') metrics(request, response);
    else pages(request, response);
  };
}

function controlHandler(options: ControlOptions): Lazy {
  return lazily(async () => (await import('../control-app.ts')).controlApp(options), options.defect);
}

function consoleHandler(originOf: OriginOf, defect: Defect): Lazy {
  return lazily(async () => (await import('../console-app.ts')).consoleApp(originOf, defect), defect);
}

/** The handler of a separate control-plane port, which also serves the console, the pages like it, and their pictures. */
function withConsole(
  { sandboxes }: ServerParts,
  unmatched: Operations['unmatched'],
  control: Handler,
  console: Handler,
): Handler {
  return (request, response) => {
    const strayed = unmatched === null ? null : whyStrayed(request);
    if (strayed?.isServed === false) return unmatched?.(request, response, wrongPort);
    response.setHeader('Sandbox-Request-Id', sandboxes.default.nextRequestId());
    (isForConsole(request.url) ? console : control)(request, response);
  };
}
