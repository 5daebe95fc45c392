import { readFileSync } from 'node:fs';
import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { moment, sentExamples, responseExamples, withoutSecrets } from '../support/examples.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { sharedServer } from '../support/world.ts';

/** A request of the file, with its variables in place, and what the comment above it says of the answer. */
interface Request {
  readonly name: string;
  readonly said: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Reads what REST Client and the IDEs of JetBrains have in common. Throws for what they would not understand.
 */
function parse(text: string, given: Readonly<Record<string, string>> = {}): readonly Request[] {
  const [head = '', ...blocks] = text.split(/^###.*\n/m);
  const variables = new Map(
    [...head.matchAll(/^@(\w+) = (\S+)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  );
  for (const [name, value] of Object.entries(given)) variables.set(name, value);
  return blocks.map((block) => {
    const filled = block.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = variables.get(name);
      if (value === undefined) throw new Error(`The file knows no variable "${name}".`);
      return value;
    });
    const shape = /^((?:# .*\n)+)([A-Z]+) (\S+)\n((?:[\w-]+: .*\n)+)\n([^]+)$/;
    const [, comments = '', method = '', url = '', headers = '', body = ''] = shape.exec(filled) ?? [];
    if (body === '') throw new Error(`This is no request: ${filled}`);
    const [, name = ''] = /^# @name (\w+)$/m.exec(comments) ?? [];
    const [, said = ''] = /^# (Response.*)$/m.exec(comments) ?? [];
    return {
      name,
      said,
      method,
      url,
      headers: Object.fromEntries(headers.trim().split('\n').map(asHeader)),
      body: body.trim(),
    };
  });
}

function asHeader(line: string): readonly [string, string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at), line.slice(at + 2)];
}

const file = readFileSync('examples/requests.http', 'utf8');

/** Every example of the contract, by the name that its request has in the file. */
const examples = operationNames.flatMap((operation) =>
  Object.entries(sentExamples(operation)).map(([name, { value }]) => {
    const answer = responseExamples(operation).find((one) => one.name === name);
    return { operation, name: `${inCamelCase(operation)}_${name}`, value, answer };
  }),
);

function inCamelCase(operation: OperationName): string {
  return operation.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Sends a request of the file to a server that nobody has called yet, as it stands but for the server's
 * address.
 */
async function send(
  name: string,
): Promise<{ readonly status: number; readonly value: unknown; readonly said: string }> {
  const server = await serve();
  const throttled = await server.createSandbox({ id: 'throttled' });
  for (const sandbox of [server.default, throttled]) {
    await sandbox.clock.set({ mode: 'frozen', now: moment });
    await sandbox.reset();
  }
  const request = parse(file, { baseUrl: server.url }).find((one) => one.name === name);
  if (request === undefined) throw new Error(`The file has no request "${name}".`);
  const [, before = '0'] = /after (\d+) calls within 60 s/.exec(request.said) ?? [];
  const { pathname, origin } = new URL(request.url);
  const once = (): Test => supertest(origin).post(pathname).set(request.headers).send(request.body);
  for (let call = 0; call < Number(before); call += 1) await once().expect(200);
  const { status, text } = await once();
  return {
    status,
    value: withoutSecrets(JSON.parse(text.replaceAll(server.url, 'http://127.0.0.1:4010'))),
    said: request.said,
  };
}

describe('the .http file', () => {
  it('has a request for every example of the contract, each with a name of its own, and no other', () => {
    const names = parse(file).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names.toSorted()).toEqual(examples.map(({ name }) => name).toSorted());
    expect(parse(file).every(({ method }) => method === 'POST')).toBe(true);
  });

  it.each(examples)(
    'has $name, which is answered as the contract shows and as the comment says',
    async ({ name, answer }) => {
      const { status, value, said } = await send(name);
      expect({ status, value }).toEqual({ status: answer?.status, value: withoutSecrets(answer?.value) });
      expect(said).toMatch(
        new RegExp(`: HTTP ${status}, ${answer?.value.map(({ output }) => output.status).join(', ')}$`),
      );
    },
  );

  it('asks by default for the address and the key that a server starts with', () => {
    const [first] = parse(file);
    expect(first).toMatchObject({ url: 'http://127.0.0.1:4010/public/get-quiz-details' });
    expect(first?.headers).toEqual({
      'Content-Type': 'application/json',
      'SERVICE-API-KEY': 'sbx_default_riverside',
    });
  });

  it('keeps what uses a limit up in a sandbox of its own', () => {
    const apart = parse(file).filter(
      ({ headers }) => headers['SERVICE-API-KEY'] === 'sbx_throttled_riverside',
    );
    const throttled = examples.filter(({ answer }) => answer?.status === 429);
    expect(throttled).not.toEqual([]);
    expect(apart.map(({ name }) => name).toSorted()).toEqual(throttled.map(({ name }) => name).toSorted());
  });

  it('is served to be saved, with the address of the server that is asked', async () => {
    const { url } = await sharedServer();
    const { text, headers } = await supertest(url).get('/docs/requests.http').expect(200);
    expect(text).toBe(file.replaceAll('http://127.0.0.1:4010', url));
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename=learning-platform.http');
  });
});
