import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { documentText } from '../../src/contract/document.ts';
import { controlRoutes } from '../../src/control/routes.ts';
import { ask, askControl, controlOperations, type ControlOperation } from '../support/control.ts';
import { serve } from '../support/serve.ts';
import { sharedServer, world } from '../support/world.ts';

const stream = '/control/sandboxes/{sandboxId}/journal/stream';

const nameOf = ({ method, path }: Pick<ControlOperation, 'method' | 'path'>): string => `${method} ${path}`;
const named = controlOperations.map((operation) => [nameOf(operation), operation] as const);
const withBody = named.filter(([, { requestBody }]) => requestBody !== undefined);
/** Those that need something special have a test of their own. */
const special: ReadonlySet<string> = new Set([stream, '/control/sandboxes/{sandboxId}/token']);
const withoutBody = named.filter(
  ([, { requestBody, path }]) => requestBody === undefined && !special.has(path),
);
const ofOneSandbox = named.filter(([, { path }]) => path.includes('{sandboxId}'));
/** Those that refuse conditions, because they change something other than a record. */
const conditional = named.filter(([, { method, path }]) => method !== 'GET' && !path.includes('{recordId}'));

/** Where an operation can be tried without harm. */
interface Place {
  readonly url: string;
  /** The path with the examples of its parameters. */
  readonly target: string;
}

/**
 * A sandbox of its own, which has what the examples of the parameters name; for what is about no sandbox, a
 * server of its own.
 */
async function placeFor({ path, examplePath }: ControlOperation): Promise<Place> {
  if (!path.includes('{sandboxId}')) return { url: (await serve()).url, target: examplePath };
  const { url, sandbox, call } = await world();
  await call('get-all-instructors');
  await sandbox.snapshots.take('before-lunch');
  await sandbox.faults.add({ operation: 'get-quiz-details', fault: 'http-error', with: { status: 503 } });
  if (examplePath.endsWith('/journal/restore')) await sandbox.journal.clear();
  if (examplePath.endsWith('/faults/restore')) await sandbox.faults.clear();
  // The examples name the default sandbox, and its first exchange.
  return { url, target: examplePath.replaceAll(/(?<=\/)default(?=[/-]|$)/g, sandbox.id) };
}

async function tryOut(operation: ControlOperation, body?: unknown): Promise<Response> {
  const { url, target } = await placeFor(operation);
  return askControl(url, operation.method, target, body);
}

describe('openapi/control.yaml and the table of routes', () => {
  it('know the same paths and methods', () => {
    expect(named.map(([name]) => name).toSorted()).toEqual(controlRoutes.map(nameOf).toSorted());
  });

  it.each(named)('say what %s does, in a line and in full', (_, { summary, description }) => {
    expect(summary).toMatch(/^\p{Lu}.{5,80}$/u);
    expect(description).toMatch(/^\p{Lu}[^]{20,}\.$/u);
  });

  it.each(controlRoutes.map((route) => [nameOf(route), route] as const))(
    'agree on the body, the status and the type of the response of %s',
    (name, route) => {
      const operation = controlOperations.find((one) => nameOf(one) === name);
      const schema =
        operation?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? null;
      expect(schema).toBe(route.body);
      expect(route.sends === 'json' && route.status === 201).toBe(operation?.success === 201);
      expect(route.sends === 'journal stream').toBe(operation?.type === 'text/event-stream');
    },
  );

  it('are told by the server itself', { tags: ['slow'] }, async () => {
    const { text } = await ask('GET', '/openapi.yaml');
    expect(text).toBe(documentText('control'));
  });
});

describe('the examples of openapi/control.yaml', () => {
  const examples = withBody.flatMap(([name, operation]) =>
    Object.entries(operation.requestBody?.content['application/json']?.examples ?? {}).map(
      ([title, { value }]) => [`${name}: ${title}`, operation, value] as const,
    ),
  );

  it('are there for every body', () => {
    expect(new Set(examples.map(([, operation]) => nameOf(operation)))).toEqual(
      new Set(withBody.map(([name]) => name)),
    );
  });

  it.each(examples)('%s', { tags: ['slow'] }, async (_, operation, value) => {
    const { success } = operation;
    const reply = await tryOut(operation, value);
    expect({ status: reply.status, body: reply.status === success ? null : reply.text }).toEqual({
      status: success,
      body: null,
    });
  });
});

describe('what takes no body', () => {
  it.each(withoutBody)('%s', async (_, operation) => {
    const { success } = operation;
    const reply = await tryOut(operation);
    expect({ status: reply.status, body: reply.status === success ? null : reply.text }).toEqual({
      status: success,
      body: null,
    });
    if (success === 200) expect(reply.text).not.toBe('');
    expect(reply.type).toBe(operation.type);
  });

  it(`GET ${stream}`, async () => {
    const { url, sandbox, call } = await world();
    await call('get-all-instructors');
    const asked = new AbortController();
    const { status, headers, body } = await fetch(`${url}${stream.replace('{sandboxId}', sandbox.id)}`, {
      signal: asked.signal,
      headers: { 'Last-Event-ID': `${sandbox.id}-0` },
    });
    const first = await body?.getReader().read();
    asked.abort();
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
    });
    expect(first?.done).toBe(false);
  });
});

describe('what cannot be followed is answered with a documented problem', () => {
  it.each(ofOneSandbox)(
    '%s of a sandbox that is not there',
    async (_, { method, examplePath, requestBody }) => {
      const { url } = await sharedServer();
      const target = examplePath.replace('/sandboxes/default', '/sandboxes/nobodys');
      const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
      const reply = await askControl(url, method, target, example?.value);
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject({ detail: expect.stringContaining('There is no sandbox "nobodys".') });
    },
  );

  it.each(withBody)('%s with a list as body', async (_, operation) => {
    const reply = await tryOut(operation, []);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ violations: [{ pointer: '' }] });
  });

  it.each(withBody)('%s with half a body', async (_, operation) => {
    const { url, target } = await placeFor(operation);
    const reply = await askControl(url, operation.method, target)
      .set('Content-Type', 'application/json')
      .send('{"half":');
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ detail: expect.stringMatching(/^The body is not JSON: /) });
  });

  it.each(withBody)('%s with a body that is not declared as JSON', async (_, operation) => {
    const { url, target } = await placeFor(operation);
    const reply = await askControl(url, operation.method, target)
      .set('Content-Type', 'text/plain')
      .send('{}');
    expect(reply.status).toBe(415);
  });

  it.each(named)('%s with an unknown query parameter', async (_, operation) => {
    const { url, target } = await placeFor(operation);
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
    const reply = await askControl(url, operation.method, `${target}?no-such=1`, example?.value);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ violations: [{ pointer: '/no-such' }] });
  });

  it.each(conditional)('%s with a condition, which only records have', async (_, operation) => {
    const { url, target } = await placeFor(operation);
    const reply = await askControl(url, operation.method, target).set('If-Match', '"any"');
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ detail: expect.stringContaining('If-Match') });
  });
});
