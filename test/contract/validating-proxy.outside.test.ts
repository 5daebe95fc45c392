import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { startSandbox, type PartialOptions, type ProfileName } from '../../src/index.ts';
import { requestExamples } from '../support/examples.ts';
import { sharedServer, world } from '../support/world.ts';

/**
 * What Prism, which knows nothing of this project but its served document, says of an exchange that went
 * through it.
 */
interface Verdict {
  readonly status: number;
  readonly aboutRequest: readonly string[];
  readonly aboutResponse: readonly string[];
}

let operations: Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;
beforeAll(async () => {
  const { url } = await sharedServer();
  const { body } = await supertest(url).get('/openapi.json').expect(200);
  operations = await getHttpOperationsFromSpec(body as object);
});

const said = (): void => {};
const quiet = {
  child: () => quiet,
  trace: said,
  debug: said,
  info: said,
  success: said,
  warn: said,
  error: said,
};
// The whole of the logger that Prism uses; pino's own has much more.
const logger = quiet as unknown as Parameters<typeof createInstance>[1]['logger'];

type Headers = Record<string, string>;

async function throughProxy(
  upstream: string,
  operation: OperationName,
  headers: Headers,
  body: unknown,
): Promise<Verdict> {
  const settings = {
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
  };
  const proxy = createInstance(
    { ...settings, isProxy: true, upstream: new URL(upstream), mock: { dynamic: false } },
    { logger },
  );
  const request = { method: 'post' as const, url: { path: `/public/${operation}` }, headers, body };
  const exchange = await proxy.request(request, operations)();
  if ('left' in exchange) throw exchange.left;
  const { output, validations } = exchange.right;
  const [aboutRequest, aboutResponse] = [validations.input, validations.output].map((list) =>
    list.map(({ message }) => message),
  );
  return { status: output.statusCode, aboutRequest: aboutRequest ?? [], aboutResponse: aboutResponse ?? [] };
}

// Prism expects the names of headers in lower case, as a server reads them.
const json = { 'content-type': 'application/json' };
const keyed = (key: string, headers: Headers = json): Headers => ({ ...headers, 'service-api-key': key });
const examplesOf = (operation: OperationName) => Object.entries(requestExamples(operation));
const anExampleOf = (operation: OperationName): unknown => examplesOf(operation)[0]?.[1].value;

describe('a validating proxy in front of the sandbox', () => {
  it('notices an answer that breaks the contract, so that its silence means something', async () => {
    const broken = createServer((_, response) => {
      response
        .setHeader('Content-Type', 'application/json')
        .end('[{"output":{"status":"ok","data":{"quizTitle":7}}}]');
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    try {
      // Listening on a port, so its address is not the path of a pipe.
      const { port } = broken.address() as AddressInfo;
      const verdict = await throughProxy(
        `http://127.0.0.1:${port}`,
        'get-quiz-details',
        keyed('any'),
        anExampleOf('get-quiz-details'),
      );
      expect(verdict.aboutResponse.join('\n')).toContain('createdAtIso');
      expect(verdict.aboutResponse.join('\n')).toContain("'sandbox-request-id'");
    } finally {
      broken.close();
    }
  });

  const examples = operationNames.flatMap((operation) =>
    examplesOf(operation).map(([name, { value }]) => ({ operation, name, value })),
  );
  it.each(examples)('finds nothing wrong with $operation: $name', async ({ operation, value }) => {
    const { url, sandbox } = await world();
    const verdict = await throughProxy(url, operation, keyed(sandbox.apiKey('riverside')), value);
    expect(verdict).toEqual({ status: 200, aboutRequest: [], aboutResponse: [] });
  });
});

describe.each(operationNames)('a validating proxy in front of %s', (operation) => {
  const tooLarge = { data: [{ data: {} }], padding: 'x'.repeat(110_000) };
  const refusals: readonly [number, string, PartialOptions, Headers | null, unknown][] = [
    [400, 'a body that is not JSON', {}, json, '{"data":'],
    [400, 'an element without data', {}, json, { data: [{}] }],
    [401, 'a call without a key', {}, null, { data: [{ data: {} }] }],
    [413, 'a body that is too large', { maxPayload: '100kb' }, json, tooLarge],
    [415, 'a body that is not declared as JSON', {}, { 'content-type': 'text/plain' }, '{"data":[]}'],
  ];

  it.each(refusals)(
    'finds nothing wrong with the %i of %s',
    async (status, _, assumptions, headers, body) => {
      const { url, sandbox } = await world({ assumptions });
      const verdict = await throughProxy(
        url,
        operation,
        headers === null ? json : keyed(sandbox.apiKey('riverside'), headers),
        body,
      );
      expect(verdict).toMatchObject({ status, aboutResponse: [] });
    },
  );

  it('finds nothing wrong with the 429 of a call over the limit', async () => {
    // So small a scale leaves each operation one call per window.
    await using server = await startSandbox({ port: 0, limits: 0.01 });
    const call = (): Promise<Verdict> =>
      throughProxy(server.url, operation, keyed('sbx_default_riverside'), anExampleOf(operation));
    expect(await call()).toEqual({ status: 200, aboutRequest: [], aboutResponse: [] });
    expect(await call()).toEqual({ status: 429, aboutRequest: [], aboutResponse: [] });
  });

  // Not `problem-json`: Prism takes application/problem+json for application/json, and holds it against that
  // schema.
  it.each<ProfileName>(['conventional', 'always-200', 'gateway', 'strict'])(
    'finds nothing wrong with any answer under the profile %s',
    async (profile) => {
      const { url, sandbox } = await world({ profile });
      const key = keyed(sandbox.apiKey('riverside'));
      const verdicts = [
        await throughProxy(url, operation, json, anExampleOf(operation)),
        await throughProxy(url, operation, key, { data: 'none' }),
      ];
      for (const [, { value }] of examplesOf(operation))
        verdicts.push(await throughProxy(url, operation, key, value));
      expect(verdicts.flatMap(({ aboutResponse }) => aboutResponse)).toEqual([]);
    },
  );
});

describe('a validating proxy in front of a record that is not there', () => {
  const unknown = operationNames.flatMap((operation) =>
    examplesOf(operation).flatMap(([name, { value }]) =>
      name.startsWith('unknown') ? [{ operation, name, value }] : [],
    ),
  );

  it('meets every operation that takes an identifier, and the library with its folders', () => {
    // So that the next test cannot pass by finding none.
    expect(operationNames.filter((name) => unknown.some(({ operation }) => operation === name))).toEqual([
      'get-quiz-details',
      'update-digital-product-coupon',
      'update-interactive-coding-lab',
      'submit-user-course-item',
      'get-video-library',
      'get-signed-url-data-for-live-event-session-playback',
      'list-assignments',
      'get-course-item-data',
    ]);
  });

  it.each(unknown)('finds nothing wrong with the 404 of $operation: $name', async ({ operation, value }) => {
    const { url, sandbox } = await world({ assumptions: { unknownId: 'http-404' } });
    const verdict = await throughProxy(url, operation, keyed(sandbox.apiKey('riverside')), value);
    expect(verdict).toEqual({ status: 404, aboutRequest: [], aboutResponse: [] });
  });
});
