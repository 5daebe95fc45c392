import { connect, type Socket } from 'node:net';

/** One request, sent again and again. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly body: string;
  /** Of the default sandbox, unless given. */
  readonly key?: string;
}

export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly worst: number;
}

/**
 * Sends a request over some kept connections, each waiting for its reply, for some time. Written on bare
 * sockets, so that the machine's two processors go to the server and not to the client.
 *
 * `perSecond` is the number of requests that are due each second. Latencies then count from when a request is due.
 */
export async function load(
  { port, path, body, key = 'sbx_default_riverside' }: Target,
  connections: number,
  milliseconds: number,
  perSecond = Infinity,
): Promise<Measured> {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `SERVICE-API-KEY: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const end = performance.now() + milliseconds;
  const start = performance.now();
  const latencies = await Promise.all(
    Array.from({ length: connections }, () => repeat(port, request, end, (1000 / perSecond) * connections)),
  );
  const seconds = (performance.now() - start) / 1000;
  const sorted = Float64Array.from(latencies.flat()).toSorted();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), p999: at(0.999), worst: at(1) };
}

/** One connection's latencies. A request is due every `everyMs`, or as soon as the last one is answered if that is 0. */
function repeat(port: number, request: Buffer, end: number, everyMs: number): Promise<readonly number[]> {
  return new Promise((done, fail) => {
    const latencies: number[] = [];
    let due = performance.now() + Math.random() * everyMs;
    let sent = 0;
    let pending: Buffer | null = null;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, send);
    function send(): void {
      if (everyMs === 0) return sendDue(performance.now());
      const at = due;
      due += everyMs;
      const early = at - performance.now();
      if (early > 1) setTimeout(() => sendDue(at), early);
      else sendDue(at);
    }
    function sendDue(at: number): void {
      sent = at;
      socket.write(request);
    }
    socket.on('error', fail);
    socket.on('data', (chunk: Buffer) => {
      const reply: Buffer = pending === null ? chunk : Buffer.concat([pending, chunk]);
      pending = reply.length < replyLength(reply) ? reply : null;
      if (pending !== null) return;
      if (reply.toString('latin1', 9, 12) !== '200')
        return fail(new Error(`Expected 200, got ${reply.toString('latin1', 0, 400)}`));
      latencies.push(performance.now() - sent);
      if (performance.now() < end) return send();
      socket.destroy();
      done(latencies);
    });
  });
}

/** How long the whole reply is, by its Content-Length; infinite until its headers have arrived. */
function replyLength(reply: Buffer): number {
  const head = reply.indexOf('\r\n\r\n');
  if (head < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: (\d+)/i.exec(reply.toString('latin1', 0, head))?.[1];
  if (length === undefined) throw new Error('A reply without Content-Length cannot be measured.');
  return head + 4 + Number(length);
}
