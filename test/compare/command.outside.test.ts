import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/command.ts';
import { quiz } from '../support/demo.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { key, known, odd, quickly, run, service } from './run-compare.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const reportIn = (path: string): DifferenceReport => JSON.parse(read(path)) as DifferenceReport;

describe('lp-sandbox compare', () => {
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

  it('recommends no option that explains one call but spoils others', async () => {
    const server = await service();
    // It reads a body of any Content-Type, which no option does.
    const url = await odd((request, response) => {
      const forward = async (): Promise<void> => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of request) chunks.push(chunk as Uint8Array);
        const { method = 'GET', url: path = '/' } = request;
        const { 'service-api-key': sent } = request.headers;
        const reply = await fetch(`${server.url}${path}`, {
          method,
          headers: {
            'Content-Type': 'application/json',
            ...(typeof sent === 'string' ? { 'SERVICE-API-KEY': sent } : {}),
          },
          ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
        });
        response.writeHead(reply.status, {
          'Content-Type': reply.headers.get('content-type') ?? 'text/plain',
        });
        response.end(await reply.text());
      };
      void forward();
    });
    const report = join(temporaryFolder(), 'compare.json');
    const { out } = await run(['--upstream', url, ...quickly, '--report', report]);
    const ofType = reportIn(report).differences.filter(({ call }) => call === 'plain-text');
    expect(ofType.map(({ what }) => what)).toContain('status');
    expect(ofType.flatMap(({ explanation }) => explanation?.instead ?? [])).toEqual([]);
    expect(out).not.toMatch(/malformedBody=output-error/);
  });

  it('shows no part of the key, even if the service echoes it', async () => {
    const secret = 'Zq7wXv42kPLm9TtR';
    const url = await odd((request, response) => {
      const sent = String(request.headers['service-api-key']);
      const echo = { [sent]: sent, half: sent.slice(3, 11), encoded: Buffer.from(sent).toString('base64') };
      // Only the list that shows whether there is a service is answered.
      if (request.url === '/public/get-all-live-events')
        return void response.end('[{"output":{"status":"ok","data":{"liveEvents":[{}]}}}]');
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
    // The service accepts one operation, so its limit is used up.
    expect(err).toMatch(
      /^lp-sandbox: waiting \d+ s\. get-all-live-events: its limit of 15 calls per minute is used up\.$/m,
    );
    const said = `${out}${err}${read(report)}`.toLowerCase();
    for (const form of [secret, Buffer.from(secret).toString('base64')])
      for (let at = 0; at + 5 <= form.length; at += 1)
        expect(said).not.toContain(form.slice(at, at + 5).toLowerCase());
  }, 150_000);
});
