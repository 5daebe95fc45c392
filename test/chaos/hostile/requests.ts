import { gzipSync } from 'node:zlib';
import { faultNames } from '../../../src/faults/index.ts';
import { Random } from '../support/random.ts';
import { asBytes, mutatedJson } from './json.ts';
import { malformed } from './malformed.ts';
import { folders, methods, parameterValues, routes, type Route } from './routes.ts';

/** A hostile request, as bytes, and what must come of it. */
export interface HostileRequest {
  readonly kind: string;
  /** What is sent, in this order, a moment apart. */
  readonly pieces: readonly Buffer[];
  /** The methods of the requests in it that must be answered, in this order. */
  readonly answered: readonly string[];
  /** Whether the connection may end in place of an answer. */
  readonly mayEnd: boolean;
  /**
   * Whether an answer may take longer than anybody waits, because a fault, a rule or a `waitMs` delays it.
   */
  readonly mayWait: boolean;
  /** Whether every answer from status 400 on must be a problem document. */
  readonly wantsProblem: boolean;
  /** How the client leaves in the middle; null if it stays. */
  readonly leaves: 'close' | 'reset' | null;
}

/** Sandboxes whose calls nothing delays, and sandboxes whose control plane is attacked. */
const calm = ['calm-0', 'calm-1', 'calm-2', 'calm-3', 'calm-4', 'calm-5', 'calm-6', 'calm-7'];
const steered = ['steered-0', 'steered-1', 'steered-2', 'steered-3'];

const systematic = routes.flatMap((route) => methods.map((method) => ({ route, method })));

const weights = {
  call: 26,
  control: 26,
  page: 10,
  malformed: 14,
  half: 7,
  pipelined: 4,
  fault: 6,
  type: 7,
} as const;

/**
 * The request of a number: first every method on every route, then what the seed says. The same for the same
 * seed and number.
 */
export function hostileRequest(seed: number, number: number): HostileRequest {
  const random = new Random(seed, number);
  const first = systematic[number];
  if (first !== undefined) return everyMethod(random, first);
  const kind = random.weighted(weights);
  switch (kind) {
    case 'call':
      return aCall(random, kind);
    case 'control':
      return aControlRequest(random, kind);
    case 'page':
      return aPageRequest(random, kind);
    case 'malformed':
      return { kind, ...defaults, ...malformed(random, random.pick(calm)) };
    case 'half':
      return half(random, kind);
    case 'pipelined':
      return pipelined(random, kind);
    case 'fault':
      return aFault(random, kind);
    case 'type':
      return aContentType(random, kind);
  }
}

const defaults = { mayEnd: false, mayWait: false, wantsProblem: false, leaves: null } as const;

type Headers = readonly (readonly [string, string])[];

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers?: Headers;
  readonly body?: Buffer;
}

function encode({ method, target, headers = [], body }: Parts): Buffer {
  const length = body === undefined ? [] : [['Content-Length', String(body.length)] as const];
  const lines = [['Host', '127.0.0.1'] as const, ...headers, ...length].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

function whole(kind: string, parts: Parts, more: Partial<HostileRequest> = {}): HostileRequest {
  const wantsProblem = !parts.target.startsWith('/public/');
  return { kind, ...defaults, pieces: [encode(parts)], answered: [parts.method], wantsProblem, ...more };
}

function everyMethod(
  random: Random,
  { route, method }: { readonly route: Route; readonly method: string },
): HostileRequest {
  const example = route.bodies[0];
  const body =
    method === 'GET' || method === 'HEAD' || example === undefined
      ? undefined
      : Buffer.from(JSON.stringify(example));
  const target = filled(random, route.path);
  const json: Headers = body === undefined ? [] : [['Content-Type', 'application/json']];
  // The parser knows no such method.
  const unknown = method === 'BREW' ? { wantsProblem: true } : {};
  return whole(
    'method',
    { method, target, headers: [...keyHeader(random.pick(calm)), ...json], ...withBody(body) },
    { mayWait: waits(body), ...unknown },
  );
}

function withBody(body: Buffer | undefined): { body?: Buffer } {
  return body === undefined ? {} : { body };
}

/** What `verify` waits for, and rules of the sandbox, take their time. */
function waits(body: Buffer | undefined): boolean {
  return body !== undefined && (body.includes('waitMs') || body.includes('fault.'));
}

function keyHeader(sandbox: string, school = 'riverside'): Headers {
  return [['SERVICE-API-KEY', `sbx_${sandbox}_${school}`]];
}

/** Keys of every kind, most of them good. */
function someKey(random: Random, sandbox: string): Headers {
  switch (random.weighted({ good: 20, other: 3, none: 1, wrong: 1, long: 1, odd: 2, twice: 1, fresh: 1 })) {
    case 'good':
      return keyHeader(sandbox);
    case 'other':
      return keyHeader(sandbox, random.pick(['hillcrest', 'nobody', 'riverside_label']));
    case 'none':
      return [];
    case 'wrong':
      return [['SERVICE-API-KEY', 'wrong']];
    case 'long':
      return [['SERVICE-API-KEY', `sbx_${'a'.repeat(random.pick([64, 65, 8000]))}_riverside`]];
    case 'odd':
      return [
        [
          'SERVICE-API-KEY',
          random.pick([
            'sbx___',
            'sbx_default_',
            '\xff\xfe',
            'sbx_constructor_riverside',
            'sbx_default_constructor',
            ' ',
            '\t',
          ]),
        ],
      ];
    case 'twice':
      return [...keyHeader(sandbox), ...keyHeader('default')];
    case 'fresh':
      return keyHeader(`fresh-${random.integer(0, 99)}`);
  }
}

const extraHeaders: Headers = [
  ['Expect', '100-continue'],
  ['Accept', '*/*, text/html;q=2, \xff'],
  ['Accept-Encoding', 'gzip, br;q=1e400'],
  ['Range', 'bytes=0-18446744073709551615'],
  ['Range', 'bytes=-1'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'Thu, 99 Foo 9999 99:99:99 GMT'],
  ['Origin', 'null'],
  ['Cookie', `a=${'b'.repeat(4000)}`],
  ['X-Forwarded-For', '::1, 999.999.999.999'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Upgrade', 'h2c'],
  ['Connection', 'close'],
  ['Last-Event-ID', 'default-99999999999999999999'],
  ['Authorization', 'Bearer \x7f'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Referer', 'http://[::1'],
];

function someHeaders(random: Random): Headers {
  if (random.isTrue(0.7)) return [];
  const chosen = Array.from({ length: random.integer(1, 4) }, () => random.pick(extraHeaders));
  return random.isTrue(0.05)
    ? [...chosen, ...Array.from({ length: 300 }, (_, number) => [`X-H-${number}`, 'v'] as const)]
    : chosen;
}

function aCall(random: Random, kind: string): HostileRequest {
  const { path, body } = callParts(random);
  const isSteered = random.isTrue(0.1);
  const headers = [
    ...someKey(random, random.pick(isSteered ? steered : calm)),
    ['Content-Type', 'application/json'] as const,
    ...someHeaders(random),
  ];
  // Its name is also one of the odd segments, so that its control plane is attacked, too.
  const isOdd = headers.some(([, value]) => value.startsWith('sbx_constructor_'));
  const mayFail = isSteered || isOdd || waits(body);
  return whole(kind, { method: 'POST', target: path, headers, body }, { mayWait: mayFail, mayEnd: mayFail });
}

function callParts(random: Random): { readonly path: string; readonly body: Buffer } {
  const { path, bodies } = random.pick(routes.filter(({ area }) => area === 'public'));
  const query = random.isTrue(0.1) ? `?${someQuery(random)}` : '';
  return { path: `${path}${query}`, body: asBytes(random, mutatedJson(random, random.pick(bodies))) };
}

function aControlRequest(random: Random, kind: string): HostileRequest {
  const { method, path, bodies } = random.pick(routes.filter(({ area }) => area === 'control'));
  const example = bodies.length === 0 ? undefined : random.pick(bodies);
  const body =
    example === undefined && random.isTrue(0.8)
      ? undefined
      : asBytes(random, mutatedJson(random, example ?? { a: [1] }));
  const type: Headers =
    body === undefined
      ? []
      : [
          [
            'Content-Type',
            random.pick(['application/json', 'application/json', 'application/merge-patch+json']),
          ],
        ];
  const target = disturbed(random, filled(random, path), 0.2);
  return whole(
    kind,
    { method, target, headers: [...type, ...someHeaders(random)], ...withBody(body) },
    { mayWait: waits(body) },
  );
}

function aPageRequest(random: Random, kind: string): HostileRequest {
  const start = random.isTrue(0.5)
    ? random.pick(routes.filter(({ area }) => area === 'page')).path
    : `${random.pick(folders)}${someSegment(random)}`;
  const target = disturbed(random, start, 0.8);
  const wantsProblem = !target.startsWith('/public/');
  return whole(
    kind,
    {
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST']),
      target,
      headers: someHeaders(random),
    },
    { wantsProblem },
  );
}

/** A path of the documents with values in the place of its parameters, sometimes odd ones. */
function filled(random: Random, path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random.isTrue(0.15)) return someSegment(random);
    return random.pick(name === 'id' ? steered : (parameterValues[name] ?? ['a']));
  });
}

const segments = [
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '%00',
  'a%00.html',
  '%',
  '%zz',
  '%ff%fe',
  '%c0%ae%c0%ae',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  'toString',
  ';a=b',
  ':id',
  '{id}',
  '*',
  '(.*)',
  '\xff\xfe',
  '"<>`',
  'a'.repeat(3000),
  '%41'.repeat(2000),
  'index.html',
  'playlist.m3u8',
  'download.mp4',
];

function someSegment(random: Random): string {
  return random.isTrue(0.2)
    ? encodeURIComponent(String.fromCodePoint(random.integer(1, 0xd7ff)))
    : random.pick(segments);
}

/** Sometimes another form of the target. */
function disturbed(random: Random, target: string, probability: number): string {
  if (!random.isTrue(probability)) return target;
  switch (
    random.weighted({ query: 5, slash: 2, double: 2, up: 3, more: 4, upper: 1, absolute: 2, fragment: 1 })
  ) {
    case 'query':
      return `${target}?${someQuery(random)}`;
    case 'slash':
      return `${target}/`;
    case 'double':
      return target.replace('/', '//');
    case 'up':
      return `${target}/${random.pick(['..', '%2e%2e', '../..', '%2E%2E%2F'])}/${someSegment(random)}`;
    case 'more':
      return `${target}/${someSegment(random)}`;
    case 'upper':
      return target.toUpperCase();
    case 'absolute':
      return `${random.pick(['http://127.0.0.1', 'http://evil.example:99999', 'http://[::1]:80:90', 'https://a@b:c', 'ftp://'])}${target}`;
    case 'fragment':
      return `${target}#a?b`;
  }
}

function someQuery(random: Random): string {
  return random.pick([
    'a',
    '=',
    '&&&&',
    'limit=-1',
    'limit=1e400',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[__proto__]=1',
    'since=default-1&limit=3',
    'since=\xff',
    'operation=__proto__',
    'outcome=%00',
    'signature=x&expires=1e400',
    'a=%',
    'a=%ff',
    `a=${'b'.repeat(6000)}`,
    Array.from({ length: 1500 }, (_, number) => `p${number}=1`).join('&'),
    `a${'[b]'.repeat(1000)}=1`,
    '__proto__[x]=1&constructor.prototype.x=1',
  ]);
}

/** A request that its client does not finish. */
function half(random: Random, kind: string): HostileRequest {
  const { path, body } = random.isTrue(0.7)
    ? callParts(random)
    : { path: '/control/sandboxes/steered-0/state', body: Buffer.from('{"collections":{}}') };
  const method = path.startsWith('/public') ? 'POST' : 'PUT';
  const parts = {
    method,
    target: path,
    headers: [...keyHeader(random.pick(calm)), ['Content-Type', 'application/json'] as const],
    body,
  };
  const all = encode(parts);
  const leaves = random.pick(['close', 'reset'] as const);
  // In the head, in the body, or right behind both, before the answer.
  return {
    kind,
    ...defaults,
    pieces: inPieces(random, all.subarray(0, random.integer(1, all.length))),
    answered: [],
    mayEnd: true,
    leaves,
  };
}

function inPieces(random: Random, bytes: Buffer): readonly Buffer[] {
  if (random.isTrue(0.6)) return [bytes];
  const at = random.integer(0, bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** The server closes the connection after a longer body, which it does not read to its end. */
const maxReadBytes = 10_485_760;

/** Many calls at once, sometimes with garbage behind them, which must not cost the calls their answers. */
function pipelined(random: Random, kind: string): HostileRequest {
  const count = random.pick([2, 3, 10, 40]);
  const calls = Array.from({ length: count }, () => {
    const { path: target, body } = callParts(random);
    // Some queries are no HTTP, and end the connection.
    const path = target.split('?')[0] ?? target;
    const isUnfit = waits(body) || body.length > maxReadBytes;
    const plain = isUnfit ? Buffer.from('{"data":[]}') : body;
    return encode({
      method: 'POST',
      target: path,
      headers: [...keyHeader(random.pick(calm)), ['Content-Type', 'application/json']],
      body: plain,
    });
  });
  const garbage = random.isTrue(0.3) ? [Buffer.from('\x16\x03\x01 garbage\r\n\r\n', 'latin1')] : [];
  return {
    kind,
    ...defaults,
    pieces: [Buffer.concat([...calls, ...garbage])],
    answered: [...calls, ...garbage].map(() => 'POST'),
  };
}

const faultParameters = [
  '',
  '; status=503',
  '; status=1e400',
  '; retry-after=0',
  '; ms=1',
  '; index=0',
  '; phase=after',
  '; phase=never',
  '; a="\\"',
  '; __proto__=1',
];

/** A call that asks for faults. */
function aFault(random: Random, kind: string): HostileRequest {
  const names = Array.from(
    { length: random.weighted({ 1: 8, 3: 2, 9: 1 }) === '1' ? 1 : random.pick([3, 21, 200]) },
    () => random.pick(faultNames),
  );
  const value = names
    .map((name) => `${name}${random.isTrue(0.4) ? random.pick(faultParameters) : ''}`)
    .join(random.isTrue(0.9) ? ', ' : ' ');
  const { path, body } = callParts(random);
  const headers = [
    ...keyHeader(random.pick(calm)),
    ['Content-Type', 'application/json'] as const,
    ['Sandbox-Fault', value] as const,
  ];
  return whole(kind, { method: 'POST', target: path, headers, body }, { mayEnd: true, mayWait: true });
}

const types = [
  '',
  'application/json; charset=utf-8',
  'application/json; charset=utf-7',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/json, text/plain',
  'text/json',
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/octet-stream',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/x-ndjson',
  'application/cbor',
  'image/png',
  '*/*',
  ';',
  '\xff/\xfe',
  `application/${'x'.repeat(3000)}`,
  'application/json; charset="\\',
];
const encodings = ['gzip', 'deflate', 'br', 'identity', 'gzip, gzip', 'nonsense', '', '\xff'];

/** A body of every type and encoding. */
function aContentType(random: Random, kind: string): HostileRequest {
  const route = random.pick(routes.filter(({ bodies }) => bodies.length > 0));
  const text = mutatedJson(random, random.pick(route.bodies));
  const isEncoded = random.isTrue(0.4);
  const encoding = random.pick(encodings);
  const body =
    isEncoded && encoding.startsWith('gzip') && random.isTrue(0.7) ? gzipSync(text) : asBytes(random, text);
  const headers = [
    ...keyHeader(random.pick(calm)),
    ['Content-Type', random.pick(types)] as const,
    ...(isEncoded ? [['Content-Encoding', encoding] as const] : []),
  ];
  return whole(
    kind,
    { method: route.method, target: filled(random, route.path), headers, body },
    { mayWait: waits(Buffer.from(text)) },
  );
}
