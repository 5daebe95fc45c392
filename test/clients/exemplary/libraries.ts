import { create, isAxiosError, type AxiosError } from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { got, HTTPError, RequestError } from 'got';
import ky, { HTTPError as KyHttpError } from 'ky';
import {
  asLost,
  CallError,
  isRepeatable,
  isWorthRetrying,
  parseRetryAfter,
  read,
  requestOf,
  type Client,
  type Context,
  type Send,
} from '../kit/api.ts';
import { inGroups, pooled, serially, workDay, type Run } from '../kit/day.ts';
import { Deadline } from '../kit/deadline.ts';
import type { Exemplary } from '../spec.ts';

const timeoutMs = 20_000;
const unavailable = [429, 503];
const temporary = [408, 429, 500, 502, 503, 504];
const networkErrors = ['ETIMEDOUT', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'UND_ERR_SOCKET'];

/** Retries are the library's: a submission is only sent again if it certainly had no effect. */
function gotSend(context: Context): Send {
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    const safe = isRepeatable(operation);
    try {
      const reply = await got.post(url, {
        headers,
        body,
        signal: context.signal,
        timeout: { request: timeoutMs },
        retry: {
          limit: 5,
          methods: ['POST'],
          statusCodes: safe ? temporary : unavailable,
          errorCodes: safe ? networkErrors : [],
          calculateDelay: ({ computedValue }) =>
            computedValue === 0 ? 0 : computedValue + context.random() * 800,
        },
      });
      return read({ status: reply.statusCode, retryAfter: null, text: reply.body });
    } catch (error) {
      if (error instanceof HTTPError) {
        const { statusCode, headers: replied, body: text } = error.response;
        return read({ status: statusCode, retryAfter: replied['retry-after'], text: String(text) });
      }
      if (error instanceof RequestError) throw asLost(error);
      throw error;
    }
  };
}

/** Reads the body, too: a reply that breaks off, or takes too long, is a network error then, which ky retries. */
async function wholeFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const deadline = new Deadline(timeoutMs, init?.signal);
  try {
    const reply = await fetch(input, { ...init, signal: deadline.signal });
    return new Response(await reply.text(), reply);
  } finally {
    deadline.end();
  }
}

function kySend(context: Context): Send {
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    const safe = isRepeatable(operation);
    try {
      const reply = await ky.post(url, {
        headers,
        body,
        signal: context.signal,
        fetch: wholeFetch,
        timeout: false,
        retry: {
          limit: 5,
          methods: ['post'],
          statusCodes: safe ? temporary : unavailable,
          afterStatusCodes: unavailable,
          delay: (attempt) => (0.5 + context.random()) * 500 * 2 ** attempt,
        },
        hooks: {
          beforeRetry: [
            ({ error }) => {
              if (!safe && !(error instanceof KyHttpError)) throw error;
            },
          ],
        },
      });
      return read({ status: reply.status, retryAfter: null, text: await reply.text() });
    } catch (error) {
      if (!(error instanceof KyHttpError)) throw asLost(error);
      const { status, headers: replied } = error.response;
      return read({ status, retryAfter: replied.get('retry-after'), text: '' });
    }
  };
}

function callErrorOf({ response, message }: AxiosError): CallError {
  if (response === undefined) return asLost(new Error(message));
  try {
    const retryAfter = String(response.headers['retry-after'] ?? '');
    read({ status: response.status, retryAfter, text: String(response.data) });
    return asLost(new Error(message));
  } catch (error) {
    return asLost(error);
  }
}

function axiosSend(context: Context): Send {
  const client = create({
    timeout: timeoutMs,
    responseType: 'text',
    transformResponse: [],
    signal: context.signal,
  });
  axiosRetry(client, {
    retries: 5,
    shouldResetTimeout: true,
    retryCondition: (error) =>
      isWorthRetrying(error.config?.url?.split('/').at(-1) ?? '', callErrorOf(error)),
    retryDelay: (count, error) => {
      const told = parseRetryAfter(String(error.response?.headers['retry-after'] ?? ''));
      return (told ?? exponentialDelay(count, undefined, 400)) + context.random() * 500;
    },
  });
  return async (operation, elements) => {
    const { url, headers, body } = requestOf(context, operation, elements);
    try {
      const { status, data } = await client.post<string>(url, body, { headers });
      return read({ status, retryAfter: null, text: data });
    } catch (error) {
      throw isAxiosError(error) ? callErrorOf(error) : error;
    }
  };
}

function client(sendOf: (context: Context) => Send, run: Run): Client {
  return (context) => workDay(context, sendOf(context), run);
}

export const libraries: readonly Exemplary[] = [
  {
    name: 'got-serial',
    is: 'got with its own retries, also for POST, one call after another.',
    random: 'its pauses',
    run: client(gotSend, serially),
  },
  {
    name: 'got-parallel',
    is: 'got with its own retries, 6 workers that each wait for the Retry-After of their own call.',
    random: 'some pauses',
    run: client(gotSend, pooled(6)),
  },
  {
    name: 'ky-serial',
    is: 'ky with its own retries, one call after another.',
    random: 'some pauses',
    run: client(kySend, serially),
  },
  {
    name: 'ky-parallel',
    is: 'ky, 5 calls at a time.',
    random: 'some pauses',
    run: client(kySend, inGroups(5)),
  },
  {
    name: 'axios-retry-serial',
    is: 'axios with axios-retry and its exponential delay, one call after another.',
    random: 'its pauses',
    run: client(axiosSend, serially),
  },
  {
    name: 'axios-retry-parallel',
    is: 'axios with axios-retry, 10 calls at a time.',
    random: 'some pauses',
    run: client(axiosSend, inGroups(10)),
  },
];
