import type { Mask } from '../key-mask/key-mask.ts';
import { UnreadableReply, UpstreamFailure } from '../proxy/messages.ts';

/** What to do about a connection error, by the beginning of its code. */
const hints: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'The host name cannot be resolved: check the host of --upstream.'],
  [/^ECONNREFUSED$/, 'Nothing accepts connections there: check the host and the port of --upstream.'],
  [
    /CERT|SELF_SIGNED|VERIFY/,
    'Its certificate is not trusted. If your own certificate authority issued it, set --ca to the certificate of that authority.',
  ],
  [/^EPROTO$|^ERR_SSL/, 'Its port does not speak TLS as expected: does --upstream need http:// instead?'],
];

/** Describes a connection error: what happened, and what to do about it. */
export function describeConnectionError(error: unknown, mask: Mask): string {
  // The response arrived, but no client can read it.
  if (error instanceof UnreadableReply) return `sent a response that cannot be read: ${mask(error.message)}`;
  const cause = causeOf(error);
  // Its message says the rest.
  if (cause instanceof UpstreamFailure) return `gave no usable response: ${mask(cause.message)}`;
  const hint = hintFor(error);
  const { code = '', message, name } = cause;
  return `was not reachable: ${mask(message || code || name)}${hint === undefined ? '' : `. ${hint}`}`;
}

/** Returns what to do about an error that another try does not change. Undefined for a dropped connection. */
export function hintFor(error: unknown): string | undefined {
  const { code = '' } = causeOf(error);
  return hints.find(([pattern]) => pattern.test(code))?.[1];
}

function causeOf(error: unknown): NodeJS.ErrnoException {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause : new Error(String(error));
}
