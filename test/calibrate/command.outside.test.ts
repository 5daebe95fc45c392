import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { assumptionNames } from '../../src/assumptions.ts';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { helpText } from '../../src/commands/arguments.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { flags } from '../../src/commands/flags.ts';
import { startSandbox } from '../../src/index.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { temporaryFolder } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { invoke } from '../support/invocation.ts';
import { refusingPort } from '../support/ports.ts';

const key = 'sbx_default_riverside';
const all = probes.map(({ name }) => name).filter((name) => name !== 'service');
const gently = ['--pace', '0', '--quick'];

/** Runs the command to its end, with the key as a variable. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = { UPSTREAM_API_KEY: key }) {
  const invoked = invoke(calibrate, args, { env });
  const code = await invoked.code;
  return { code, ...invoked.said() };
}

function optionsIn(text: string): object {
  return (parse(text) as { readonly assume: object }).assume;
}

function withoutCode(text: string): string {
  return text.replaceAll(/"code":"[^"]*"/g, '');
}

async function complaint(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const error: unknown = await run(args, env).catch((reason: unknown) => reason);
  if (error instanceof SandboxError) return error.message;
  throw new Error('There was no complaint.', { cause: error });
}

async function serve(settings: Parameters<typeof startSandbox>[0] = {}) {
  const server = await startSandbox({ port: 0, ...settings });
  onTestFinished(() => server.close());
  return server;
}

/** The lifetime of a URL is measured with the clock. */
function withoutSeconds(text: string): string {
  return text.replace(/ 3(?:599|600) s$/m, '');
}

describe('lp-sandbox calibrate', () => {
  it('writes what a server starts with that does the same', async () => {
    const { url } = await serve({
      assume: { missingKey: 'http-403', refusalBody: 'html', videoPageSize: '10', emptyBatch: 'refuse' },
    });
    const out = join(temporaryFolder(), 'assumptions.yaml');
    const { code, out: said, err } = await run(['--upstream', url, '--out', out, ...gently]);
    expect([code, err]).toEqual([
      0,
      `lp-sandbox: wrote ${out}. To use it: lp-sandbox start --assume-file ${out}\n`,
    ]);
    expect(said).toMatch(/^missingKey +http-403 \* +a call without a key: HTTP 403, text\/html/m);
    expect(said).toMatch(
      /^couponTypes +percent-off-only or any +coupon-updates: needs --allow-writes because it writes$/m,
    );
    // The file has an entry for each of them, as `parse` of YAML reads it.
    const told = Object.keys((parse(readFileSync(out, 'utf8')) as { readonly assume: object }).assume);
    expect(said).toContain(
      `\n${told.length} of ${assumptionNames.length} assumptions determined, 4 of them (*) different from the sandbox's default.\n`,
    );
    const twin = await serve({ assumeFile: out, assume: { emptyBatch: 'empty-array' } });
    const chosen = (await twin.default.assumptions.list()).filter((one) => one.chosen !== one.default);
    expect(chosen.map((one) => `${one.name}=${one.chosen}`)).toEqual([
      'missingKey=http-403',
      'refusalBody=html',
      'videoPageSize=10',
    ]);
  });

  it.each([
    [undefined, '{"failure":{"code":"{{code}}","text":"{{message}}"},"status":{{status}}}'],
    ['{"Message":"{{message}}"}', '{"failure":{"code":"{{code}}","text":"{{message}}"},"status":{{status}}}'],
  ])('writes the templates of the gateway (%s) and of the service', async (ofGateway, ofService) => {
    const { url } = await serve({
      assume: {
        refusalBody: 'template',
        ...(ofGateway === undefined ? {} : { gatewayRefusalBody: 'template' }),
      },
      refusalTemplate: ofService,
      ...(ofGateway === undefined ? {} : { gatewayTemplate: ofGateway }),
    });
    const out = join(temporaryFolder(), 'assumptions.yaml');
    await run(['--upstream', url, '--out', out, ...gently]);
    const twin = await serve({ assumeFile: out });
    for (const [headers, path] of [
      [{}, 'get-all-instructors'],
      [{ 'SERVICE-API-KEY': key }, 'get-quiz-details'],
    ] as const) {
      const call = async (base: string) =>
        (await fetch(`${base}/public/${path}`, { method: 'POST', headers, body: '{' })).text();
      expect(withoutCode(await call(twin.url))).toBe(withoutCode(await call(url)));
    }
    expect(parse(readFileSync(out, 'utf8'))).toMatchObject({
      'refusal-template': ofService,
      ...(ofGateway === undefined ? {} : { 'gateway-template': ofGateway }),
    });
  });

  it('says in the file when, where and by what it was found out, and what was not', async () => {
    const { url } = await serve();
    const out = join(temporaryFolder(), 'assumptions.yaml');
    await run(['--upstream', url, '--out', out, ...gently]);
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(
      /^# Options of 127\.0\.0\.1:\d+, determined by lp-sandbox calibrate from 20\d\d-\d\d-\d\dT[\d:]{8}Z to \S+Z with \d+ calls\.\n/,
    );
    expect(text).toMatch(/^ {2}# a call without a key: HTTP 401, .*\n {2}missingKey: http-401$/m);
    expect(text).toMatch(
      /^# {3}throttleReply \(http-429, http-503, http-403, output-error\): rate-limit: skipped by --quick$/m,
    );
    expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(parse(text) as object)));
  });

  it('only reads where nobody allows it to write, and is never throttled', async () => {
    const server = await serve();
    await run(['--upstream', server.url, '--out', join(temporaryFolder(), 'a.yaml'), ...gently]);
    const entries = await server.default.journal.list();
    expect(entries.length).toBeGreaterThan(30);
    expect(entries.filter(({ operation }) => /^(update|create|submit)-/.test(operation))).toEqual([]);
    expect(entries.filter(({ outcome }) => outcome === 'throttled')).toEqual([]);
  });

  it('shows no key', async () => {
    const { url } = await serve();
    const out = join(temporaryFolder(), 'a.yaml');
    const { out: said, err } = await run(['--upstream', url, '--out', out, ...gently]);
    expect(`${said}${err}${readFileSync(out, 'utf8')}`).not.toContain(key);
  });

  it('only lists its probes where that is wanted, each with what it writes', async () => {
    const server = await serve();
    const { code, out } = await run(
      ['--upstream', server.url, '--dry-run', '--allow-writes', '--skip', 'title-search'],
      {},
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^missing-key +1 +a call without a key$/m);
    expect(out).toMatch(/^title-search +- .* \(left out: skipped by --skip\)$/m);
    expect(out).toMatch(
      /^coupon-updates +\d+ .*\n +WRITES: changes the coupon of --known and restores it after each attempt$/m,
    );
    expect(out).toMatch(
      /^At most \d+ calls \(each is repeated once if it fails\), one at a time, in at most \d+ min if.* Probes that write: coupon-updates, lab-updates, instructor-accounts, submissions\.$/m,
    );
    expect(await server.default.journal.list()).toEqual([]);
  });

  it('writes over no file unless told so', async () => {
    const { url } = await serve();
    const out = join(temporaryFolder(), 'a.yaml');
    writeFileSync(out, 'mine\n');
    expect(await complaint(['--upstream', url, '--out', out, ...gently])).toMatch(
      /^The file .*a\.yaml already exists\. .*--force\.$/,
    );
    expect(readFileSync(out, 'utf8')).toBe('mine\n');
    await run(['--upstream', url, '--out', out, '--force', ...gently]);
    expect(readFileSync(out, 'utf8')).toContain('assume:');
  });

  it('follows no redirect, so that the key goes nowhere else', async () => {
    const { default: elsewhere, url } = await serve();
    const upstream = createServer((_, response) =>
      response.writeHead(307, { Location: `${url}/public/get-all-live-events` }).end(),
    );
    await new Promise<void>((up) => void upstream.listen(0, '127.0.0.1', up));
    onTestFinished(() => void upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const args = ['--upstream', `http://127.0.0.1:${port}`, '--out', join(temporaryFolder(), 'a.yaml')];
    await expect(run([...args, ...gently])).rejects.toThrow(
      `redirects to another host, ${url}. The API key was not sent there.`,
    );
    expect(await elsewhere.journal.list()).toEqual([]);
  });

  it('stops between two calls when it is asked to, and writes nothing', async () => {
    let calls = 0;
    const upstream = createServer((_, response) => {
      calls += 1;
      response.end('[]');
      stopped.signal('SIGINT');
    });
    await new Promise<void>((up) => void upstream.listen(0, '127.0.0.1', up));
    onTestFinished(() => void upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const out = join(temporaryFolder(), 'a.yaml');
    const args = ['--upstream', `http://127.0.0.1:${port}`, '--out', out, '--pace', '60'];
    const stopped = invoke(calibrate, args, { env: { UPSTREAM_API_KEY: key } });
    await expect(stopped.code).rejects.toThrow('To continue, run the same command with --resume.');
    expect([calls, existsSync(out)]).toEqual([1, false]);
  });

  it('says with an exit code of its own that nothing could be determined', async () => {
    const { url } = await serve();
    const out = join(temporaryFolder(), 'a.yaml');
    const args = ['--upstream', url, '--out', out, ...gently, '--skip', all.join(',')];
    const { code, err } = await run(args);
    expect([code, err, existsSync(out)]).toEqual([
      4,
      'lp-sandbox: nothing could be determined; no file was written.\n',
      false,
    ]);
    expect(helpText(calibrate, [], calibrate)).toMatch(/^ {2}4 {2}nothing could be determined/m);
  });

  it('exits with 3 where the service differs from the file of --check, and names each change', async () => {
    // Three runs within a minute would exceed the limits.
    const assume = { missingKey: 'http-403', videoPageSize: '10' } as const;
    const { url } = await serve({ limits: 'off', assume });
    const file = join(temporaryFolder(), 'before.yaml');
    writeFileSync(
      file,
      'assume:\n  missingKey: http-401\n  videoPageSize: 10\n  couponTypes: any\n  throttleReply: http-503\n',
    );
    const args = ['--upstream', url, '--check', file, ...gently];
    const { code, out, err } = await run(args);
    expect([code, err]).toEqual([3, '']);
    expect(out).toMatch(
      /^changed +in the file +now +evidence\nmissingKey +http-401 +http-403 +a call without a key: HTTP 403/m,
    );
    expect(out).toMatch(/^couponTypes +any +coupon-updates: needs --allow-writes/m);
    expect(out).toMatch(/^throttleReply +http-503 +rate-limit: skipped by --quick/m);
    expect(out).toMatch(/^1 change from .*before\.yaml; \d+ of \d+ assumptions determined now\.$/m);
    const json = await run([...args, '--format', 'json']);
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      3,
      {
        host: new URL(url).host,
        determined: expect.arrayContaining([
          {
            assumption: 'videoPageSize',
            option: '10',
            isDefault: false,
            evidence: ['pageSize of the video library: 10'],
          },
        ]),
        changes: [{ assumption: 'missingKey', before: 'http-401', now: 'http-403' }],
        unchecked: [{ assumption: 'throttleReply' }, { assumption: 'couponTypes' }],
      },
    ]);
    writeFileSync(file, 'assume:\n  missingKey: http-403\n');
    expect((await run(args)).code).toBe(0);
    expect((await run([...args, '--skip', all.join(',')])).code).toBe(4);
  });

  it('continues after an interruption without repeating a probe', async () => {
    // The calls of several runs would exceed the limits.
    const server = await serve({ limits: 'off' });
    const out = join(temporaryFolder(), 'a.yaml');
    const args = ['--upstream', server.url, '--out', out, ...gently];
    const operations = async () => {
      const entries = await server.default.journal.list();
      await server.default.journal.clear();
      return entries.map(({ operation }) => operation);
    };
    const whole = await run(args);
    const file = readFileSync(out, 'utf8');
    const all = (await operations()).length;
    const stop = new AbortController();
    const interrupted = invoke(calibrate, [...args, '--force'], {
      env: { UPSTREAM_API_KEY: key },
      terminals: { err: true },
      stopped: new Promise<void>((done) => stop.signal.addEventListener('abort', () => done())),
    });
    await eventually(() => expect(interrupted.said().err).toContain('unknown-id'));
    stop.abort();
    await expect(interrupted.code).rejects.toThrow('--resume');
    const checkpoint = readFileSync(`${out}.checkpoint`, 'utf8');
    // Windows has no such permissions.
    if (process.platform !== 'win32') expect(statSync(`${out}.checkpoint`).mode & 0o777).toBe(0o600);
    // What a crash left does not matter.
    writeFileSync(`${out}.checkpoint.new`, '{');
    expect(checkpoint).not.toContain(key);
    const before = (await operations()).length;
    const resumed = await run([...args, '--force', '--resume']);
    expect([resumed.code, existsSync(`${out}.checkpoint`), existsSync(`${out}.checkpoint.new`)]).toEqual([
      0,
      false,
      false,
    ]);
    expect(withoutSeconds(resumed.out)).toBe(withoutSeconds(whole.out));
    expect(optionsIn(readFileSync(out, 'utf8'))).toEqual(optionsIn(file));
    // The check of the service and the interrupted probe are made again.
    const after = (await operations()).length;
    expect(after).toBeLessThan(all - before + 8);
    expect(await complaint([...args, '--force', '--resume'])).toMatch(
      /^There is no checkpoint .*a\.yaml\.checkpoint/,
    );
    writeFileSync(`${out}.checkpoint`, checkpoint.replace(server.url, 'http://other.example'));
    expect(await complaint([...args, '--force', '--resume'])).toMatch(
      /another service, http:\/\/other\.example/,
    );
    writeFileSync(`${out}.checkpoint`, checkpoint.replace('"finished":', '"found":'));
    expect(await complaint([...args, '--force', '--resume'])).toMatch(
      /is not a whole checkpoint: finished is missing\. Run calibrate without --resume\.$/,
    );
  });

  it('names a service that is not there', async () => {
    const url = `http://127.0.0.1:${await refusingPort()}`;
    await expect(
      run(['--upstream', url, '--out', join(temporaryFolder(), 'a.yaml'), ...gently]),
    ).rejects.toThrow(/^127\.0\.0\.1:\d+ gave no usable response: .*ECONNREFUSED/);
  });

  it.each<readonly [string, readonly string[], NodeJS.ProcessEnv, RegExp]>([
    ['no service', [], {}, /^Set the service to probe, for example: --upstream https:\/\/service\.example$/],
    [
      'no URL',
      ['--upstream', 'service.example'],
      {},
      /^--upstream must be a URL, such as .*, but is "service\.example"\.$/,
    ],
    [
      'an operation',
      ['--upstream', 'http://127.0.0.1:1/base/public/'],
      {},
      /Did you mean --upstream http:\/\/127\.0\.0\.1:1\/base$/,
    ],
    [
      'no key',
      ['--upstream', 'http://127.0.0.1:1'],
      {},
      /^calibrate needs an API key: set UPSTREAM_API_KEY or --api-key\.$/,
    ],
    [
      'a key in the URL',
      ['--upstream', 'http://me:secret@127.0.0.1:1'],
      {},
      /^--upstream must not contain a user name or password\./,
    ],
    [
      'a key that no header can carry',
      ['--upstream', 'http://127.0.0.1:1'],
      { UPSTREAM_API_KEY: 'secret\nkey' },
      /^UPSTREAM_API_KEY \(or --api-key\) contains characters that are not allowed in a header\.$/,
    ],
    [
      'a probe that is none',
      ['--upstream', 'http://127.0.0.1:1', '--skip', 'wrong-kee'],
      {},
      /^Unknown probe "wrong-kee"\. Did you mean "wrong-key"\?/,
    ],
    [
      'a format that is none',
      ['--upstream', 'http://127.0.0.1:1', '--format', 'xml'],
      {},
      /^--format must be one of text, json, but is "xml"\.$/,
    ],
    [
      'a pace that is none',
      ['--upstream', 'http://127.0.0.1:1', '--pace', 'slow'],
      {},
      /^--pace must be a number of seconds/,
    ],
    [
      'a file that is not there',
      ['--upstream', 'http://127.0.0.1:1', '--known', 'nowhere.yaml'],
      {},
      /^File nowhere\.yaml of --known not found\.$/,
    ],
  ])('refuses %s', async (_, args, env, message) => {
    expect(await complaint([...args, '--out', join(temporaryFolder(), 'a.yaml')], env)).toMatch(message);
  });

  it.each([
    ['quizID: x', /has an unknown name "quizID"\. Did you mean "quizId"\?/],
    ['quizId: 7.5', /quizId must be text, but is/],
    [
      'coupon: { serviceCouponCodeId: x }',
      /coupon lacks serviceDigitalProductId, .* so that they can be restored\.$/,
    ],
  ])('refuses the known identifiers %s', async (text, message) => {
    const file = join(temporaryFolder(), 'known.yaml');
    writeFileSync(file, text);
    expect(await complaint(['--upstream', 'http://127.0.0.1:1', '--dry-run', '--known', file])).toMatch(
      message,
    );
  });
});

describe('--assume-file', () => {
  it.each([
    ['nowhere', null, /^There is no file .*lp-sandbox calibrate writes one\.$/],
    ['nothing of assumptions', 'port: 1\n', /must map "assume" to assumptions with their options/],
    [
      'another setting',
      'assume: {}\nport: 1\n',
      /must have only "assume" and templates, but has "port"\. Other settings belong in --config\.$/,
    ],
    [
      'an unknown assumption',
      'assume: { unknownID: http-404 }\n',
      /unknownID is not an assumption\. Did you mean "unknownId"\?/,
    ],
    [
      'an unknown option',
      'assume: { unknownId: http-405 }\n',
      /unknownId must be one of .*, but is the string "http-405"\. Did you mean "http-404"\?$/,
    ],
  ])('is refused where it leads to %s', async (_, text, message) => {
    const file = join(temporaryFolder(), 'a.yaml');
    if (text !== null) writeFileSync(file, text);
    await expect(startSandbox({ port: 0, assumeFile: file })).rejects.toThrow(message);
  });

  it('goes on top of the profile, and --assume on top of it', async () => {
    const file = join(temporaryFolder(), 'a.yaml');
    writeFileSync(file, 'assume:\n  videoPageSize: 50\n  emptyBatch: empty-array\n  unknownUser: create\n');
    const { default: sandbox } = await serve({
      assumeFile: file,
      profile: 'strict',
      assume: { unknownUser: 'element-error' },
    });
    const chosen = new Map((await sandbox.assumptions.list()).map((one) => [one.name, one.chosen]));
    expect(
      ['videoPageSize', 'emptyBatch', 'unknownUser', 'requiredFields'].map((name) => chosen.get(name)),
    ).toEqual(['50', 'empty-array', 'element-error', 'all']);
  });
});
