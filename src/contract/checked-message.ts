import type { IHttpResponse, PrismHttpComponents } from '@stoplight/prism-http';
import type { OperationName } from './operation-types.ts';
import { parseJson } from './envelope.ts';
import { describe, type Violation } from '../base/violation.ts';

/** A call that the proxy forwards. */
export interface PassedCall extends CheckedMessage {
  readonly operation: OperationName;
  /** The violations of its body that the sandbox explains itself. */
  readonly explained: readonly Violation[];
}

/** A violation that Prism found. */
export type Found = Parameters<PrismHttpComponents['forward']>[0]['validations'][number];

/**
 * A request or reply to check: headers by lower-case name, and the body as text, which is null if it cannot
 * be read.
 */
export interface CheckedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly scale: BodyScale;
}

/**
 * How thoroughly a body is checked. Prism checks only small bodies, because it checks each at once; the
 * project itself checks the others. Of large ones, it reports the first violation of each element.
 */
export type BodyScale = 'small' | 'medium' | 'large';

export interface CheckedReply extends CheckedMessage {
  readonly status: number;
}

export const problemType = 'application/problem+json';
export const problemAlias = 'application/x-problem-document';

export function asPrismReads(reply: CheckedReply): IHttpResponse {
  return { statusCode: reply.status, headers: headersOf(reply), body: bodyOf(reply, []) };
}

/**
 * Returns the headers for Prism, which fails at an invalid Content-Type and treats an absent Content-Length
 * as an absent body.
 */
export function headersOf(message: CheckedMessage): Record<string, string> {
  const { 'content-type': type, ...rest } = message.headers;
  const known = mediaTypeOf(message);
  const length = message.text === null ? {} : { 'content-length': String(Buffer.byteLength(message.text)) };
  if (type === undefined || known === null) return { ...rest, ...length };
  return { ...rest, ...length, 'content-type': known === problemType ? problemAlias : known };
}

/** Stands for the body of a request that is too large for Prism. */
export const emptyBatch = { data: [] };

/** Returns the body for Prism, or what stands for it. */
export function bodyOf(message: CheckedMessage, standIn: unknown): unknown {
  const { text, scale } = message;
  if (text === null || text === '') return undefined;
  if (scale !== 'small') return isJson(message) ? standIn : 'text';
  return isJson(message) ? (parseJson(text) ?? text) : text;
}

function isJson(message: CheckedMessage): boolean {
  return /^application\/(.+\+)?json$/.test(mediaTypeOf(message) ?? '');
}

/** Returns type and subtype in lower case. Null if the Content-Type is missing or invalid. */
export function mediaTypeOf({ headers }: CheckedMessage): string | null {
  return (
    /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ??
    null
  );
}

/** Returns whether a reply is a refusal without a body, which the contract allows under one assumption. */
export function isBareRefusal({ status, headers, text }: CheckedReply): boolean {
  return status >= 400 && text === '' && headers['content-type'] === undefined;
}

export function requestViolations(
  { text, scale, explained }: PassedCall,
  found: readonly Found[],
): readonly Violation[] {
  // The explained violations include those that Prism finds in the Content-Type and the body.
  if (text === null || scale !== 'small' || explained.length > 0) return explained;
  // The proxy itself finds those of the key header.
  return found.filter(({ code }) => code !== 401).map(asViolation);
}

export function wrongType(reply: CheckedReply, known: readonly string[]): Violation {
  const has =
    reply.headers['content-type'] === undefined
      ? 'has no Content-Type'
      : `is declared as ${describe(reply.headers['content-type'])}`;
  return {
    pointer: '',
    message: `${has}, but the contract documents ${known.join(', ')} for the status ${reply.status}.`,
  };
}

/** Converts a violation of Prism, so that its message follows its pointer. */
export function asViolation({ path = [], message }: Found): Violation {
  const [where, ...steps] = path;
  if (where !== 'body') return { pointer: '', message: `does not match the contract: ${message}.` };
  return {
    pointer: steps.map((step) => `/${step}`).join(''),
    message: `${message.replace(/^(Request|Response) body (property \S+ )?/, '')}.`,
  };
}
