import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proxy } from '../../src/commands/proxy/command.ts';
import type { Report } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { errorOf } from '../support/error-of.ts';
import { invoke, type Invoked } from '../support/invocation.ts';
import { goodBody, goodReply, realKey, send, upstreamThat } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

/** The command, up and running in front of an upstream. */
async function running(args: readonly string[]): Promise<Invoked & { readonly url: string }> {
  const invoked = invoke(proxy, ['--port', '0', ...args]);
  onTestFinished(async () => {
    invoked.signal('SIGTERM');
    await invoked.code.catch(() => {});
  });
  await Promise.race([invoked.code, expect.poll(() => invoked.said().out).toContain('Point the client at')]);
  const [, url = ''] = /^Validating proxy at (\S+)$/m.exec(invoked.said().out) ?? [];
  return { ...invoked, url };
}

describe('lp-sandbox proxy', () => {
  it('tells where it is and where calls go', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const { url, said } = await running(['--upstream', `${upstream.url}/base/`]);
    expect(said().out).toContain(
      `Validating proxy at ${url}\n  Upstream             ${upstream.url}/base\n  Console              ${url}/console\n`,
    );
    await send(url);
    expect(upstream.got[0]?.url).toBe('/base/public/get-quiz-details');
  });

  it('serves console, control plane and report on what it saw', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end('[]'));
    const { url } = await running(['--upstream', upstream.url]);
    await send(url, { body: '{}' });
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/control/sandboxes/default/${path}`)).json();
    expect(await get('journal')).toMatchObject({
      entries: [
        { operation: 'get-quiz-details', violations: [{ pointer: '/data' }], responseViolations: [] },
      ],
    });
    expect(await get('report')).toMatchObject({
      calls: 1,
      violations: [{ pointer: '/data', count: 1 }],
      responseViolations: [],
    });
    expect(await get('journal/default-1')).toMatchObject({ requestId: 'default-1' });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('shows no keys and no first call on its start page, as they would open nothing', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const { url } = await running(['--upstream', upstream.url]);
    const page = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    expect(page).toContain(`A validating proxy for <code>${upstream.url}</code>`);
    expect(page).not.toMatch(/sbx_default|No real school|The first call/);
    expect(await (await fetch(url)).json()).toMatchObject({ upstream: upstream.url, keys: [] });
  });

  it('refuses rules and scenarios, as none would ever fire', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const { url } = await running(['--upstream', upstream.url]);
    const arrange = (method: string, path: string, body: object): Promise<Response> =>
      fetch(`${url}/control/sandboxes/default/${path}`, {
        method,
        headers: json,
        body: JSON.stringify(body),
      });
    for (const reply of [
      await arrange('POST', 'faults', { operation: '*', fault: 'reset' }),
      await arrange('PUT', 'scenario', { name: 'slow-day' }),
    ]) {
      expect(reply.status).toBe(409);
      expect(await reply.text()).toContain(
        `This server forwards calls to ${upstream.url} and does not apply fault rules.`,
      );
    }
  });

  it('writes the report at the end, on every call of the run, and tells what it came to', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, json).end('[{"output":{"status":"error"}}]'),
    );
    const folder = temporaryFolder();
    const files = ['a.json', 'a.xml', 'a.md', 'a.html'].map((name) => join(folder, name));
    const { url, signal, code, said } = await running(['--upstream', upstream.url, '--report', ...files]);
    await send(url, { body: '{"data":[{"data":{}}]}' });
    await send(url);
    await send(url, { method: 'GET', body: '' });
    await fetch(`${url}/control/sandboxes/default/journal`, { method: 'DELETE' });
    signal('SIGTERM');
    expect(await code).toBe(0);
    const [text = '', xml, md, html] = files.map((file) => readFileSync(file, 'utf8'));
    const report = JSON.parse(text) as Report;
    expect(report.violations).toMatchObject([
      { pointer: '/data/*/data/quizId', count: 1, requestIds: ['default-1'] },
    ]);
    expect(report.responseViolations).toMatchObject([
      {
        operation: 'get-quiz-details',
        pointer: '/*/output/errorMessage',
        count: 2,
        requestIds: ['default-1', 'default-2'],
      },
    ]);
    // Without a threshold, nothing fails.
    expect(xml).toContain('/*/output/errorMessage is required, but missing.');
    expect(xml).not.toContain('<failure');
    expect(md).toContain('#### Contract violations by the service');
    expect(html).toContain('>Contract violations by the service</h2>');
    expect(said().err).toContain(
      `2 calls for ${upstream.url}: 1 with an invalid request, 2 with an invalid response. 1 other request was forwarded unchecked.`,
    );
    expect(said().err).toContain(
      '– GET /public/get-quiz-details is not in the contract; it was forwarded unchecked and returned 200',
    );
    expect(said().err).toContain('contract    1 violation, and 2 by the service');
  });

  it.each([
    ['violations', '{"data":[{"data":{}}]}', goodReply, 3],
    ['violations', goodBody, '[7]', 0],
    ['response-violations', goodBody, '[7]', 3],
    ['response-violations', '{"data":[{"data":{}}]}', goodReply, 0],
  ])('ends with 3 where --fail-on %s is not kept: %s %s', async (failOn, body, reply, expected) => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(reply));
    const { url, signal, code } = await running(['--upstream', upstream.url, '--fail-on', failOn]);
    await send(url, { body });
    signal('SIGINT');
    expect(await code).toBe(expected);
  });

  it(
    'ends a call that is on its way when it is told to stop, and counts it',
    { timeout: 20_000 },
    async () => {
      const told = new EventEmitter();
      const hasCome = once(told, 'come');
      const upstream = await upstreamThat(() => void told.emit('come'));
      const { url, signal, code, said } = await running(['--upstream', upstream.url]);
      const call = send(url).catch(() => 'cut off');
      await hasCome;
      signal('SIGTERM');
      expect(await code).toBe(0);
      expect(await call).toBe('cut off');
      expect(said().err).toContain(
        `1 call for ${upstream.url}: 0 with an invalid request, 0 with an invalid response, 1 without a response from the service.`,
      );
    },
  );

  it('makes errors of violations with --errors, and waits as long as --timeout says', async () => {
    const upstream = await upstreamThat(() => {});
    const { url, said } = await running(['--upstream', upstream.url, '--errors', '--timeout', '0.1']);
    expect((await send(url, { body: '{}' })).status).toBe(422);
    expect((await send(url)).status).toBe(504);
    expect(said().err).toContain(
      '✗ default-2 get-quiz-details: no response from the service (upstream-timeout, HTTP 504)',
    );
    expect(said().err).not.toContain(realKey);
  });

  it.each([
    [[], /^Set the service to forward calls to, for example: --upstream/],
    [['--upstream', 'service.example'], /--upstream must be a URL, such as .*, but is "service\.example"/],
    [['--upstream', 'ftp://service.example'], /--upstream must be a URL/],
    [['--upstream', 'https://me:secret@service.example'], /must not contain a user name or password/],
    [['--upstream', 'https://service.example/?a=1'], /must not contain \? or #/],
    [
      ['--upstream', 'https://service.example/base/public/'],
      /must not contain \/public.* Did you mean --upstream https:\/\/service\.example\/base$/,
    ],
    [['--upstream', 'http://127.0.0.1:4999', '--port', '4999'], /is this proxy itself/],
    [['--upstream', 'http://localhost:4999', '--port', '4999'], /is this proxy itself/],
    [['--upstream', 'https://own.example', '--public-url', 'https://own.example/'], /is this proxy itself/],
    [['--upstream', 'http://127.0.0.1:1', '--timeout', '0'], /--timeout must be a number of seconds above 0/],
    [['--upstream', 'http://127.0.0.1:1', '--timeout', 'soon'], /--timeout must be/],
    [['--upstream', 'http://127.0.0.1:1', '--report', 'a.pdf'], /--report "a\.pdf" must end in one of/],
    [['--upstream', 'http://127.0.0.1:1', '--fail-on', 'violation'], /Did you mean "violations"/],
    [['--upstream', 'http://127.0.0.1:1', '--seed', 'demo'], /proxy has no flag --seed/],
  ])('says what is wrong with %j', async (args, message) => {
    const error = await errorOf(invoke(proxy, args).code);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });

  it('is steered by variables and the configuration file as start is, but for what only a server that answers has', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const env = {
      SANDBOX_SEED: 'nobody',
      SANDBOX_DATA: '/nowhere/at/all',
      SANDBOX_CONTROL_TOKEN: 'a-token-of-ours',
    };
    const invoked = invoke(proxy, ['--port', '0', '--upstream', upstream.url], { env });
    await expect.poll(() => invoked.said().out).toContain('Point the client at');
    const [, url = ''] = /^Validating proxy at (\S+)$/m.exec(invoked.said().out) ?? [];
    expect((await fetch(`${url}/control/sandboxes`)).status).toBe(401);
    invoked.signal('SIGTERM');
    expect(await invoked.code).toBe(0);
  });
});
