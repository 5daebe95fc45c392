/** What all clients of the corpus share: what they are given, and what a reply means. */

/** What a client is given. A program gets the first three as SANDBOX_URL, SANDBOX_API_KEY and SANDBOX_SEED. */
export interface Context {
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** Aborted if the client takes too long. */
  readonly signal: AbortSignal;
  /** Like Math.random(), but determined by the seed. */
  readonly random: () => number;
}

export type Client = (context: Context) => Promise<void>;

export type Output =
  | { readonly status: 'ok'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly status: 'error'; readonly errorMessage?: string };

/** The output of each element; undefined if it is missing. */
export type Outputs = readonly (Output | undefined)[];

/** One call, as a client sends it. */
export type Send = (operation: string, elements: readonly object[], signal?: AbortSignal) => Promise<Outputs>;

/**
 * Why a call failed: `throttled` and `turned-away` (HTTP 503) had no effect, `unknown` may have had one,
 * `refused` is permanent.
 */
export type Reason = 'throttled' | 'turned-away' | 'unknown' | 'refused';

export class CallError extends Error {
  readonly reason: Reason;
  readonly status: number;
  /** What Retry-After says, in milliseconds. */
  readonly retryAfter: number | null;

  constructor(reason: Reason, message: string, status = 0, retryAfter: number | null = null) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null | undefined;
  readonly text: string;
}

/** Returns the outputs of a reply. Throws CallError if the call failed. */
export function read({ status, retryAfter, text }: Reply): Outputs {
  const wait = parseRetryAfter(retryAfter);
  if (status === 429) throw new CallError('throttled', 'The call was throttled.', status, wait);
  if (status === 503) throw new CallError('turned-away', 'The service is unavailable.', status, wait);
  if (status >= 500 || status === 408)
    throw new CallError('unknown', `The call failed with HTTP ${status}.`, status, wait);
  if (status >= 400) throw new CallError('refused', `HTTP ${status}: ${text.slice(0, 200)}`, status);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new CallError('unknown', 'The reply is not JSON.', status);
  }
  if (!Array.isArray(body)) throw new CallError('unknown', 'The reply is not a list.', status);
  return body.map(outputOf);
}

function outputOf(item: unknown): Output | undefined {
  // What the service sends is checked right below.
  const { output } = (item ?? {}) as { output?: { status?: unknown } | null };
  // The status says which of the two it is.
  if (output?.status === 'ok' || output?.status === 'error') return output as Output;
  return undefined;
}

/** Returns milliseconds. */
export function parseRetryAfter(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** The request of a call: what every HTTP client needs. */
export function requestOf(
  { url, key }: Pick<Context, 'url' | 'key'>,
  operation: string,
  elements: readonly object[],
): { readonly url: string; readonly headers: Record<string, string>; readonly body: string } {
  return {
    url: `${url}/public/${operation}`,
    headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: elements.map((data) => ({ data })) }),
  };
}

/** Whether a call may be sent again after a reply that says nothing of its effect. */
export function isRepeatable(operation: string): boolean {
  return operation !== 'submit-user-course-item';
}

/** Whether a call may be sent again after this error. */
export function isWorthRetrying(operation: string, error: unknown): error is CallError {
  if (!(error instanceof CallError) || error.reason === 'refused') return false;
  return error.reason !== 'unknown' || isRepeatable(operation);
}

/** Wraps what a transport throws if no reply came: the call may have had an effect. */
export function asLost(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError('unknown', error instanceof Error ? error.message : String(error));
}
