import { Agent, type ClientRequest } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { inNextTurn } from '../../sandbox/clock.ts';
import { KeptSockets } from './kept-sockets.ts';
import type { ConnectionOptions } from './options.ts';

/** The options of TLS for each request. */
interface TlsOptions {
  readonly secureContext?: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** The connections to one upstream, which calls share one after the other. */
export class UpstreamConnection {
  readonly agent: Agent;
  readonly tls: TlsOptions;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  /** The names of these headers in lower case: those of a client are replaced. */
  readonly replaced: readonly string[];
  /** The proxy server as shown in messages, without its password. Null for none. */
  readonly proxy: string | null;
  /** The proxy server that gets whole requests, because the upstream has no TLS. Null for none. */
  readonly forwarder: URL | null;
  readonly #kept: KeptSockets;

  constructor(url: URL, options: ConnectionOptions) {
    this.forwarder = url.protocol === 'http:' ? options.proxy : null;
    this.tls = this.forwarder === null ? tlsOf(options) : toProxy(options);
    this.headers = [...options.headers, ...authorizationOf(this.forwarder)];
    this.replaced = options.headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    this.proxy = options.proxy?.host ?? null;
    this.agent = agentFor(url, options);
    this.#kept = new KeptSockets(this.agent);
  }

  /**
   * Waits until closed connections were noticed, if any connection is idle: a call must not be sent on one that the
   * upstream has closed.
   */
  ready(): Promise<void> {
    if (Object.values(this.agent.freeSockets).every((free) => free?.length === 0)) return Promise.resolve();
    return new Promise((done) => void inNextTurn(done));
  }

  /** Notes that a request failed without a response. */
  failed({ reusedSocket }: ClientRequest): void {
    if (reusedSocket) this.#kept.distrust();
  }

  close(): void {
    this.agent.destroy();
  }
}

function agentFor({ protocol }: URL, options: ConnectionOptions): Agent {
  const { proxy } = options;
  if (protocol === 'https:')
    return proxy === null
      ? new SecureAgent(pooled)
      : new HttpsProxyAgent(proxy, { ...pooled, ...toProxy(options) });
  return proxy?.protocol === 'https:' ? new SecureAgent(pooled) : new Agent(pooled);
}

/** The client certificate is for the upstream only. */
function toProxy(options: ConnectionOptions): TlsOptions {
  return tlsOf({ ...options, certificate: null });
}

function authorizationOf(forwarder: URL | null): readonly string[] {
  if (forwarder === null || forwarder.username === '') return [];
  const user = `${decodeURIComponent(forwarder.username)}:${decodeURIComponent(forwarder.password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(user).toString('base64')}`];
}

/** As many connections as there are calls at the same time; of idle ones, a few. */
const pooled = { keepAlive: true, maxFreeSockets: 32 };

/** Reading the certificates takes milliseconds, so it is done once. */
function tlsOf({
  ca,
  certificate,
  isInsecure,
}: Pick<ConnectionOptions, 'ca' | 'certificate' | 'isInsecure'>): TlsOptions {
  const rejectUnauthorized = !isInsecure;
  if (ca === null && certificate === null) return { rejectUnauthorized };
  const trusted = ca === null ? {} : { ca: [...rootCertificates, ca] };
  return { rejectUnauthorized, secureContext: createSecureContext({ ...trusted, ...certificate }) };
}
