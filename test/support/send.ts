import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** A reply, whole. */
export interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * A GET, or a POST of JSON where there is a body, in half the time of `fetch` and supertest: for tests that
 * send thousands.
 */
export function send(url: string, headers: OutgoingHttpHeaders = {}, body?: object): Promise<Sent> {
  return new Promise((done, fail) => {
    const options =
      body === undefined
        ? { agent, headers }
        : { agent, method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
    request(url, options, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      reply
        .once('error', fail)
        .once('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    })
      .once('error', fail)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
