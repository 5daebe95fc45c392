import type { Test } from 'supertest';
import type { NewSandbox, SandboxServer, StartOptions } from '../../src/index.ts';
import { expectDocumented, type ControlMethod } from './control.ts';
import { serve } from './serve.ts';
import { checked, supertest } from './supertest.ts';

export const operatorToken = 'operator-7';
export const tokenSecret = 'a-secret-of-at-least-32-characters';

/** A server whose sandboxes have tokens of their own. */
export interface Hosted extends SandboxServer {
  /** A request to the control plane, with a token where one is given. Its reply is held against the contract. */
  ask(token: string | null, method: ControlMethod | 'HEAD', path: string, body?: unknown): Test;
  /** Creates a sandbox as the operator. */
  add(request?: NewSandbox): Promise<Tenant>;
}

/** What a host hands to a tenant. */
export interface Tenant {
  readonly id: string;
  readonly token: string;
  /** Where the routes of the sandbox begin. */
  readonly path: string;
}

export async function hosted(options: StartOptions = {}): Promise<Hosted> {
  const server = await serve({ controlToken: operatorToken, tokenSecret, ...options });
  const url = server.control.url ?? '';
  const ask: Hosted['ask'] = (token, method, path, body) => {
    // The names of HTTP's methods are ASCII.
    const asked = supertest(url)[method.toLowerCase() as Lowercase<typeof method>](path);
    if (method !== 'HEAD') checked(asked, (reply) => expectDocumented(method, path, reply));
    if (token !== null) asked.set('Authorization', `Bearer ${token}`);
    return body === undefined
      ? asked
      : asked.set('Content-Type', 'application/json').send(JSON.stringify(body));
  };
  const add: Hosted['add'] = async (request = {}) => {
    const { body } = await ask(operatorToken, 'POST', '/control/sandboxes', request).expect(201);
    // Held against the contract before.
    const { id, token } = body as { readonly id: string; readonly token: string };
    return { id, token, path: `/control/sandboxes/${id}` };
  };
  return { ...server, ask, add };
}
