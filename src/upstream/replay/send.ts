import type { OperationName } from '../../contract/operation-types.ts';

/** A request of a replay. */
export interface ReplayedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response to it. The status is 0 if there was none. */
export interface ReplayedReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Sends a request and returns its response. Never rejects. */
export type SendOnce = (request: ReplayedRequest, signal: AbortSignal) => Promise<ReplayedReply>;

/** The name of the operation in reports if the path matches none. */
export type ReplayedOperation = OperationName | 'unmatched';

/** The maximum size of a response in bytes. The rest is not read. */
const maxBytes = 16 * 1024 * 1024;

/** The maximum time for a response in milliseconds. */
const maxMs = 30_000;

const noReply: ReplayedReply = { status: 0, headers: new Map(), text: '' };

/** Sends a request with fetch. Follows no redirect. A response that breaks off counts as far as it came. */
export const sendWithFetch: SendOnce = async ({ url, method, headers, body }, signal) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
      ...(method === 'GET' || method === 'HEAD' || body === '' ? {} : { body }),
    });
    return {
      status: response.status,
      headers: new Map(response.headers),
      text: await textOf(response),
    };
  } catch {
    return noReply;
  }
};

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch {
    // The connection broke off.
  }
  return new TextDecoder().decode(Buffer.concat(chunks, bytes));
}
