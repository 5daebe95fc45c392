import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { operationFacts } from '../../src/contract/generated/facts.ts';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { startSandbox } from '../../src/index.ts';
import {
  moment,
  requestExamples,
  responseExamples,
  withoutSecrets,
  type RequestExample,
} from '../support/examples.ts';
import { supertest } from '../support/supertest.ts';

/** The host that the examples show: a sandbox names the one by which it was asked. */
const host = '127.0.0.1:4010';

/** What a sandbox answers to an example that so many calls have preceded. */
async function answerTo(operation: OperationName, { value }: RequestExample, before = 0) {
  await using server = await startSandbox({ port: 0 });
  await server.default.clock.set({ mode: 'frozen', now: moment });
  await server.default.reset();
  const send = (): Test =>
    supertest(server.url)
      .post(`/public/${operation}`)
      .set('Host', host)
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send(value);
  for (let call = 0; call < before; call += 1) await send().expect(200);
  const { status, body } = await send();
  return { status, value: withoutSecrets(body) };
}

function outputsOf(operation: OperationName): readonly (readonly string[])[] {
  return responseExamples(operation).map(({ value }) => value.map(({ output }) => output.status));
}

describe.each(operationNames)('the examples of %s', (operation) => {
  const requests = requestExamples(operation);
  const responses = responseExamples(operation);

  it('pair each request with one response of its name, and none is left over', () => {
    const others = responses.filter(({ status }) => status !== 429);
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(requests).toSorted());
  });

  it('show a success and a failure', () => {
    expect(outputsOf(operation)).toContainEqual(['ok']);
    expect(outputsOf(operation)).toContainEqual(['error']);
  });

  it('say in a line what they show', () => {
    for (const { summary } of [...Object.values(requests), ...responses])
      expect(summary).toMatch(/^\p{Lu}.{8,80}$/u);
  });

  it.each(Object.entries(requests))('are true: %s', async (name, request) => {
    const documented = responses.find((response) => response.name === name);
    expect(await answerTo(operation, request)).toEqual({
      status: documented?.status,
      value: withoutSecrets(documented?.value),
    });
  });
});

describe('the examples together', () => {
  it.each(
    operationNames.flatMap((operation) =>
      responseExamples(operation).flatMap(({ status, value }) =>
        status === 429 ? [[operation, value] as const] : [],
      ),
    ),
  )('show what %s answers to one call too many', { tags: ['slow'] }, async (operation, value) => {
    const [request] = Object.values(requestExamples(operation));
    if (request === undefined) throw new Error('It has no example of a request.');
    const before = operationFacts[operation].limit?.requests ?? 0;
    expect(await answerTo(operation, request, before)).toEqual({ status: 429, value });
  });

  it('begin with a request, in the text about the API, that succeeds', { tags: ['slow'] }, async () => {
    await using server = await startSandbox({ port: 0 });
    const { body } = await supertest(server.url).get('/openapi.json');
    // A test of the served document checks its type.
    const { description } = (body as { info: { description: string } }).info;
    const [, request = ''] = /^ {4}(\{ "data": \[.*)$/m.exec(description) ?? [];
    const reply = await supertest(server.url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send(JSON.parse(request) as object);
    expect(reply.body).toMatchObject([{ output: { status: 'ok' } }]);
  });

  it('show batches of which one element succeeds and another fails', () => {
    const mixed = operationNames.filter((operation) =>
      outputsOf(operation).some((outputs) => outputs.join() === 'ok,error'),
    );
    expect(mixed).toEqual(expect.arrayContaining(['get-quiz-details', 'list-assignments']));
  });
});
