import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { goodBody, goodReply, proxyTo, realKey, upstreamThat } from '../proxy/upstream.ts';
import { world } from '../support/world.ts';

interface Target {
  readonly url: string;
  readonly request: string;
  readonly headers: string;
  readonly body: string;
}

const quiz = 'POST /public/get-quiz-details';
const json = 'Content-Type: application/json\r\n';

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  'an operation': async () => {
    const { url, sandbox } = await world();
    const headers = `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\n${json}`;
    return { url, request: quiz, headers, body: goodBody };
  },
  'the control plane': async () => {
    const { url, sandbox } = await world();
    const request = `PUT /control/sandboxes/${sandbox.id}/limits`;
    return { url, request, headers: json, body: '{"scale":2}' };
  },
  'the proxy': async () => {
    const upstream = await upstreamThat((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply);
    });
    const { url } = await proxyTo(upstream.url);
    return { url, request: quiz, headers: `SERVICE-API-KEY: ${realKey}\r\n${json}`, body: goodBody };
  },
};

/** Sends the headers and, after a response or at once, the body. Returns the status of each response. */
async function statusesOf(
  { url, request, headers, body }: Target,
  version: string,
  waits: boolean,
): Promise<readonly string[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  const statuses = (): readonly string[] =>
    [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status = '']) => status);
  socket.write(
    `${request} HTTP/${version}\r\nHost: localhost\r\nExpect: 100-continue\r\n${headers}Content-Length: ${body.length}\r\n\r\n`,
  );
  if (waits) await expect.poll(statuses).toEqual(['100']);
  socket.write(body);
  await expect.poll(statuses).toContain('200');
  return statuses();
}

describe.each(Object.entries(targets))('a client that waits for 100 Continue from %s', (_, target) => {
  it('gets it, and then the response to its request', { tags: ['slow'] }, async () => {
    expect(await statusesOf(await target(), '1.1', true)).toEqual(['100', '200']);
  });

  it('gets none over HTTP/1.0, which has no such response', async () => {
    expect(await statusesOf(await target(), '1.0', false)).toEqual(['200']);
  });
});
