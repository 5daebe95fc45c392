import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compare } from '../../src/commands/compare/command.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { certificates } from '../support/certificates.ts';
import { shortened } from '../../src/sandbox/keys.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
import { key, known, odd, quickly, run, service } from './run-compare.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const reportIn = (path: string): DifferenceReport => JSON.parse(read(path)) as DifferenceReport;

/** Runs the command until its first call, which is redirected. Resolves with the API key and the messages. */
async function keyOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const keys: unknown[] = [];
  const upstream = await odd((request, response) => {
    keys.push(request.headers['service-api-key']);
    response.writeHead(308, { Location: '/v2/public/get-all-live-events' }).end();
  });
  const { code, said } = invoke(compare, ['--upstream', upstream, ...quickly, ...args], { env });
  await expect(code).rejects.toThrow(/redirects/);
  return { keys, err: said().err };
}

function pem(name: 'clientCert' | 'clientKey'): string {
  const path = join(temporaryFolder(), `${name}.pem`);
  writeFileSync(path, certificates[name]);
  return path;
}

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
      /^\d+ skipped: writes: needs --allow-writes\n\d\d calls compared: 0 differences\.\n$/,
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

  it.each([
    ['is down', 503, {}, /is down: .*\. Run this command again later\.$/],
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

  it('also sends the calls of --second-key and --other-key, to both sides, and shows no part of these keys', async () => {
    const [second, other] = ['sbx_default_riverside_website', 'sbx_default_hillcrest'];
    const server = await service();
    const args = ['--upstream', server.url, '--known', known(), ...quickly, '--second-key', second];
    const report = join(temporaryFolder(), 'compare.json');
    const env = { UPSTREAM_API_KEY: key, UPSTREAM_OTHER_KEY: other };
    const { code, out } = await run([...args, '--report', report], env);
    // The sandbox does the same with keys of its own.
    expect([code, reportIn(report).differences]).toEqual([0, []]);
    const sent = reportIn(report).compared.map(({ operation, call }) => `${operation} ${call}`);
    expect(sent.filter((name) => /key|school/.test(name)).toSorted()).toEqual([
      'get-all-instructors of-another-school',
      'get-all-instructors with-the-second-key',
      'get-instructor-permission-presets no-key',
      'get-instructor-permission-presets wrong-key',
      'get-quiz-details quiz-with-the-key-of-another-school',
    ]);
    const entries = await server.default.journal.list();
    const keys = new Set(entries.map(({ key: shown }) => shown));
    expect([...keys]).toEqual(expect.arrayContaining([second, other].map(shortened)));
    expect(`${out}${read(report)}`).not.toMatch(/website|hillcrest/);
  });

  describe('takes', () => {
    it('the API key from --api-key, and from a --key that names no file, which it advises against', async () => {
      expect(await keyOf(['--api-key', 'sk_one'])).toEqual({ keys: ['sk_one'], err: '' });
      const former = await keyOf(['--key', 'sk_one'], { UPSTREAM_API_KEY: 'sk_two' });
      expect(former.keys).toEqual(['sk_one']);
      expect(former.err).toMatch(/^lp-sandbox: --key names no file, .* Use --api-key instead: .*\n$/);
      expect(former.err).not.toContain('sk_one');
    });

    it('the certificate and its key from --cert and --key, also beside an API key in --key', async () => {
      const cert = ['--cert', pem('clientCert')];
      const env = { UPSTREAM_API_KEY: 'sk_two' };
      for (const name of ['--key', '--key-file'])
        expect(await keyOf([...cert, name, pem('clientKey')], env)).toEqual({ keys: ['sk_two'], err: '' });
      const both = await keyOf([...cert, '--key', 'sk_one', '--key-file', pem('clientKey')]);
      expect(both.keys).toEqual(['sk_one']);
      const start = ['--upstream', 'http://127.0.0.1:1', ...cert];
      await expect(run(start, env)).rejects.toThrow(/^--cert also needs --key, the file/);
      const mistyped = await run([...start, '--key', 'hush-hush'], env).catch(String);
      expect(mistyped).toMatch(/--key: there is no such file\. .* not the API key\.$/);
      expect(mistyped).not.toContain('hush');
    });
  });

  it.each([
    [
      ['--upstream', 'http://127.0.0.1:1'],
      {},
      /^compare needs an API key: set UPSTREAM_API_KEY or --api-key\.$/,
    ],
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
