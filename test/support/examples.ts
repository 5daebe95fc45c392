import { contract as document } from './documents.ts';
import type { OperationName } from '../../src/contract/operation-types.ts';

/** A named example of a request in the contract. */
export interface RequestExample {
  readonly summary?: string | undefined;
  readonly value: object;
}

/** A named example of a response in the contract. */
export interface ResponseExample {
  readonly name: string;
  readonly status: number;
  readonly summary?: string;
  readonly value: readonly { readonly output: { readonly status: string } }[];
}

interface Content<E> {
  readonly 'application/json': { readonly examples?: Readonly<Record<string, E>> };
}
interface Replies {
  readonly [status: string]: {
    readonly $ref?: string;
    readonly content?: Content<Omit<ResponseExample, 'name' | 'status'>>;
  };
}
interface Exemplified {
  readonly requestBody: { readonly content: Content<RequestExample> };
  readonly responses: Replies;
}

/** The moment that the examples show; the seed's sessions are relative to it. */
export const moment = '2026-10-12T16:00:00.000Z';

/** The examples of an operation's request, by name. */
export function requestExamples(operation: OperationName): Readonly<Record<string, RequestExample>> {
  return exemplified(operation).requestBody.content['application/json'].examples ?? {};
}

/** The same, and for each refusal of a call too many, the first request under the name of the response. */
export function sentExamples(operation: OperationName): Readonly<Record<string, RequestExample>> {
  const requests = requestExamples(operation);
  const [first] = Object.values(requests);
  if (first === undefined) return requests;
  const throttled = responseExamples(operation).filter(({ status }) => status === 429);
  return {
    ...requests,
    ...Object.fromEntries(throttled.map(({ name, summary }) => [name, { summary, value: first.value }])),
  };
}

/** The examples of an operation's responses, whatever their status. */
export function responseExamples(operation: OperationName): readonly ResponseExample[] {
  return Object.entries(exemplified(operation).responses).flatMap(([status, reply]) =>
    Object.entries(resolve(reply).content?.['application/json'].examples ?? {}).map(([name, example]) => ({
      ...example,
      name,
      status: Number(status),
    })),
  );
}

/** Signatures and keys follow from how the sandbox makes them, which an example does not promise. */
export function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/signature=[0-9a-f]{64}/g, 'signature=…')
    .replaceAll(/(?<="clearkeyDecryptionKeyInHex":")[0-9a-f]{32}(?=")/g, '…');
  return JSON.parse(text);
}

function exemplified(operation: OperationName): Exemplified {
  // `readDocument` types what the server reads; a test looks further.
  return document.paths[`/public/${operation}`]?.post as unknown as Exemplified;
}

function resolve(reply: Replies[string]): Replies[string] {
  const name = reply.$ref?.split('/').at(-1);
  // The same, for the shared responses.
  const shared = (document.components as unknown as { readonly responses: Replies }).responses;
  return name === undefined ? reply : (shared[name] ?? reply);
}
