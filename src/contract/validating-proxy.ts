import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { contract } from './generated/contract.js';
import { parseJson, parsingJson } from './envelope.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { OperationName } from './operation-types.ts';
import { noFindings, ReplyCheck, type ReplyFindings } from './reply-check.ts';
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
  isBareRefusal,
  mediaTypeOf,
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
  readonly found: ReplyFindings;
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
    if (reply === null || 'left' in result) return { reply, found: noFindings, json: undefined };
    return run(this.#judging(call.operation, reply, result.right.validations.output));
  }

  *#judging<R extends CheckedReply>(
    operation: OperationName,
    reply: R,
    found: readonly Found[],
  ): SlicedWork<Verdict<R>> {
    const json = yield* jsonOf(reply);
    return { reply, found: yield* this.#replyFindings(operation, reply, json, found), json };
  }

  /** The specification covers only status 200; for the others, the contract has the sandbox's choices. */
  *#replyFindings(
    operation: OperationName,
    reply: CheckedReply,
    json: unknown,
    found: readonly Found[],
  ): SlicedWork<ReplyFindings> {
    const { violations, differences } = yield* this.#contractFindings(operation, reply, json, found);
    if (reply.status === 200) return { violations, differences };
    return { violations: [], differences: [...violations, ...differences] };
  }

  *#contractFindings(
    operation: OperationName,
    reply: CheckedReply,
    json: unknown,
    found: readonly Found[],
  ): SlicedWork<ReplyFindings> {
    const documented = this.#documented(operation, reply.status);
    if (typeof documented === 'string') return differing([{ pointer: '', message: documented }]);
    const headers = found.filter(({ path }) => path?.[0] === 'header').map(asViolation);
    // Without a body only the headers can be checked.
    if (isBareRefusal(reply)) return differing(headers);
    // For Prism, any type that ends with +json is JSON.
    const isOfOtherType =
      found.some(({ path }) => path === undefined) ||
      (reply.status === 200 && isOtherJson(mediaTypeOf(reply)));
    const type = isOfOtherType ? [wrongType(reply, documented)] : [];
    // The specification names no media type for responses, but they are JSON.
    if (isOfOtherType && (json === undefined || reply.status !== 200))
      return { violations: type, differences: headers };
    const body = yield* this.#bodyFindings(operation, reply, json, found);
    return { violations: body.violations, differences: [...headers, ...type, ...body.differences] };
  }

  *#bodyFindings(
    operation: OperationName,
    reply: CheckedReply,
    json: unknown,
    found: readonly Found[],
  ): SlicedWork<ReplyFindings> {
    if (reply.text === null) return noFindings;
    const { scale, status } = reply;
    // Of other bodies, Prism saw none.
    const inBody = scale === 'small' ? found.filter(({ path }) => path?.[0] === 'body').map(asViolation) : [];
    if (status !== 200 && !Array.isArray(json)) return differing(inBody);
    if (json === undefined) {
      const message = reply.text === '' ? 'is empty, but must be JSON.' : 'is not JSON.';
      return { violations: [{ pointer: '', message }], differences: [] };
    }
    const thoroughness = scale === 'large' ? 'first' : 'every';
    const explained = yield* this.#replies.findings(operation, json, status === 200, thoroughness);
    const isExplained = explained.violations.length + explained.differences.length > 0;
    // Prism read a body of another type as a text.
    if (isExplained || mediaTypeOf(reply) !== 'application/json') return explained;
    return { violations: inBody, differences: [] };
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

function isOtherJson(type: string | null): boolean {
  return type?.endsWith('+json') === true;
}

function differing(differences: readonly Violation[]): ReplyFindings {
  return { violations: [], differences };
}

/** Returns the body as JSON. Undefined if it is not. Many fields in a large one take a tenth of a second. */
function* jsonOf({ text, scale }: CheckedReply): SlicedWork<unknown> {
  if (text === null) return undefined;
  if (scale === 'small') return parseJson(text);
  yield;
  return yield* parsingJson(text);
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
