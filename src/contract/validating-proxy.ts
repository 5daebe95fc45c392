import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { contract } from './generated/contract.js';
import { parseJson } from './envelope.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { OperationName } from './operation-types.ts';
import { ReplyCheck } from './reply-check.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Violation } from '../base/violation.ts';
import {
  type CheckedReply,
  problemType,
  problemAlias,
  asPrismReads,
  headersOf,
  emptyBatch,
  bodyOf,
  mediaTypeOf,
  isBareRefusal,
  requestViolations,
  wrongType,
  asViolation,
  type Found,
  type PassedCall,
} from './checked-message.ts';

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
 * Prism's validating proxy for the public contract. Prism checks a call and its reply; the project explains
 * the violations of bodies itself where it can. The caller forwards the call, because Prism would follow
 * redirects with the key, replace a 501 with a generated reply, and never time out.
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
    return new ValidatingProxy(
      await getHttpOperationsFromSpec(forAnyService(document)),
      new ReplyCheck(document),
    );
  }

  /** Forwards a call, and checks the request and the reply. Rejects with the error of `forward`. */
  async pass<R extends CheckedReply>(call: PassedCall, forward: Forward<R>, run: Run): Promise<Verdict<R>> {
    const received: { reply: R | null } = { reply: null };
    const components: Components = {
      logger: quietLogger,
      forward:
        ({ validations }) =>
        () =>
        async () => {
          const reply = (received.reply = await forward(requestViolations(call, validations)));
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
    const { reply } = received;
    if (reply === null || 'left' in result) return { reply, violations: [], json: undefined };
    return run(this.#judging(call.operation, reply, result.right.validations.output));
  }

  *#judging<R extends CheckedReply>(
    operation: OperationName,
    reply: R,
    found: readonly Found[],
  ): SlicedWork<Verdict<R>> {
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
    if (json === undefined)
      return [{ pointer: '', message: reply.text === '' ? 'is empty, but must be JSON.' : 'is not JSON.' }];
    const thoroughness = scale === 'large' ? 'first' : 'every';
    const explained = yield* this.#replies.violations(operation, json, reply.status === 200, thoroughness);
    return explained.length > 0 ? explained : inBody;
  }

  /**
   * Returns the media types that the contract documents for a status, or a message if it does not document
   * the status.
   */
  #documented(operation: OperationName, status: number): readonly string[] | string {
    const { responses = [] } = this.#operations.find(({ path }) => path === `/public/${operation}`) ?? {};
    const own = responses.find(({ code }) => code === String(status));
    if (own !== undefined)
      return (own.contents ?? []).map(({ mediaType }) => mediaType.replace(problemAlias, problemType));
    return `has the status ${status}, which the contract does not document here. Documented: ${responses.map(({ code }) => code).join(', ')}.`;
  }
}

type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;
type Components = Parameters<typeof createInstance>[1];

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
const quiet = {
  child: () => quiet,
  trace: ignore,
  debug: ignore,
  info: ignore,
  success: ignore,
  warn: ignore,
  error: ignore,
};
const quietLogger = quiet as unknown as Components['logger'];

/**
 * Returns the contract without the sandbox's own headers. Renames the type of problem documents, which Prism
 * confuses with other JSON.
 */
function forAnyService(document: OpenApiDocument): object {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key.startsWith('Sandbox-')) return undefined;
    if (key !== 'content' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([type, content]) => [type === problemType ? problemAlias : type, content]),
    );
  }) as object;
}
