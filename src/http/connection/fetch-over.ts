import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { commonMemory, Share } from '../../sandbox/in-flight.ts';
import { headerIn } from '../../base/headers.ts';
import {
  maxHeldBytes,
  UnreadableReply,
  UpstreamFailure,
  type Body,
  type Forward,
  type ProxiedReply,
} from '../../upstream/proxy/messages.ts';
import { inflaterOf } from '../../upstream/proxy/body-text.ts';
import { forwardTo } from '../forward.ts';
import { plainConnection, secretsOf, type ConnectionOptions } from './options.ts';
import { proxyFor } from './proxy-for.ts';
import { UpstreamConnection } from './upstream-connection.ts';

type Environment = Parameters<typeof proxyFor>[1];

/** Longer than the callers wait. */
const timeoutMs = 600_000;

/**
 * Returns `fetch` for calls to an upstream and for the URLs that it names. Only the upstream itself gets the headers
 * and the client certificate. Secrets of the connection are masked in responses.
 */
export function fetchOver(base: URL, options: ConnectionOptions, environment: Environment): typeof fetch {
  const forwards = new Map<string, Forward>();
  const forwardFor = (url: URL): Forward => {
    const known = forwards.get(url.origin);
    if (known !== undefined) return known;
    const own = url.origin === base.origin ? options : elsewhere(options, proxyFor(url, environment));
    const connection = new UpstreamConnection(url, own);
    const made = forwardTo({ url: new URL(url.origin), timeoutMs, more: [], connection });
    forwards.set(url.origin, made);
    return made;
  };
  const secrets = secretsOf(options).filter((secret) => secret.length >= shortestSecret);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const reply = await replyFrom(forwardFor(url), url, init);
    return responseOf(reply, secrets);
  };
}

/** Shorter secrets would occur in any text. */
const shortestSecret = 4;

function elsewhere({ ca, isInsecure }: ConnectionOptions, proxy: URL | null): ConnectionOptions {
  return { ...plainConnection, ca, isInsecure, proxy };
}

async function replyFrom(forward: Forward, url: URL, init: RequestInit): Promise<ProxiedReply> {
  const { method = 'GET', body, signal } = init;
  const sent = new Headers(init.headers);
  if (!sent.has('user-agent')) sent.set('user-agent', 'lp-sandbox');
  const bytes = Buffer.from(typeof body === 'string' ? body : '');
  const gone = signal ?? new AbortController().signal;
  try {
    return await forward({
      method,
      target: `${url.pathname}${url.search}`,
      headers: [...sent].flat(),
      body: { bytes, rest: null },
      gone,
      memory: { request: ownMemory(), response: ownMemory() },
    });
  } catch (error) {
    gone.throwIfAborted();
    throw error instanceof UpstreamFailure ? new TypeError('fetch failed', { cause: error }) : error;
  }
}

async function responseOf(
  { status, headers, body }: ProxiedReply,
  secrets: readonly string[],
): Promise<Response> {
  if (status > maxStatus)
    throw new UnreadableReply(`HTTP allows the statuses 100 to ${maxStatus}, not ${status}.`);
  const bytes = await decoded(await wholeOf(body), headerIn(headers, 'content-encoding'));
  const text = bytes.toString('latin1');
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const fields = new Headers();
  for (let at = 0; at + 1 < headers.length; at += 2) fields.append(headers[at] ?? '', headers[at + 1] ?? '');
  const isBodiless = status === 204 || status === 205 || status === 304;
  return new Response(isBodiless ? null : Buffer.from(shown, 'latin1'), { status, headers: fields });
}

/** The highest status that `Response` can have. */
const maxStatus = 599;

/** Memory that is not shared with other calls. */
function ownMemory(): Share {
  return new Share(commonMemory(4 * maxHeldBytes));
}

/** Reads a body up to a little more than the maximum. */
async function wholeOf({ bytes, rest }: Body): Promise<Buffer> {
  if (rest === null) return bytes;
  const chunks: Buffer[] = [bytes];
  let length = bytes.length;
  const parts: AsyncIterable<Buffer> = rest;
  // Leaving the loop closes the connection.
  for await (const part of parts) {
    chunks.push(part);
    length += part.length;
    if (length > maxHeldBytes) break;
  }
  return Buffer.concat(chunks);
}

const limits = { maxOutputLength: 2 * maxHeldBytes };
const decoderOf: ReadonlyMap<string, (bytes: Buffer) => Promise<Buffer>> = new Map([
  ['gzip', (bytes) => promisify(gunzip)(bytes, limits)],
  ['x-gzip', (bytes) => promisify(gunzip)(bytes, limits)],
  ['deflate', (bytes) => promisify(inflaterOf(bytes))(bytes, limits)],
  ['br', (bytes) => promisify(brotliDecompress)(bytes, limits)],
]);

/** The maximum number of compressions of one body: each takes as long as the first. */
const maxLayers = 2;

/** Decompresses a body: some services compress without being asked. Rejects with UnreadableReply if it cannot. */
async function decoded(bytes: Buffer, encoding = ''): Promise<Buffer> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.filter((name) => name !== '' && name !== 'identity');
  if (layers.length === 0 || bytes.length === 0) return bytes;
  const decoders = layers.flatMap((name) => decoderOf.get(name) ?? []);
  const shown = JSON.stringify(encoding.slice(0, 40));
  if (decoders.length < layers.length || layers.length > maxLayers)
    throw new UnreadableReply(`its body is encoded as ${shown}, which this command does not decode.`);
  try {
    let plain = bytes;
    for (const decoder of decoders.toReversed()) plain = await decoder(plain);
    return plain;
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnreadableReply(
        `its body is larger than ${limits.maxOutputLength / mib} MiB after decompression.`,
      );
    throw new UnreadableReply(`its body is not ${encoding}, although its Content-Encoding says so.`);
  }
}

const mib = 1024 * 1024;
