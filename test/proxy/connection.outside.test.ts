import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConnection } from '../../src/commands/connection-flags.ts';
import { fetchOver } from '../../src/http/connection/fetch-over.ts';
import { plainConnection, type ConnectionOptions } from '../../src/http/connection/options.ts';
import { proxyFor } from '../../src/http/connection/proxy-for.ts';
import { connect as connectTo } from '../../src/upstream/calibrate/upstream.ts';
import { certificates } from '../support/certificates.ts';
import { temporaryFolder } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { goodReply, proxyTo, send, upstreamThat, upstreamThatSpeaks } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // It listens on a port.
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Flags whose values, except those of headers, are written into files; null for a file that does not exist. */
function withFiles(flags: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const folder = temporaryFolder();
  return Object.fromEntries(
    Object.entries(flags).map(([name, text]) => {
      if (name === 'header') return [name, text ?? ''];
      const path = join(folder, `${name}.pem`);
      if (text !== null) writeFileSync(path, text);
      return [name, path];
    }),
  );
}

function readFlags(flags: Readonly<Record<string, string>>, said: string[] = []): ConnectionOptions {
  const given = new Map(Object.entries(flags).map(([name, value]) => [name, [value]]));
  const err = (text: string): void => void said.push(text);
  return readConnection({ given, environment: {}, err }, new URL('https://a.example'));
}

/** A service with HTTPS. Counts its connections. */
async function secureService(options: ServerOptions = {}) {
  const seen = { connections: 0, calls: 0, authorized: false };
  const server = createSecureServer(
    { cert: certificates.serverCert, key: certificates.serverKey, ...options },
    (request, response) => {
      seen.calls += 1;
      // The server is one with TLS.
      seen.authorized = (request.socket as Socket & { authorized?: boolean }).authorized === true;
      request.resume().on('end', () => response.writeHead(200, json).end(goodReply));
    },
  );
  server.on('secureConnection', () => (seen.connections += 1));
  onTestFinished(() => server.closeAllConnections());
  return { url: `https://127.0.0.1:${await listening(server)}`, seen };
}

const trusting: ConnectionOptions = { ...plainConnection, ca: certificates.ca };

describe('the certificate of the service', () => {
  it('must be of a known authority; the message says how to make one known', async () => {
    const { url } = await secureService();
    const reply = await send((await proxyTo(url)).url);
    expect([reply.status, reply.text]).toEqual([
      502,
      expect.stringContaining('Set --ca to the certificate file'),
    ]);
  });

  it('may be of one that --ca names, or of any with --insecure', async () => {
    const { url } = await secureService();
    for (const connection of [trusting, { ...plainConnection, isInsecure: true }])
      expect((await send((await proxyTo(url, { connection })).url)).status).toBe(200);
  });
});

describe('a client certificate', () => {
  it('is shown to a service that requires one', async () => {
    const { url, seen } = await secureService({
      requestCert: true,
      rejectUnauthorized: true,
      ca: certificates.ca,
    });
    const without = await send((await proxyTo(url, { connection: trusting })).url);
    expect(without.status).toBe(502);
    const certificate = { cert: certificates.clientCert, key: certificates.clientKey };
    const reply = await send((await proxyTo(url, { connection: { ...trusting, certificate } })).url);
    expect([reply.status, seen.authorized]).toEqual([200, true]);
  });
});

/** A response on a connection that the service says it keeps. */
function keptReply(text: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nKeep-Alive: timeout=60\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

describe('connections to the service', () => {
  it('are reused if the service announces how long it keeps them', async () => {
    const { url, seen } = await secureService({ keepAliveTimeout: 20_000 });
    const proxy = await proxyTo(url, { connection: trusting });
    for (let call = 0; call < 10; call += 1) expect((await send(proxy.url)).status).toBe(200);
    expect(seen).toMatchObject({ calls: 10, connections: 1 });
  });

  it('are not reused before the service was seen to keep one open', async () => {
    const { url, seen } = await secureService({ keepAliveTimeout: 0 });
    const proxy = await proxyTo(url, { connection: trusting });
    for (let call = 0; call < 5; call += 1) await send(proxy.url);
    expect(seen).toMatchObject({ calls: 5, connections: 5 });
    await eventually(async () => {
      const before = seen.connections;
      for (let call = 0; call < 3; call += 1) await send(proxy.url);
      expect(seen.connections).toBeLessThanOrEqual(before + 1);
    });
  });

  it.each([
    ['at once', 0],
    ['after a moment', 3],
  ])('that the service closes %s fail no call, and none is sent twice', async (_, ms) => {
    let calls = 0;
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${goodReply.length}\r\n\r\n`;
    const { url } = await upstreamThatSpeaks((socket) => {
      calls += 1;
      socket.write(`${head}${goodReply}`, () => {
        if (ms === 0) socket.end();
        else socket.setTimeout(ms, () => socket.end());
      });
    });
    const proxy = await proxyTo(url);
    const statuses = new Set<number>();
    for (let call = 0; call < 60; call += 1) {
      statuses.add((await send(proxy.url)).status);
    }
    expect([calls, [...statuses]]).toEqual([60, [200]]);
  });

  it('are closed if the service sends something that nobody asked for', async () => {
    let served = 0;
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        served += 1;
        socket.write(keptReply(goodReply), () => socket.write(keptReply('["of nobody"]')));
      });
    });
    const proxy = await proxyTo(`http://127.0.0.1:${await listening(server)}`);
    for (let call = 0; call < 20; call += 1) {
      const { status, text } = await send(proxy.url);
      if (status === 200) expect(text).toBe(goodReply);
    }
    expect(served).toBeLessThanOrEqual(20);
  });
});

describe('headers for the service', () => {
  const gatewayKey = 'gw-3f9a77c1d2';

  it('are added to every call, instead of those of the client, and are masked where the service echoes them', async () => {
    const upstream = await upstreamThat((response, { headers }) =>
      response
        .writeHead(403, { ...json, 'X-Echo': String(headers['x-gateway']) })
        .end(JSON.stringify({ message: `bad ${String(headers['x-gateway'])}` })),
    );
    const connection = { ...plainConnection, headers: ['X-Gateway', gatewayKey] };
    const proxy = await proxyTo(upstream.url, { connection });
    const { text } = await send(proxy.url, { headers: { 'x-gateway': 'of the client' } });
    // The client gets every byte; what is stored and shown is masked.
    expect(text).toContain(gatewayKey);
    expect(upstream.got[0]?.headers['x-gateway']).toBe(gatewayKey);
    expect(JSON.stringify([proxy.journal(), proxy.said()])).not.toContain(gatewayKey);
  });

  it('go only to the service itself, and are masked in what calibrate reads', async () => {
    const echo = await upstreamThat((response, { headers }) =>
      response.writeHead(200, json).end(JSON.stringify(headers)),
    );
    const other = await upstreamThat((response, { headers }) =>
      response.writeHead(200, json).end(JSON.stringify(Object.keys(headers))),
    );
    const fetched = fetchOver(
      new URL(echo.url),
      { ...plainConnection, headers: ['X-Gateway', gatewayKey] },
      {},
    );
    const own = await fetched(`${echo.url}/public/a`, { method: 'POST', body: '{}', headers: { b: 'c' } });
    expect(await own.json()).toMatchObject({ 'x-gateway': '***', b: 'c', 'content-length': '2' });
    expect(await (await fetched(`${other.url}/media`)).json()).not.toContain('x-gateway');
  });
});

/** A proxy server that tunnels and forwards. */
async function proxyServer(user?: string) {
  const seen: string[] = [];
  const refused = (headers: IncomingMessage['headers']): boolean =>
    user !== undefined && headers['proxy-authorization'] !== `Basic ${Buffer.from(user).toString('base64')}`;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.writeHead(200, json).end(goodReply));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    if (refused(request.headers))
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [host = '', port] = (request.url ?? '').split(':');
    const through = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const one of [socket, through]) one.on('error', () => {});
  });
  onTestFinished(() => server.closeAllConnections());
  return { host: `127.0.0.1:${await listening(server)}`, seen };
}

describe('a proxy server', () => {
  it('tunnels calls of a service with HTTPS, on connections that are reused', async () => {
    const { url, seen } = await secureService({ keepAliveTimeout: 20_000 });
    const between = await proxyServer('me:secret');
    const connection = { ...trusting, proxy: new URL(`http://me:secret@${between.host}`) };
    const proxy = await proxyTo(url, { connection });
    for (let call = 0; call < 3; call += 1) expect((await send(proxy.url)).status).toBe(200);
    expect(between.seen).toEqual([`CONNECT ${new URL(url).host}`]);
    expect(seen).toMatchObject({ calls: 3, connections: 1 });
  });

  it('forwards calls of a service without HTTPS', async () => {
    const between = await proxyServer();
    const connection = { ...plainConnection, proxy: new URL(`http://${between.host}`) };
    expect((await send((await proxyTo('http://service.example', { connection })).url)).status).toBe(200);
    expect(between.seen).toEqual(['POST http://service.example/public/get-quiz-details']);
  });

  it.each([
    ['https://service.example', 'HTTPS_PROXY'],
    ['http://service.example', 'HTTP_PROXY'],
  ])('that is down is not taken for the service %s', async (url, variable) => {
    const port = await closedPort();
    const connection = { ...trusting, proxy: new URL(`http://me:hush@127.0.0.1:${port}`) };
    const problem = `The service ${url} was not reached, because the proxy server 127.0.0.1:${port} refuses connections (ECONNREFUSED). Check ${variable} and NO_PROXY.`;
    const { status, text } = await send((await proxyTo(url, { connection })).url);
    expect([status, text]).toEqual([502, expect.stringContaining(problem)]);
    const keys = { own: 'sbx_default_riverside', second: null, other: null };
    const service = connectTo(url, keys, fetchOver(new URL(url), connection, {}));
    await expect(service.call({ operation: 'get-all-instructors' })).rejects.toThrow(problem);
  });

  it('that ends the connection before there is a tunnel is named', async () => {
    const ending = createTcpServer((socket) => socket.on('error', () => {}).end());
    const host = `127.0.0.1:${await listening(ending)}`;
    const connection = { ...trusting, proxy: new URL(`http://${host}`) };
    const { text } = await send((await proxyTo('https://service.example', { connection })).url);
    expect(text).toContain(`because the proxy server ${host} failed`);
  });

  it('that refuses is named without its password, and its response is none of the service', async () => {
    const { url, seen } = await secureService();
    const between = await proxyServer('me:right');
    const connection = { ...trusting, proxy: new URL(`http://me:wrong-password@${between.host}`) };
    const { status, text } = await send((await proxyTo(url, { connection })).url);
    expect([status, seen.calls]).toEqual([502, 0]);
    expect(text).toContain(
      `the proxy server refused the connection (PROXY_407). Check HTTPS_PROXY, its user name and password, and NO_PROXY. The connection goes through the proxy server ${between.host}.`,
    );
    expect(text).not.toContain('wrong-password');
  });

  it.each([
    ['https://a.example', { HTTPS_PROXY: 'http://p.example:1' }, 'p.example:1'],
    ['https://a.example', { HTTPS_PROXY: 'p.example:1' }, 'p.example:1'],
    [
      'https://a.example',
      { https_proxy: 'http://q.example:2', HTTPS_PROXY: 'http://p.example:1' },
      'q.example:2',
    ],
    ['https://a.example', { HTTP_PROXY: 'http://p.example:1' }, undefined],
    ['http://a.example', { HTTP_PROXY: 'http://p.example:1' }, 'p.example:1'],
    ['http://a.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: 'b.example, a.example' }, undefined],
    ['http://b.a.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: '.a.example' }, undefined],
    ['http://b.a.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: 'a.example' }, undefined],
    ['http://ba.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: 'a.example' }, 'p.example:1'],
    ['http://a.example:81', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: 'a.example:80' }, 'p.example:1'],
    ['http://a.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: 'a.example:80' }, undefined],
    ['http://[::1]:80', { HTTP_PROXY: 'http://p.example:1', no_proxy: '::1' }, undefined],
    ['http://[::1]:81', { HTTP_PROXY: 'http://p.example:1', no_proxy: '[::1]:81' }, undefined],
    ['http://a.example', { HTTP_PROXY: 'http://p.example:1', NO_PROXY: '*' }, undefined],
  ])('is that of the variables, unless NO_PROXY excepts the host: %s %o', (url, environment, host) => {
    expect(proxyFor(new URL(url), environment)?.host).toBe(host);
  });

  it('must speak HTTP; the message does not repeat its password', () => {
    const environment = { HTTPS_PROXY: 'socks5://u:hush@b.example' };
    const read = (): unknown => proxyFor(new URL('https://a.example'), environment);
    expect(read).toThrow(/HTTPS_PROXY must be the URL of an HTTP proxy/);
    expect(read).not.toThrow(/hush/);
  });
});

describe('the flags of a connection', () => {
  it.each([
    [{ header: 'hush-hush' }, '--header must be a name, a colon and a value'],
    [{ header: 'Service-Api-Key: hush' }, '--header cannot set SERVICE-API-KEY'],
    [{ header: 'Connection: hush' }, '--header cannot set Connection'],
    [{ header: 'Content-Length: 4' }, '--header cannot set Content-Length'],
    [{ header: 'X-Key: hush\nhush' }, 'The value of --header X-Key contains characters'],
    [{ ca: null }, '--ca: there is no file'],
    [{ ca: 'hello' }, 'is not a PEM file'],
    [{ ca: certificates.clientKey }, 'contains no certificate'],
    [{ cert: certificates.clientCert }, '--cert also needs --key,'],
    [{ key: certificates.clientKey }, '--key also needs --cert'],
    [{ cert: certificates.clientCert, key: null }, '--key: there is no such file'],
    [
      {
        cert: certificates.clientCert,
        key: certificates.serverKey,
      },
      '--cert and --key do not belong together',
    ],
  ])('are refused if they are unusable, without the secret: %o', (flags, message) => {
    const read = (): unknown => readFlags(withFiles(flags));
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hush/);
  });

  it.each([
    ['a folder', '/', '--ca: / is not a file, but a folder'],
    ['a device', '/dev/null', '--ca: /dev/null is not a file, but a folder, a device'],
  ])('say what --ca names in place of a file: %s', (_, ca, message) => {
    expect(() => readFlags({ ca })).toThrow(message);
  });

  it('warn if no certificate is checked', () => {
    const said: string[] = [];
    expect(readFlags({ insecure: '' }, said).isInsecure).toBe(true);
    expect(said.join('')).toContain('--insecure: the certificate of the service is not checked.');
  });

  it('give the headers and the certificates', () => {
    const flags = { header: 'X-Gateway-Key:  a b ', ca: certificates.ca };
    expect(readFlags(withFiles(flags))).toEqual({ ...trusting, headers: ['X-Gateway-Key', 'a b'] });
  });
});
