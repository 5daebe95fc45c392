import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compare } from '../../src/commands/compare/command.ts';
import { startSandbox, type Settings } from '../../src/index.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { temporaryFolder } from '../support/command.ts';
import { learner, quiz } from '../support/demo.ts';
import { invoke } from '../support/invocation.ts';

const key = 'sbx_default_riverside';
const quickly = ['--pace', '0', '--no-probes'];

async function run(args: readonly string[], env: NodeJS.ProcessEnv = { UPSTREAM_API_KEY: key }) {
  const { code, said } = invoke(compare, args, { env });
  const exit = await code;
  return { code: exit, ...said() };
}

async function service(settings: Settings = {}) {
  const server = await startSandbox({ port: 0, ...settings });
  onTestFinished(() => server.close());
  return server;
}

/** A service of any kind. Returns its URL. */
async function odd(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((up) => void server.listen(0, '127.0.0.1', up));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function known(): string {
  const path = join(temporaryFolder(), 'known.yaml');
  const lines = { quizId: quiz.id, courseItemId: quiz.itemId, userId: learner.id, userEmail: learner.email };
  writeFileSync(path, JSON.stringify(lines));
  return path;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const reportIn = (path: string): DifferenceReport => JSON.parse(read(path)) as DifferenceReport;

describe('lp-sandbox compare', () => {
  it('exits with 0 if the sandbox does the same', async () => {
    const { url } = await service({ assume: { missingKey: 'http-403' } });
    const same = await run([
      '--upstream',
      url,
      '--known',
      known(),
      '--assume',
      'missingKey=http-403',
      ...quickly,
    ]);
    expect([same.code, same.err]).toEqual([0, '']);
    expect(same.out).toMatch(
      /^\d+ not sent: writes: needs --allow-writes\n\d\d calls compared: 0 differences\.\n$/,
    );
  });

  it('shows both sides of a difference, the option that explains it, and writes the reports', async () => {
    const { url } = await service({ assume: { missingKey: 'http-403' } });
    const folder = temporaryFolder();
    const paths = ['compare.html', 'compare.junit.xml', 'compare.json'].map((name) => join(folder, name));
    const { code, out, err } = await run(['--upstream', url, ...quickly, '--report', ...paths]);
    expect(code).toBe(3);
    expect(out).toMatch(
      /^✗ {2}status +403 +401 +missingKey=http-403 \(now http-401\) +get-instructor-permission-presets no-key$/m,
    );
    expect(out).toContain('Options that explain differences: --assume missingKey=http-403\n');
    expect(err).toBe(`lp-sandbox: wrote ${paths.join(', ')}\n`);
    const [html = '', junit = '', json = ''] = paths;
    expect(reportIn(json).differences.map(({ id }) => id)).toEqual([
      'status:get-instructor-permission-presets:no-key',
      'header:get-instructor-permission-presets:no-key:www-authenticate',
    ]);
    expect(read(junit)).toMatch(
      /<testcase classname="[\w-]+" name="no-key"><failure message="status: service 403, sandbox 401/,
    );
    expect(read(html)).toContain('<td>status</td><td><code>403</code></td><td><code>401</code></td>');
  });

  it('exits with 0 if all differences are allowed or in the baseline', async () => {
    const { url } = await service({ assume: { missingKey: 'http-403' }, limits: 'off' });
    const args = ['--upstream', url, ...quickly];
    const allow = async (list: string) => (await run([...args, '--allow', list])).code;
    expect(await allow('missingKey')).toBe(0);
    expect(await allow('status:get-instructor-permission-presets:no-key')).toBe(3);
    expect(await allow('status:get-instructor-permission-presets,header')).toBe(0);
    const baseline = join(temporaryFolder(), 'baseline.json');
    expect((await run([...args, '--write-baseline', baseline])).code).toBe(0);
    expect((await run([...args, '--baseline', baseline])).code).toBe(0);
  });

  it('only reads unless it is allowed to write', async () => {
    const { url, default: sandbox } = await service({ limits: 'off' });
    await run(['--upstream', url, '--known', known(), ...quickly]);
    const written = async () =>
      (await sandbox.journal.list()).filter(({ operation }) => /^(update|create|submit)-/.test(operation));
    expect(await written()).toEqual([]);
    await run(['--upstream', url, '--known', known(), '--allow-writes', ...quickly]);
    expect((await written()).length).toBeGreaterThan(5);
  });

  it('finds with the probes what no reply to a single call shows', async () => {
    const { url } = await service({ assume: { filterMatching: 'prefix' } });
    const { out, code } = await run(['--upstream', url, '--pace', '0']);
    expect(code).toBe(3);
    expect(out).toMatch(
      /^✗ {2}filterMatching +prefix .*filterMatching=prefix \(now substring-ignoring-case\) +all open points$/m,
    );
  });

  it('sends the calls of a journal or of an archive, each once', async () => {
    const client = await service();
    const call = (body: object) =>
      fetch(`${client.url}/public/get-quiz-details`, {
        method: 'POST',
        headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    for (const id of [quiz.id, quiz.id, 'nothing']) await call({ data: [{ data: { quizId: id } }] });
    const har = join(temporaryFolder(), 'run.har');
    writeFileSync(har, JSON.stringify(await client.default.journal.har()));
    const { url, default: sandbox } = await service({ assume: { unknownId: 'http-404' }, limits: 'off' });
    for (const source of [har, `${client.url}/control/sandboxes/default/journal`]) {
      await sandbox.journal.clear();
      const { out } = await run(['--upstream', url, '--calls', source, ...quickly]);
      expect(out).toMatch(
        /^✗ {2}status +404 +200 +unknownId=http-404 \(now element-error\) +get-quiz-details recorded-200-error$/m,
      );
      const sent = (await sandbox.journal.list()).filter(({ request }) => request.includes(quiz.id));
      expect(sent).toHaveLength(1);
    }
  });

  it('shows no part of the key, even if the service echoes it', async () => {
    const secret = 'Zq7wXv42kPLm9TtR';
    const url = await odd((request, response) => {
      const sent = String(request.headers['service-api-key']);
      const echo = { [sent]: sent, half: sent.slice(3, 11), encoded: Buffer.from(sent).toString('base64') };
      // Only the list that shows whether there is a service is answered.
      if (request.url === '/public/get-all-live-events')
        return void response.end('[{"output":{"status":"ok","data":{"liveEvents":[]}}}]');
      response.writeHead(400, {
        'Content-Type': `text/${sent}`,
        'WWW-Authenticate': `${sent.slice(0, 9)} realm="x"`,
        Allow: sent,
      });
      response.end(JSON.stringify(echo));
    });
    const report = join(temporaryFolder(), 'compare.json');
    const args = ['--upstream', url, '--pace', '0', '--report', report];
    const { code, out, err } = await run(args, { UPSTREAM_API_KEY: secret });
    expect(code).toBe(3);
    const said = `${out}${err}${read(report)}`.toLowerCase();
    for (const form of [secret, Buffer.from(secret).toString('base64')])
      for (let at = 0; at + 5 <= form.length; at += 1)
        expect(said).not.toContain(form.slice(at, at + 5).toLowerCase());
  });

  it.each([
    ['is down', 503, {}, /is down/],
    ['refuses the key', 403, {}, /refuses this key/],
    ['redirects', 308, { Location: '/v2/public/get-all-live-events' }, /redirects/],
  ])('stops after a few calls to a service that %s', async (_, status, headers, message) => {
    let calls = 0;
    const url = await odd((_request, response) => {
      calls += 1;
      response.writeHead(status, { 'Retry-After': '1', ...headers }).end();
    });
    const report = join(temporaryFolder(), 'compare.json');
    await expect(run(['--upstream', url, ...quickly, '--report', report])).rejects.toThrow(message);
    expect(existsSync(report)).toBe(false);
    expect(calls).toBeLessThan(6);
  });

  it.each([
    [['--upstream', 'http://127.0.0.1:1'], {}, /^compare needs an API key: set UPSTREAM_API_KEY or --key\.$/],
    [['--upstream', 'http://127.0.0.1:1', '--school', 'none'], undefined, /^The seed has no school "none"\./],
    [
      ['--upstream', 'http://127.0.0.1:1', '--calls', 'none.har'],
      undefined,
      /^File none\.har of --calls not found\.$/,
    ],
    [
      ['--upstream', 'http://127.0.0.1:1', '--report', 'a.md'],
      undefined,
      /must end in one of \.json, \.html, \.junit\.xml/,
    ],
  ])('refuses %j', async (args, env, message) => {
    await expect(run(args, env)).rejects.toThrow(message);
  });
});
