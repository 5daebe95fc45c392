import { createInstance, getHttpOperationsFromSpec, type IHttpResponse, type PrismHttpComponents } from '@stoplight/prism-http';
import { contract } from './generated/contract.js';
import { parseJson } from './envelope.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { OperationName } from './operation-types.ts';
import { ReplyCheck } from './reply-check.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { describe, type Violation } from '../base/violation.ts';

/** A request or reply to check: headers by lower-case name, and the body as text, which is null if it cannot be read. */
interface CheckedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly scale: BodyScale;
}

/**
 * How thoroughly a body is checked. Prism checks only small bodies, because it checks each at once; the project itself checks the others.
 * Of large ones, it reports the first violation of each element.
 */
export type BodyScale = 'small' | 'medium' | 'large';

export interface CheckedReply extends CheckedMessage {
  readonly status: number;
}

/** A call that the proxy forwards. */
export interface PassedCall extends CheckedMessage {
  readonly operation: OperationName;
  /** The violations of its body that the sandbox explains itself. */
  readonly explained: readonly Violation[];
}

/** A reply and its violations. */
export interface Verdict<R extends CheckedReply> {
  /** Null if no reply came that can be checked. */
  readonly reply: R | null;
  readonly violations: readonly Violation[];
  /** The body of the reply. Undefined if it is not JSON. */
  readonly json: unknown;
}

/** Does sliced work. */
type Run = <T>(work: SlicedWork<T>) => Promise<T>;

/** Forwards the request, given its violations. Resolves to null if no reply came that can be checked. */
type Forward<R> = (violations: readonly Violation[]) => Promise<R | null>;

/**
 * Prism's validating proxy for the public contract. Prism checks a call and its reply; the project explains the violations of bodies
 * itself where it can. The caller forwards the call, because Prism would follow redirects with the key, replace a 501 with a generated
 * reply, and never time out.
 */
export class ValidatingProxy {
  readonly #operations: Operations;
  readonly #replies: ReplyCheck;

  private constructor(operations: Operations, replies: ReplyCheck) {
    this.#operations = operations;
    this.#replies = replies;
  }

  static async create(): Promise<ValidatingProxy> {
    // Prism resolves references in place.
    const document = structuredClone(contract);
    return new ValidatingProxy(await getHttpOperationsFromSpec(forAnyService(document)), new ReplyCheck(document));
  }

  /** Forwards a call, and checks the request and the reply. Rejects with the error of `forward`. */
  async pass<R extends CheckedReply>(call: PassedCall, forward: Forward<R>, run: Run): Promise<Verdict<R>> {
    let reply: R | null = null;
    const components: Components = {
      logger: quietLogger,
      forward:
        ({ validations }) =>
        () =>
        async () => {
          reply = await forward(requestViolations(call, validations));
          return reply === null ? noReply : { _tag: 'Right', right: asPrismReads(reply) };
        },
    };
    const request = {
      method: 'post' as const,
      url: { path: `/public/${call.operation}` },
      headers: headersOf(call),
      body: bodyOf(call, emptyBatch),
    };
    const result = await createInstance(config, components).request(request, this.#operations)();
    // The compiler does not see that the callback sets it.
    const received = reply as R | null;
    if (received === null || 'left' in result) return { reply: received, violations: [], json: undefined };
    return run(this.#judging(call.operation, received, result.right.validations.output));
  }

  *#judging<R extends CheckedReply>(operation: OperationName, reply: R, found: readonly Found[]): SlicedWork<Verdict<R>> {
    const json = reply.text === null ? undefined : parseJson(reply.text);
    if (reply.scale !== 'small') yield;
    return { reply, violations: yield* this.#replyViolations(operation, reply, json, found), json };
  }

  *#replyViolations(
    operation: OperationName,
    reply: CheckedReply,
    json: unknown,
    found: readonly Found[],
  ): SlicedWork<readonly Violation[]> {
    const documented = this.#documented(operation, reply.status);
    if (typeof documented === 'string') return [{ pointer: '', message: documented }];
    const headers = found.filter(({ path }) => path?.[0] === 'header').map(asViolation);
    // Without a body only the headers can be checked.
    if (isBareRefusal(reply)) return headers;
    if (found.some(({ path }) => path === undefined)) return [...headers, wrongType(reply, documented)];
    return [...headers, ...(yield* this.#bodyViolations(operation, reply, json, found))];
  }

  *#bodyViolations(
    operation: OperationName,
    reply: CheckedReply,
    json: unknown,
    found: readonly Found[],
  ): SlicedWork<readonly Violation[]> {
    if (reply.text === null) return [];
    const { scale } = reply;
    // Of other bodies, Prism saw none.
    const inBody = scale === 'small' ? found.filter(({ path }) => path?.[0] === 'body').map(asViolation) : [];
    if (mediaTypeOf(reply) !== 'application/json') return inBody;
    if (json === undefined) return [{ pointer: '', message: reply.text === '' ? 'is empty, but must be JSON.' : 'is not JSON.' }];
    const thoroughness = scale === 'large' ? 'first' : 'every';
    const explained = yield* this.#replies.violations(operation, json, reply.status === 200, thoroughness);
    return explained.length > 0 ? explained : inBody;
  }

  /** Returns the media types that the contract documents for a status, or a message if it does not document the status. */
  #documented(operation: OperationName, status: number): readonly string[] | string {
    const { responses = [] } = this.#operations.find(({ path }) => path === `/public/${operation}`) ?? {};
    const own = responses.find(({ code }) => code === String(status));
    if (own !== undefined) return (own.contents ?? []).map(({ mediaType }) => mediaType.replace(problemAlias, problemType));
    return `has the status ${status}, which the contract does not document here. Documented: ${responses.map(({ code }) => code).join(', ')}.`;
  }
}

type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;
type Components = Parameters<typeof createInstance>[1];

/** A violation that Prism found. */
type Found = Parameters<PrismHttpComponents['forward']>[0]['validations'][number];

/** With `errors`, Prism passes the violations of the request to `forward` instead of failing. */
const config = {
  isProxy: true,
  // Prism requires a URL, but nothing is sent to it.
  upstream: new URL('http://upstream.invalid'),
  upstreamProxy: undefined,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: true,
  mock: { dynamic: false },
} as const;

const noReply = { _tag: 'Left', left: new Error('There is no reply that can be checked.') } as const;

const ignore = (): void => {};
// Prism logs headers, including the key. It uses only these methods; the type of pino's logger has many more.
const quiet = { child: () => quiet, trace: ignore, debug: ignore, info: ignore, success: ignore, warn: ignore, error: ignore };
const quietLogger = quiet as unknown as Components['logger'];

/** Returns the contract without the sandbox's own headers. Renames the type of problem documents, which Prism confuses with other JSON. */
function forAnyService(document: OpenApiDocument): object {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key.startsWith('Sandbox-')) return undefined;
    if (key !== 'content' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([type, content]) => [type === problemType ? problemAlias : type, content]));
  }) as object;
}

const problemType = 'application/problem+json';
const problemAlias = 'application/x-problem-document';

function asPrismReads(reply: CheckedReply): IHttpResponse {
  return { statusCode: reply.status, headers: headersOf(reply), body: bodyOf(reply, []) };
}

/** Returns the headers for Prism, which fails at an invalid Content-Type and treats an absent Content-Length as an absent body. */
function headersOf(message: CheckedMessage): Record<string, string> {
  const { 'content-type': type, ...rest } = message.headers;
  const known = mediaTypeOf(message);
  const length = message.text === null ? {} : { 'content-length': String(Buffer.byteLength(message.text)) };
  if (type === undefined || known === null) return { ...rest, ...length };
  return { ...rest, ...length, 'content-type': known === problemType ? problemAlias : known };
}

/** Stands for the body of a request that is too large for Prism. */
const emptyBatch = { data: [] };

/** Returns the body for Prism, or what stands for it. */
function bodyOf(message: CheckedMessage, standIn: unknown): unknown {
  const { text, scale } = message;
  if (text === null || text === '') return undefined;
  if (scale !== 'small') return isJson(message) ? standIn : 'text';
  return isJson(message) ? (parseJson(text) ?? text) : text;
}

function isJson(message: CheckedMessage): boolean {
  return /^application\/(.+\+)?json$/.test(mediaTypeOf(message) ?? '');
}

/** Returns type and subtype in lower case. Null if the Content-Type is missing or invalid. */
function mediaTypeOf({ headers }: CheckedMessage): string | null {
  return /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Returns whether a reply is a refusal without a body, which the contract allows under one assumption. */
function isBareRefusal({ status, headers, text }: CheckedReply): boolean {
  return status >= 400 && text === '' && headers['content-type'] === undefined;
}

function requestViolations({ text, scale, explained }: PassedCall, found: readonly Found[]): readonly Violation[] {
  const key = found.some(({ code }) => code === 401) ? [keyMissing] : [];
  // The explained violations include those that Prism finds in the Content-Type and the body.
  if (text === null || scale !== 'small' || explained.length > 0) return [...key, ...explained];
  return [...key, ...found.filter(({ code }) => code !== 401).map(asViolation)];
}

const keyMissing: Violation = { pointer: '', message: 'came without an API key: the header SERVICE-API-KEY is required, but missing.' };

function wrongType(reply: CheckedReply, known: readonly string[]): Violation {
  const has =
    reply.headers['content-type'] === undefined ? 'has no Content-Type' : `is declared as ${describe(reply.headers['content-type'])}`;
  return { pointer: '', message: `${has}, but the contract documents ${known.join(', ')} for the status ${reply.status}.` };
}

/** Converts a violation of Prism, so that its message follows its pointer. */
function asViolation({ path = [], message }: Found): Violation {
  const [where, ...steps] = path;
  if (where !== 'body') return { pointer: '', message: `does not match the contract: ${message}.` };
  return {
    pointer: steps.map((step) => `/${step}`).join(''),
    message: `${message.replace(/^(Request|Response) body (property \S+ )?/, '')}.`,
  };
}
