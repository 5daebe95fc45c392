import { Agent } from 'node:http';
import plain, { type Response, type Test } from 'supertest';

/**
 * Connections that calls take turns to use. Without them, each call opens one of its own, which takes a third
 * of the call's time.
 */
const agent = new Agent({ keepAlive: true });

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';

/**
 * Like supertest itself, but keeps connections, as clients do. Where connections matter, use supertest
 * itself.
 */
export function supertest(url: string): { readonly [M in Method]: (path: string) => Test } {
  const requests = plain(url);
  const send = (method: Method) => (path: string) => requests[method](path).agent(agent);
  return {
    get: send('get'),
    head: send('head'),
    post: send('post'),
    put: send('put'),
    patch: send('patch'),
    delete: send('delete'),
    options: send('options'),
  };
}

/**
 * Adds a check of the reply. Supertest notes a stack trace for each, which takes longer than most checks;
 * this one goes without.
 */
export function checked(request: Test, check: (reply: Response) => void): Test {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return request.expect(check);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
