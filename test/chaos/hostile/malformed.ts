import { Buffer } from 'node:buffer';
import type { Random } from '../support/random.ts';
import type { HostileRequest } from './requests.ts';

const body = '{"data":[{"data":{}}]}';

/** What is no HTTP, or HTTP that two readers could read in two ways. */
export function malformed(
  random: Random,
  sandbox: string,
): Pick<HostileRequest, 'pieces' | 'answered' | 'mayEnd' | 'wantsProblem'> {
  const path = '/public/get-all-instructors';
  const key = `SERVICE-API-KEY: sbx_${sandbox}_riverside`;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Type: application/json\r\n`;
  const cases: Readonly<Record<string, () => string>> = {
    noise: () => random.bytes(random.integer(1, 3000)).toString('latin1'),
    tls: () => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${random.bytes(200).toString('latin1')}`,
    http2: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00',
    http09: () => `GET ${path}\r\n\r\n`,
    version: () =>
      `GET / HTTP/${random.pick(['0.9', '1.9', '2.0', '3', '1', '11.11', ''])}\r\nHost: a\r\n\r\n`,
    methodless: () => ` ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
    spaces: () => `GET  /  HTTP/1.1 \r\nHost: a\r\n\r\n`,
    newlines: () => `${'\r\n'.repeat(random.integer(1, 500))}GET / HTTP/1.1\nHost: a\n\n`,
    nullInTarget: () => 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n',
    nullInHeader: () => `${head}X-A: a\0b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    returnInHeader: () => `${head}X-A: a\rb\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    folded: () => `${head}X-A: a\r\n b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    nameless: () => `${head}: a\r\n\r\n`,
    spacedName: () => `${head}Content-Length : ${body.length}\r\n\r\n${body}`,
    noColon: () => `${head}nonsense\r\n\r\n`,
    hugeHeader: () => `${head}X-A: ${'a'.repeat(random.pick([16_000, 17_000, 100_000]))}\r\n\r\n`,
    hugeTarget: () =>
      `GET /${'a'.repeat(random.pick([15_000, 17_000, 100_000]))} HTTP/1.1\r\nHost: a\r\n\r\n`,
    manyHeaders: () =>
      `${head}${'a: b\r\n'.repeat(random.pick([1000, 2100, 5000]))}Content-Length: 0\r\n\r\n`,
    noHost: () => `GET ${random.pick(['/', '/control/sandboxes', path])} HTTP/1.1\r\n\r\n`,
    hosts: () =>
      `GET ${random.pick(['/', '/control/sandboxes', path])} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    oddHost: () =>
      `GET ${random.pick(['/', '/control/sandboxes', '/docs', '/openapi.json'])} HTTP/1.1\r\nHost: ${random.pick(['', '[', 'a b', '[::1]:80:90', '\xff', '../', 'a:99999'])}\r\n\r\n`,
    oddTarget: () =>
      `${random.pick(['GET', 'OPTIONS'])} ${random.pick(['*', '//', '///a', '?', '#', 'a', 'http://', 'http://[', 'http://[::1]:80:90/', '/\xff', '\\', 'mailto:a', '/%'])} HTTP/1.1\r\nHost: a\r\n\r\n`,
    connect: () => `CONNECT ${random.pick(['a:80', '/', path])} HTTP/1.1\r\nHost: a\r\n\r\n`,
    upgrade: () =>
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${random.pick(['websocket', 'h2c', 'x'])}\r\nSec-WebSocket-Key: a\r\n\r\n`,
    expectation: () =>
      `${head}Expect: ${random.pick(['100-continue', 'nonsense'])}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    lengthTwice: () =>
      `${head}Content-Length: ${body.length}\r\nContent-Length: ${random.pick([0, 5, body.length])}\r\n\r\n${body}`,
    lengthAndChunks: () =>
      `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /control/sandboxes HTTP/1.1\r\n\r\n`,
    chunkedTwice: () =>
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: ${random.pick(['identity', 'chunked', 'gzip'])}\r\n\r\n0\r\n\r\n`,
    oddCoding: () =>
      `${head}Transfer-Encoding: ${random.pick(['xchunked', 'chunked, identity', 'gzip, chunked', '\x0bchunked', ''])}\r\n\r\n0\r\n\r\n`,
    wrongLength: () =>
      `${head}Content-Length: ${random.pick(['-1', '1e3', '0x10', '99999999999999999999', '+5', '5 5', ''])}\r\n\r\n${body}`,
    shortLength: () => `${head}Content-Length: 5\r\n\r\n${body}`,
    longLength: () => `${head}Content-Length: 10485761\r\n\r\n${body}`,
    badChunk: () =>
      `${head}Transfer-Encoding: chunked\r\n\r\n${random.pick(['zz', '-1', 'ffffffffffffffff', '5;'.padEnd(20_000, 'x'), ''])}\r\n${body}\r\n0\r\n\r\n`,
    oddChunks: () =>
      `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)};ext="a\r\n${body}\r\n0\r\nTrailer: x\r\n\r\n`,
    longTrailers: () => `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n${'Trailer: x\r\n'.repeat(3000)}\r\n`,
  };
  const text = cases[random.pick(Object.keys(cases))]?.() ?? '';
  // The first bytes may be a request, an answer may come, or the connection may end. What is not complete
  // waits for more.
  return { pieces: [Buffer.from(text, 'latin1')], answered: ['GET'], mayEnd: true, wantsProblem: false };
}
