import { describe, expect, it } from 'vitest';
import { goodReply, proxyTo, upstreamThat } from './upstream.ts';

/** A proxy, and what sends JSON to its control plane. */
async function proxied() {
  const upstream = await upstreamThat((response) => response.end(goodReply));
  const { url } = await proxyTo(upstream.url);
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${url}/control/sandboxes${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  return { upstream: upstream.url, ask };
}

describe('the sandboxes of a proxy', () => {
  it.each(['default', 'other'])('refuse rules and scenarios: %s', async (id) => {
    const { ask, upstream } = await proxied();
    if (id !== 'default') await ask('POST', '', { id });
    for (const { status, text } of [
      await ask('POST', `/${id}/faults`, { operation: '*', fault: 'reset' }),
      await ask('PUT', `/${id}/scenario`, { name: 'slow-day' }),
    ]) {
      expect(status).toBe(409);
      expect(text).toContain(`This server forwards calls to ${upstream} and does not apply fault rules.`);
    }
  });

  it('are not created with a scenario', async () => {
    const { ask } = await proxied();
    const { status } = await ask('POST', '', { id: 'other', scenario: 'slow-day' });
    expect(status).toBe(409);
    expect((await ask('GET', '/other')).status).toBe(404);
  });

  it('are at wrong addresses with the same links as everything else, without those to pages of no use', async () => {
    const upstream = await upstreamThat((response) => response.end(goodReply));
    const { url } = await proxyTo(upstream.url);
    const uncontrolled = await proxyTo(upstream.url, {}, { controlPort: 'off' });
    for (const at of [
      `${url}/nowhere`,
      `${url}/control/nowhere`,
      `${url}/media/nowhere`,
      `${url}/docs/%zz`,
      `${uncontrolled.url}/console`,
    ]) {
      const reply = await fetch(at, { headers: { Accept: 'text/html' } });
      const page = await reply.text();
      expect([reply.status, page.includes('href="/console"')], at).toEqual([
        at.endsWith('zz') ? 400 : 404,
        true,
      ]);
      for (const missing of ['href="/demo"', 'href="/school"', 'Change faults'])
        expect(page, at).not.toContain(missing);
    }
  });

  it('name the service that gets the calls', async () => {
    const { ask, upstream } = await proxied();
    expect(JSON.parse((await ask('POST', '', { id: 'other' })).text)).toMatchObject({ upstream });
    expect(JSON.parse((await ask('GET', '')).text)).toMatchObject({
      sandboxes: [{ upstream }, { upstream }],
    });
  });
});
