import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replay as command } from '../../src/commands/replay/command.ts';
import { requestExamples } from '../../src/contract/generated/request-examples.js';
import { startSandbox, type SandboxHandle, type Settings } from '../../src/index.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
import { proxyTo, send, upstreamThat } from '../proxy/upstream.ts';

const began = '2026-11-20T10:02:03.456Z';
const operations = Object.entries(requestExamples);

/** Sends a call, and ignores a response that breaks off. */
type Call = (
  operation: string,
  more?: {
    body?: object | string;
    headers?: Readonly<Record<string, string>>;
    key?: string;
    method?: string;
  },
) => Promise<string>;

/** Records a session with a new server, and returns the path of its HAR or journal. */
async function recorded(
  session: (call: Call, sandbox: SandboxHandle) => Promise<void>,
  { settings = {}, as = 'har' }: { settings?: Settings; as?: 'har' | 'journal' } = {},
): Promise<string> {
  const server = await startSandbox({ port: 0, ...settings });
  onTestFinished(() => server.close());
  const { default: sandbox } = server;
  await sandbox.clock.set({ mode: 'frozen', now: began });
  await sandbox.reset();
  const call: Call = async (
    operation,
    { body, headers = {}, key = 'sbx_default_riverside', method = 'POST' } = {},
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? { data: [{ data: {} }] });
    const sent = {
      method,
      headers: {
        ...(key === '' ? {} : { 'SERVICE-API-KEY': key }),
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(method === 'GET' ? {} : { body: text }),
    };
    const reply = fetch(`${server.url}/public/${operation}`, sent).then((response) => response.text());
    return reply.catch(() => '');
  };
  await session(call, sandbox);
  const content = as === 'har' ? await sandbox.journal.har() : { entries: await sandbox.journal.list() };
  const path = join(temporaryFolder(), `journal.${as}`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

async function replayed(path: string, ...args: readonly string[]) {
  const json = join(temporaryFolder(), 'replay.json');
  const { code, said } = invoke(command, [path, '--report', json, ...args]);
  const exit = await code;
  const report = JSON.parse(readFileSync(json, 'utf8')) as DifferenceReport;
  return { code: exit, report, ...said() };
}

/** How a proxy is used, and what is behind it. */
interface Session {
  /** How many calls are lost at the end. */
  readonly outage?: number;
  /** Whether the service accepts any key. */
  readonly isTranslated?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the URL of a service that accepts any key, and is otherwise the same as another one. */
async function withKeysOfItsOwn(url: string): Promise<string> {
  const service = await upstreamThat((response, { url: path, body }) => {
    const headers = { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' };
    void send(url, { path, headers, body }).then((came) =>
      response.writeHead(came.status, came.headers).end(came.body),
    );
  });
  return service.url;
}

/** Records a session of a service behind a proxy, and returns the path of the proxy's HAR or journal. */
async function proxied(
  keys: readonly string[],
  as: 'journal.har' | 'journal',
  { outage = 0, isTranslated = false, headers: more = {} }: Session = {},
): Promise<string> {
  const service = await startSandbox({ port: 0 });
  onTestFinished(() => service.close());
  await service.default.clock.set({ mode: 'frozen', now: began });
  await service.default.reset();
  const proxy = await proxyTo(isTranslated ? await withKeysOfItsOwn(service.url) : service.url);
  for (const key of keys) {
    const headers = { 'SERVICE-API-KEY': key, ...more };
    const body = JSON.stringify(requestExamples['get-quiz-details']);
    await send(proxy.url, { headers, body });
    await send(proxy.url, { headers });
  }
  if (outage > 0) await service.close();
  for (let lost = 0; lost < outage; lost += 1)
    await send(proxy.url, { body: JSON.stringify(requestExamples['get-quiz-details']) });
  const journal = await fetch(`${proxy.url}/control/sandboxes/default/${as}`);
  const path = join(temporaryFolder(), as);
  writeFileSync(path, await journal.text());
  return path;
}

/** A session with all operations, mistakes, faults and throttled calls. */
async function everything(call: Call, { clock }: SandboxHandle): Promise<void> {
  for (const [operation, body] of operations) {
    await call(operation, { body });
    await clock.advance({ seconds: 1.5 });
  }
  const faults = [
    'http-error; status=503; retry-after=2',
    'output-error',
    'throttled',
    'delay; ms=40',
    'reset',
    'empty-response',
    'truncated-body',
    'malformed-json',
    'garbage',
    'html-error-page',
    'wrong-content-type',
    'short-output',
    'extra-fields',
    'null-fields',
    'http-error; status=500; phase=after',
  ];
  for (const fault of faults) {
    const body = requestExamples['create-instructor-account'];
    await call('create-instructor-account', { body, headers: { 'Sandbox-Fault': fault } });
    await clock.advance({ seconds: 0.25 });
  }
  await call('get-quiz-details', { body: { data: [{ data: { quizId: 'fault.http-error.503' } }] } });
  await call('get-quiz-details', { body: '{"data":' });
  await call('get-quiz-details', { body: { data: [] }, key: 'sbx_default_hillcrest' });
  await call('get-quiz-details', { key: '' });
  await call('get-quiz-details', { key: 'sbx_default_nobody' });
  await call('get-quiz-detail');
  await call('get-quiz-details', { method: 'GET' });
  for (let sent = 0; sent < 20; sent += 1) {
    await call('get-all-live-events');
    await call('get-all-instructors', { key: 'sbx_default_riverside_website' });
    await clock.advance({ seconds: 1 });
  }
  await clock.advance({ seconds: 60 });
  await call('get-all-live-events');
}

/** Calls within and after the outage of a scenario. */
async function outage(call: Call, { clock }: SandboxHandle): Promise<void> {
  for (let sent = 0; sent < 30; sent += 1) {
    await call('list-assignments', { body: requestExamples['list-assignments'] });
    await clock.advance({ seconds: 3 });
  }
}

describe('lp-sandbox replay', () => {
  it.each(['har', 'journal'] as const)(
    'finds no difference in the %s of a sandbox with the same seed',
    async (as) => {
      const path = await recorded(everything, { as });
      const { code, report, out } = await replayed(path);
      expect(report.differences).toEqual([]);
      expect(report.skipped).toEqual([]);
      expect(new Set(report.compared.map(({ operation }) => operation)).size).toBe(operations.length + 1);
      expect(code).toBe(0);
      expect(out).toMatch(/^\d+ calls compared: 0 differences\.$/m);
    },
  );

  it('keeps the faults of a scenario, if it plays the same one', async () => {
    const path = await recorded(outage, { settings: { scenario: 'long-outage' } });
    expect((await replayed(path, '--scenario', 'long-outage')).report.differences).toEqual([]);
    const { code, report } = await replayed(path);
    expect(code).toBe(0);
    expect(report.compared.length).toBeGreaterThan(0);
    expect(report.skipped[0]?.why).toMatch(/^a fault rule shaped its response/);
  });

  it('names the places where replies differ, with the recorded and the replayed value', async () => {
    const path = await recorded(async (call) => {
      await call('get-quiz-details', { body: requestExamples['get-quiz-details'] });
      await call('get-quiz-details', { key: '' });
    });
    const har = readFileSync(path, 'utf8').replaceAll('Base Pairing', 'Base pairs');
    writeFileSync(path, har);
    const { code, report, out } = await replayed(path, '--assume', 'missingKey=http-403');
    expect(code).toBe(3);
    expect(report.differences.map(({ id, left, right }) => [id, left, right])).toEqual([
      ['body:get-quiz-details:call-1:/0/output/data/quizTitle', '"Base pairs"', '"Base Pairing"'],
      ['status:get-quiz-details:call-2', '401', '403'],
    ]);
    expect(out).toContain('2 calls compared: 2 differences.');
    const allowed = await replayed(
      path,
      '--assume',
      'missingKey=http-403',
      '--allow',
      'body:get-quiz-details,status',
    );
    expect(allowed.code).toBe(0);
  });

  it('replays in a new sandbox of a running server, and translates the ids that it assigned', async () => {
    const path = await recorded(everything);
    const server = await startSandbox({ port: 0, randomSeed: 7 });
    onTestFinished(() => server.close());
    const { report } = await replayed(path, '--url', server.url, '--random-seed', '99');
    expect(report.differences).toEqual([]);
    expect(await server.sandbox('sandbox-1')).toBeNull();
  });

  it('uses the file of assumptions also in a new sandbox of a running server', async () => {
    const path = await recorded(async (call) => void (await call('get-all-instructors', { body: '{' })));
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const file = join(temporaryFolder(), 'assumptions.yaml');
    writeFileSync(file, 'assume:\n  refusalBody: problem-json\n');
    const { report } = await replayed(path, '--url', server.url, '--assume-file', file);
    expect(report.differences).not.toEqual([]);
  });

  it.each(['journal.har', 'journal'] as const)(
    'sends the calls in the %s of a proxy with the key of a school, unless the service refused their key',
    async (as) => {
      const path = await proxied(['sbx_default_riverside', 'live_9fQ2xLk7TzWb31vRm8'], as);
      const { code, report } = await replayed(path, '--began', began);
      expect(report.differences).toEqual([]);
      expect(report.compared).toHaveLength(4);
      expect(code).toBe(0);
    },
  );

  it.each(['journal.har', 'journal'] as const)(
    'finds no difference in the %s of a proxy, whatever words of HTTP and of the contract the key has',
    async (as) => {
      for (const key of [
        'live_content-service-application-public',
        'sk_error/description/quizTitle/createdAtIso',
        'QuestionId.status:data-type+errorMessage-MultiCorrect',
        'charset/utf-8/json.retry-after.accept.connection.encoding',
      ]) {
        const path = await proxied([key], as, { isTranslated: true });
        const { report } = await replayed(path, '--began', began);
        expect(report.differences).toEqual([]);
        expect(report.compared).toHaveLength(2);
      }
    },
  );

  it('does not send headers that a proxy has masked', async () => {
    const headers = { 'X-Auth-Token': 'a-secret-value', 'X-live_9fQ2xLk7TzWb31vRm8': '1' };
    const path = await proxied(['live_9fQ2xLk7TzWb31vRm8'], 'journal.har', { isTranslated: true, headers });
    const { report } = await replayed(path, '--began', began);
    expect(report.differences).toEqual([]);
    expect(readFileSync(path, 'utf8')).not.toMatch(/a-secret|9fQ2x/);
  });

  it('sends the calls of a proxy with the key of --school', async () => {
    const path = await proxied(['sbx_default_hillcrest'], 'journal.har');
    const { report } = await replayed(path, '--began', began);
    expect(report.differences.map(({ id }) => id)).not.toEqual([]);
    const ofSchool = await replayed(path, '--began', began, '--school', 'hillcrest');
    expect(ofSchool.report.differences).toEqual([]);
  });

  it.each(['journal.har', 'journal'] as const)(
    'skips the calls of a proxy that the service did not answer, and counts them (%s)',
    async (as) => {
      const path = await proxied(['sbx_default_riverside'], as, { outage: 3 });
      const { report, out } = await replayed(path);
      const why = 'the proxy made its response, because the service did not respond';
      expect(report.skipped.map((one) => one.why)).toEqual([why, why, why]);
      expect(report.compared).toHaveLength(2);
      expect(report.differences.filter(({ call }) => !/^call-[12]$/.test(call))).toEqual([]);
      expect(out).toContain(`3 skipped: ${why}\n`);
    },
  );

  it('compares bodies as text that are nested too deep for anything else', async () => {
    const path = await recorded(async (call) => void (await call('get-all-instructors')));
    const nested = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const har = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly log: { readonly entries: readonly { readonly response: object }[] };
    };
    const entries = har.log.entries.map((entry) => ({
      ...entry,
      response: { ...entry.response, content: { text: `[{"output":{"status":"ok","data":${nested}}}]` } },
    }));
    writeFileSync(path, JSON.stringify({ log: { entries } }));
    const { code, report } = await replayed(path);
    expect([code, report.compared.length]).toEqual([3, 1]);
    expect(report.differences).toMatchObject([{ what: 'body', left: expect.stringContaining('[[[[') }]);
  });

  it('refuses files that are no recording', async () => {
    const path = join(temporaryFolder(), 'a.har');
    writeFileSync(path, '{}');
    await expect(replayed(path)).rejects.toThrow(/a\.har must be an HTTP Archive/);
    await expect(replayed('none.har')).rejects.toThrow('File none.har of replay not found.');
  });
});
