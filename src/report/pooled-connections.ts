import { connectionOf, type Attempt } from './attempt.ts';

/**
 * The headers that proxies, load balancers and sidecars add to requests: those of RFC 9110 (Via), RFC 7239 (Forwarded)
 * and RFC 8586 (CDN-Loop), and the usual ones of Envoy, Istio, Linkerd, Varnish and the large providers.
 */
const addedByProxies =
  /^(?:via|forwarded|cdn-loop|x-forwarded(?:-.*)?|x-original-(?:forwarded-for|host|url)|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|client-ip|x-envoy-.*|l5d-.*|x-varnish|x-amzn-trace-id|x-amz-cf-.*|x-cloud-trace-context|x-azure-.*|x-arr-.*|cf-.*|fastly-.*|proxy-connection)$/;

/** Whether a proxy sent a call, as far as its headers show it. */
function isProxied({ entry: { requestHeaders } }: Attempt): boolean {
  return Object.keys(requestHeaders).some((name) => addedByProxies.test(name));
}

/** Finds the connections that may belong to a proxy between clients and the server. */
export class PooledConnections {
  /** The programs and the schools of the calls on each connection. */
  readonly #programs = new Map<string, Set<string>>();
  readonly #schools = new Map<string, Set<string>>();
  readonly #proxied = new Set<string>();

  constructor(attempts: readonly Attempt[]) {
    for (const attempt of attempts) {
      const connection = connectionOf(attempt);
      const { requestHeaders, school } = attempt.entry;
      if (isProxied(attempt)) this.#proxied.add(connection);
      add(this.#programs, connection, requestHeaders['user-agent'] ?? '');
      if (school !== null) add(this.#schools, connection, school);
    }
  }

  /** Whether a proxy may have sent the calls on the connection of a call: several programs do not share one. */
  has(attempt: Attempt): boolean {
    const connection = connectionOf(attempt);
    return (
      this.#proxied.has(connection) ||
      (this.#programs.get(connection)?.size ?? 0) > 1 ||
      (this.#schools.get(connection)?.size ?? 0) > 1
    );
  }
}

function add(all: Map<string, Set<string>>, connection: string, mark: string): void {
  const own = all.get(connection) ?? new Set();
  all.set(connection, own.add(mark));
}
