import { readDocument } from '../../src/contract/document.ts';
import type { OperationName } from '../../src/contract/operation-types.ts';

/** A named example of a request in the contract. */
export interface RequestExample {
  readonly summary?: string;
  readonly value: object;
  /** How many times the request is sent before it is answered as the response of the same name shows. */
  readonly 'x-after-calls'?: number;
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

const document = readDocument('learning-platform');

/** The examples of an operation's request, by name. */
export function requestExamples(operation: OperationName): Readonly<Record<string, RequestExample>> {
  return exemplified(operation).requestBody.content['application/json'].examples ?? {};
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
