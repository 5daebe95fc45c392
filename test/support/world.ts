import type { Response, Test } from 'supertest';
import { startSandbox, type NewSandbox, type SandboxHandle, type SandboxServer } from '../../src/index.ts';
import { expectContractual } from './contract.ts';
import { checked, supertest } from './supertest.ts';

/** One server for all tests of a thread: each test has a sandbox of its own in it. */
let shared: Promise<SandboxServer> | null = null;

export function sharedServer(): Promise<SandboxServer> {
  return (shared ??= startSandbox({ port: 0 }));
}

/** A sandbox of its own, and the ways to call it. */
export interface World {
  readonly url: string;
  readonly sandbox: SandboxHandle;
  /** One element, as a school (Riverside where none is named). Every reply is held against the contract. */
  call(operation: string, parameters?: object, school?: string): Test;
  /** Several elements in one call. */
  batch(operation: string, elements: readonly unknown[], school?: string): Test;
  /** A request without a key, to be completed by the test. */
  post(operation: string): Test;
}

export async function world(request: NewSandbox = {}): Promise<World> {
  const { url, createSandbox } = await sharedServer();
  const sandbox = await createSandbox(request);
  const post = (operation: string): Test =>
    checked(supertest(url).post(`/public/${operation}`), (response) =>
      expectContractual(operation, response),
    );
  const batch = (operation: string, elements: readonly unknown[], school = 'riverside'): Test =>
    post(operation)
      .set('SERVICE-API-KEY', sandbox.apiKey(school))
      .send({ data: elements.map((data) => ({ data })) });
  return {
    url,
    sandbox,
    post,
    batch,
    call: (operation, parameters = {}, school) => batch(operation, [parameters], school),
  };
}

/** The result of the only element of a reply. Throws where it failed. */
export function resultOf(response: Response): Record<string, unknown> {
  const [output] = outputsOf(response);
  if (output?.status !== 'ok')
    throw new Error(`Expected an ok output, got ${response.status} ${response.text}`);
  return output.data;
}

/** The error message of the only element of a reply. Throws where it succeeded. */
export function failureOf(response: Response): string {
  const [output] = outputsOf(response);
  if (output?.status !== 'error')
    throw new Error(`Expected an error output, got ${response.status} ${response.text}`);
  return output.errorMessage;
}

type Output = { status: 'ok'; data: Record<string, unknown> } | { status: 'error'; errorMessage: string };

/** The outputs of a reply, in order. */
export function outputsOf(response: Response): readonly Output[] {
  // Held against the contract before, by `post`.
  return (response.body as { output: Output }[]).map(({ output }) => output);
}
