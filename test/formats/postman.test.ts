import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/base/group-by.ts';
import { contract } from '../support/documents.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { sentExamples, responseExamples } from '../support/examples.ts';
import { supertest } from '../support/supertest.ts';
import { sharedServer } from '../support/world.ts';

interface Event {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}
interface Request {
  readonly url: { readonly raw: string; readonly host: readonly string[]; readonly path: readonly string[] };
  readonly body: { readonly raw: string };
  readonly auth?: object;
}
interface Item {
  readonly name: string;
  readonly event: readonly Event[];
  readonly request: Request;
  readonly response: readonly {
    readonly code: number;
    readonly body: string;
    readonly originalRequest: Request;
  }[];
}
interface Folder<I> {
  readonly name: string;
  readonly item: readonly I[];
}
interface Collection {
  readonly info: { readonly schema: string };
  readonly auth: object;
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Folder<Folder<Item>>[];
}

/** The operations in the order of the contract. `contract` has the types of what the server reads; a test looks further. */
const documentedOperations = Object.values(contract.paths).map(
  ({ post }) => post as unknown as { readonly tags: readonly string[]; readonly summary: string },
);

const text = readFileSync('examples/postman.json', 'utf8');
// The project's own file, which newman reads in another test.
const collection = JSON.parse(text) as Collection;
const items = collection.item.flatMap((tag) => tag.item.flatMap(({ item }) => item));

function itemsOf(operation: string): readonly Item[] {
  return items.filter(({ request }) => request.url.path.at(-1) === operation);
}

describe('the Postman collection', () => {
  it('is of the format v2.1', () => {
    expect(collection.info.schema).toBe(
      'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    );
  });

  it.each(operationNames)('has every example of %s as a request with its answer', (operation) => {
    const answers = new Map(responseExamples(operation).map((answer) => [answer.name, answer]));
    const expected = Object.entries(sentExamples(operation)).map(([name, { summary, value }]) => {
      const { status, value: body } = answers.get(name) ?? {};
      return { name: summary, sent: value, code: status, body };
    });
    const shown = itemsOf(operation).map(({ name, request, response: [answer] }) => {
      expect(answer?.originalRequest.body).toEqual(request.body);
      const [sent, body]: readonly unknown[] = [request.body.raw, answer?.body ?? ''].map((one) =>
        JSON.parse(one),
      );
      return { name, sent, code: answer?.code, body };
    });
    expect(shown).toEqual(expected);
  });

  it('has each of them once, by tag and operation', () => {
    expect(items).toHaveLength(
      operationNames.reduce((sum, operation) => sum + Object.keys(sentExamples(operation)).length, 0),
    );
    const shown = collection.item.map(({ name, item }) => [name, item.map((folder) => folder.name)] as const);
    const documented = [...groupBy(documentedOperations, ({ tags: [first = ''] }) => first)].map(
      ([tag, operations]) => [tag, operations.map(({ summary }) => summary)] as const,
    );
    expect(new Map(shown)).toEqual(new Map(documented));
  });

  it('has an address and keys of the demo as variables, and uses no other', () => {
    const variables = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
    expect(variables).toEqual({
      baseUrl: 'http://127.0.0.1:4010',
      apiKey: 'sbx_default_riverside',
      throttledApiKey: 'sbx_throttled_riverside',
    });
    const used = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(variables).toSorted());
  });

  it('keeps what uses a limit up away from the other requests', () => {
    const throttled = items.filter(({ event }) => event.some(({ listen }) => listen === 'prerequest'));
    const expected = operationNames.filter((operation) =>
      responseExamples(operation).some(({ status }) => status === 429),
    );
    expect(expected).not.toEqual([]);
    expect(new Set(throttled.map(({ request }) => request.url.path.at(-1)))).toEqual(new Set(expected));
    expect(items.filter(({ request }) => request.auth !== undefined)).toEqual(throttled);
    for (const { request } of throttled)
      expect(JSON.stringify(request.auth)).toContain('{{throttledApiKey}}');
  });

  it('is served to be saved, with the address of the server that is asked', async () => {
    const { url } = await sharedServer();
    const { body, headers } = await supertest(url).get('/docs/postman.json').expect(200);
    expect(body).toEqual(JSON.parse(text.replaceAll('http://127.0.0.1:4010', url)));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-disposition']).toBe(
      'attachment; filename=learning-platform.postman_collection.json',
    );
  });
});
