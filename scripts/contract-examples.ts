import { operationOf, type OpenApiDocument } from '../src/contract/openapi.ts';

/** A named example of a request, with the response of the same name. */
export interface Exchange {
  readonly name: string;
  readonly summary: string;
  readonly description: string | null;
  readonly request: object;
  readonly status: number;
  readonly response: readonly { readonly output: { readonly status: string } }[];
  /** How many times the request is sent before it gets this response. */
  readonly callsBefore: number;
}

/** An operation with its examples. */
export interface Exemplified {
  readonly operation: string;
  readonly operationId: string;
  readonly path: string;
  /** Its first tag. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly limit: { readonly requests: number; readonly windowSeconds: number } | null;
  readonly exchanges: readonly [Exchange, ...Exchange[]];
}

/** The parts of the contract that formats for other tools contain. */
export interface ContractExamples {
  readonly title: string;
  readonly summary: string;
  readonly version: string;
  /** The default URL of the sandbox. */
  readonly baseUrl: string;
  readonly header: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Exemplified[];
}

interface Example<V> {
  readonly summary: string;
  readonly description?: string;
  readonly value: V;
}
interface Content<V> {
  readonly 'application/json': { readonly examples?: Readonly<Record<string, Example<V>>> };
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string, ...string[]];
  readonly summary: string;
  readonly description: string;
  readonly 'x-rate-limit'?: Exemplified['limit'];
  readonly requestBody: { readonly content: Content<object> };
  readonly responses: Readonly<Record<string, { readonly content?: Content<Exchange['response']> }>>;
}
interface Contract {
  readonly info: { readonly title: string; readonly summary: string; readonly version: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: ContractExamples['tags'];
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly securitySchemes: { readonly apiKey: { readonly name: string } } };
}

/** The key of the demo school, which all examples use. */
export const demoKey = 'sbx_default_riverside';

/** A key of the same school in a separate sandbox, for examples that exceed a rate limit. */
export const throttledKey = 'sbx_throttled_riverside';

/** Reads the examples out of the contract. Throws if a request has no response of the same name. */
export function contractExamples(document: OpenApiDocument): ContractExamples {
  // `OpenApiDocument` types what the server reads; other tools show more.
  const { info, servers, tags, paths, components } = document as unknown as Contract;
  return {
    title: info.title,
    summary: info.summary,
    version: info.version,
    baseUrl: servers[0].url,
    header: components.securitySchemes.apiKey.name,
    tags,
    operations: Object.entries(paths).map(([path, { post }]) => exemplified(path, post)),
  };
}

function exemplified(path: string, post: Operation): Exemplified {
  const requests = Object.entries(post.requestBody.content['application/json'].examples ?? {});
  const [first, ...more] = requests.map(([name, example]) => exchange(path, post, name, example));
  if (first === undefined) throw new Error(`The contract has no example of a request at ${path}.`);
  return {
    operation: operationOf(path),
    operationId: post.operationId,
    path,
    tag: post.tags[0],
    summary: post.summary,
    description: post.description,
    limit: post['x-rate-limit'] ?? null,
    exchanges: [first, ...more, ...throttled(post, first)],
  };
}

function exchange(path: string, post: Operation, name: string, example: Example<object>): Exchange {
  const { summary, description = null, value: request } = example;
  for (const [status, { content }] of Object.entries(post.responses)) {
    const response = content?.['application/json'].examples?.[name]?.value;
    if (response !== undefined)
      return { name, summary, description, request, status: Number(status), response, callsBefore: 0 };
  }
  throw new Error(`The contract has no answer to the example "${name}" of ${path}.`);
}

/**
 * The calls that are refused because the limit is used up. Other tools send each example once, so these calls
 * are not request examples.
 */
function throttled(
  { responses, 'x-rate-limit': limit }: Operation,
  { request }: Exchange,
): readonly Exchange[] {
  const examples = Object.entries(responses['429']?.content?.['application/json'].examples ?? {});
  if (limit === undefined || limit === null) return [];
  const { requests: callsBefore } = limit;
  return examples.map(([name, { summary, value: response }]) => ({
    name,
    summary,
    description: `The rate limit allows ${callsBefore} calls. The next one is refused with HTTP 429.`,
    request,
    status: 429,
    response,
    callsBefore,
  }));
}

/** The body of a request as text. Throws if a tool would mistake a part of it for one of its variables. */
export function bodyText(request: object): string {
  const text = JSON.stringify(request, null, 2);
  if (text.includes('{{')) throw new Error(`Tools would look for a variable in ${text}.`);
  return text;
}
