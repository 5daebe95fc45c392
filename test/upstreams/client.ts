import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { onTestFinished } from 'vitest';
import { gatewayKey } from './locked-down.ts';
import type { StartOptions, Upstream } from './plumbing.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request. */
interface Call {
  readonly operation: string;
  readonly key?: string | undefined;
  readonly elements?: readonly object[] | undefined;
  readonly method?: string | undefined;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One connection for all requests of the tests of `locked-down`. */
function agentFor(upstream: Upstream): Agent | undefined {
  if (!('ca' in upstream) || typeof upstream.ca !== 'string') return undefined;
  const agent = new Agent({ ca: upstream.ca, keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

export type Post = (call: Call) => Promise<Answer>;

/** Returns a function that sends requests to the service. */
export function poster(upstream: Upstream): Post {
  const agent = agentFor(upstream);
  return ({ operation, key, elements = [{}], body, headers, method = 'POST' }) =>
    new Promise((done, fail) => {
      const options = {
        method,
        headers: {
          'Content-Type': 'application/json',
          'X-Gateway-Key': gatewayKey,
          ...(key === undefined ? {} : { 'SERVICE-API-KEY': key }),
          ...headers,
        },
        ...(agent === undefined ? { agent: false as const } : { agent }),
      };
      const send = agent === undefined ? requestHttp : requestHttps;
      const sent = send(`${upstream.url}/public/${operation}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', fail).on('end', () => {
          done({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      });
      sent.on('error', fail);
      sent.end(body ?? JSON.stringify({ data: elements.map((data) => ({ data })) }));
    });
}

/** Starts a service for one test. */
export async function run(
  service: { start(options?: StartOptions): Promise<Upstream> },
  options: StartOptions = {},
): Promise<{ upstream: Upstream; post: Post }> {
  const upstream = await service.start(options);
  onTestFinished(() => upstream.close());
  return { upstream, post: poster(upstream) };
}

export type Output =
  { status: 'ok'; data: Record<string, unknown> } | { status: 'error'; errorMessage: string };

/** Returns the outputs of a response with status 200. */
export function outputsOf({ body }: Answer): readonly Output[] {
  return (JSON.parse(body) as { output: Output }[]).map(({ output }) => output);
}

/** Returns the result of the first element. @throws if it failed. */
export function dataOf(answer: Answer): Record<string, unknown> {
  const [output] = outputsOf(answer);
  if (output?.status !== 'ok') throw new Error(`No result: ${answer.body}`);
  return output.data;
}
