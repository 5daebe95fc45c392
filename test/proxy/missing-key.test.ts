import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { goodBody, goodReply, proxyTo, realKey, send, upstreamThat, type Proxy } from './upstream.ts';

const sent = 'was sent without the header SERVICE-API-KEY, which every call must have.';

async function proxy(errors = false): Promise<Proxy> {
  const upstream = await upstreamThat((response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply),
  );
  return proxyTo(upstream.url, { errors });
}

/** Makes a call without the usual key header, and returns its status. */
async function callWith({ url }: Proxy, headers: Readonly<Record<string, string>>): Promise<number> {
  const all = { 'Content-Type': 'application/json', 'Content-Length': goodBody.length, ...headers };
  const outgoing = request(`${url}/public/get-quiz-details`, { method: 'POST', headers: all, agent: false });
  outgoing.end(goodBody);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  return incoming.statusCode ?? 0;
}

describe('a call through the proxy without a key', () => {
  it('violates the contract, as in the sandbox itself', async () => {
    const own = await proxy();
    await callWith(own, {});
    await callWith(own, { 'SERVICE-API-KEY': '' });
    await callWith(own, { 'SERVICE-API-KEY': 'undefined' });
    await send(own.url);
    const { violations } = makeReport('default', { entries: own.journal(), evicted: 0 });
    expect(violations.map(({ message }) => message)).toEqual([
      sent,
      'was sent with an empty header SERVICE-API-KEY, but every call must have a key.',
      'was sent with the text of an empty variable in the header SERVICE-API-KEY. Send the key itself: check the variable or the template that it comes from.',
    ]);
  });

  it('is not forwarded if violations are errors', async () => {
    expect(await callWith(await proxy(true), {})).toBe(422);
  });

  it.each(['SERVICE-API-KYE', 'SERVCE-API-KY', 'Service-Api', 'X-Service-Api-Kex'])(
    'shows the real key nowhere, although the name of its header is misspelled: %s',
    async (name) => {
      const own = await proxy();
      await callWith(own, { [name]: realKey });
      const entries = own.journal();
      expect(entries[0]?.violations[0]?.message).toContain(sent);
      const shown = JSON.stringify([entries, makeReport('default', { entries, evicted: 0 }), own.said()]);
      expect(shown).not.toContain(realKey);
    },
  );
});
