import { createInstance, getHttpOperationsFromSpec, type IHttpResponse, type PrismHttpComponents } from '@stoplight/prism-http';
import { contract } from './generated/contract.js';
import { parseJson } from './envelope.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { OperationName } from './operation-types.ts';
import { ReplyCheck } from './reply-check.ts';
import { describe, type Violation } from '../base/violation.ts';

/** A message as it is held against the contract: headers by lower-case name, and the body as text; null where it cannot be read. */
interface CheckedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
}

export interface CheckedReply extends CheckedMessage {
  readonly status: number;
}

/** A call on its way through the proxy. */
export interface PassedCall extends CheckedMessage {
  readonly operation: OperationName;
  /** What is wrong with its body, in this project's words. */
  readonly explained: readonly Violation[];
}

/** What became of it: null where no reply came that could be checked. */
export interface Verdict<R extends CheckedReply> {
  readonly reply: R | null;
  readonly violations: readonly Violation[];
}

/** Asks for the reply, knowing what is wrong with the request. Null where none came that can be checked. */
type Forward<R> = (violations: readonly Violation[]) => Promise<R | null>;

/**
 * Prism's validating proxy over the public contract. Prism says whether a call and its reply keep it; what is wrong with a body is said in
 * this project's own words where it has some. How a call gets to the upstream is the caller's: Prism's own way follows redirects with the
 * key, answers a 501 with a made-up reply, and knows no time-out.
 */
export class ValidatingProxy {
  readonly #operations: Operations;
  readonly #replies: ReplyCheck;

  private constructor(operations: Operations, replies: ReplyCheck) {
    this.#operations = operations;
    this.#replies = replies;
  }

  static async create(): Promise<ValidatingProxy> {
    // Prism resolves references in the document that it is given.
    const document = structuredClone(contract);
    return new ValidatingProxy(await getHttpOperationsFromSpec(forAnyService(document)), new ReplyCheck(document));
  }

  /** Passes a call on, and holds both sides against the contract. Rejects with whatever `forward` rejects with. */
  async pass<R extends CheckedReply>(call: PassedCall, forward: Forward<R>): Promise<Verdict<R>> {
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
    const request = { method: 'post' as const, url: { path: `/public/${call.operation}` }, headers: headersOf(call), body: bodyOf(call) };
    const exchange = await createInstance(config, components).request(request, this.#operations)();
    // Only told what was set in a callback by a look at it from outside.
    const came = reply as R | null;
    if (came === null || 'left' in exchange) return { reply: came, violations: [] };
    return { reply: came, violations: this.#replyViolations(call.operation, came, exchange.right.validations.output) };
  }

  #replyViolations(operation: OperationName, reply: CheckedReply, found: readonly Found[]): readonly Violation[] {
    const documented = this.#documented(operation, reply.status);
    if (typeof documented === 'string') return [{ pointer: '', message: documented }];
    const headers = found.filter(({ path }) => path?.[0] === 'header').map(asFound);
    // Without a body there is nothing else to hold against anything.
    if (isBareRefusal(reply)) return headers;
    if (found.some(({ path }) => path === undefined)) return [...headers, wrongType(reply, documented)];
    return [...headers, ...this.#bodyViolations(operation, reply, found)];
  }

  #bodyViolations(operation: OperationName, reply: CheckedReply, found: readonly Found[]): readonly Violation[] {
    if (reply.text === null) return [];
    const inBody = found.filter(({ path }) => path?.[0] === 'body').map(asFound);
    if (mediaTypeOf(reply) !== 'application/json') return inBody;
    const json = parseJson(reply.text);
    if (json === undefined) return [{ pointer: '', message: reply.text === '' ? 'is empty, where JSON is due.' : 'is not JSON.' }];
    const explained = this.#replies.violations(operation, json, reply.status === 200);
    return explained.length > 0 ? explained : inBody;
  }

  /** The media types that the contract has for a status, or why it has none. */
  #documented(operation: OperationName, status: number): readonly string[] | string {
    const { responses = [] } = this.#operations.find(({ path }) => path === `/public/${operation}`) ?? {};
    const own = responses.find(({ code }) => code === String(status));
    if (own !== undefined) return (own.contents ?? []).map(({ mediaType }) => mediaType.replace(problemAlias, problemType));
    return `has the status ${status}, which the contract does not have here. It has ${responses.map(({ code }) => code).join(', ')}.`;
  }
}

type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;
type Components = Parameters<typeof createInstance>[1];

/** Something that Prism found. */
type Found = Parameters<PrismHttpComponents['forward']>[0]['validations'][number];

/** `errors` has Prism tell the forwarding of what it found in the request; it makes no error of that by itself. */
const config = {
  isProxy: true,
  // Prism wants one; nothing is ever sent there.
  upstream: new URL('http://upstream.invalid'),
  upstreamProxy: undefined,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: true,
  mock: { dynamic: false },
} as const;

const noReply = { _tag: 'Left', left: new Error('There is no reply that can be checked.') } as const;

const say = (): void => {};
// Prism tells its logger of headers, the key among them. This is the whole of the logger that it uses; pino's own has much more.
const quiet = { child: () => quiet, trace: say, debug: say, info: say, success: say, warn: say, error: say };
const quietLogger = quiet as unknown as Components['logger'];

/** The contract without what only this sandbox promises, and with problem documents apart from other JSON, which Prism takes them for. */
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
  return { statusCode: reply.status, headers: headersOf(reply), body: bodyOf(reply) };
}

/** Prism breaks off at a Content-Type that is none; what it is not told it takes for missing. */
function headersOf(message: CheckedMessage): Record<string, string> {
  const { 'content-type': type, ...rest } = message.headers;
  const known = mediaTypeOf(message);
  const length = message.text === null ? {} : { 'content-length': String(Buffer.byteLength(message.text)) };
  if (type === undefined || known === null) return { ...rest, ...length };
  return { ...rest, ...length, 'content-type': known === problemType ? problemAlias : known };
}

function bodyOf(message: CheckedMessage): unknown {
  const { text } = message;
  if (text === null || text === '') return undefined;
  return /^application\/(.+\+)?json$/.test(mediaTypeOf(message) ?? '') ? (parseJson(text) ?? text) : text;
}

/** Type and subtype in lower case; null where there is no Content-Type, or one that cannot be read. */
function mediaTypeOf({ headers }: CheckedMessage): string | null {
  return /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? null;
}

/** The contract says that under a reading a refusal has no body at all. */
function isBareRefusal({ status, headers, text }: CheckedReply): boolean {
  return status >= 400 && text === '' && headers['content-type'] === undefined;
}

function requestViolations({ text, explained }: PassedCall, found: readonly Found[]): readonly Violation[] {
  const key = found.some(({ code }) => code === 401) ? [keyMissing] : [];
  // What Prism says of the Content-Type and the body is among what was explained.
  if (text === null || explained.length > 0) return [...key, ...explained];
  return [...key, ...found.filter(({ code }) => code !== 401).map(asFound)];
}

const keyMissing: Violation = { pointer: '', message: 'came without an API key: the header SERVICE-API-KEY is required, but missing.' };

function wrongType(reply: CheckedReply, known: readonly string[]): Violation {
  const has =
    reply.headers['content-type'] === undefined ? 'has no Content-Type' : `is declared as ${describe(reply.headers['content-type'])}`;
  return { pointer: '', message: `${has}, but the contract has ${known.join(', ')} with the status ${reply.status}.` };
}

/** What Prism says, to be read behind the place that it is about. */
function asFound({ path = [], message }: Found): Violation {
  const [where, ...steps] = path;
  if (where !== 'body') return { pointer: '', message: `is not as in the contract: ${message}.` };
  return {
    pointer: steps.map((step) => `/${step}`).join(''),
    message: `${message.replace(/^(Request|Response) body (property \S+ )?/, '')}.`,
  };
}
