import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/assumptions.ts';
import { CannotRun } from '../../src/commands/child.ts';
import { matrix } from '../../src/commands/matrix/command.ts';
import type { Matrix } from '../../src/commands/matrix/plan.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { client } from '../support/client-program.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectFits } from '../support/control.ts';
import { eventually } from '../support/eventually.ts';
import { invoke, isAlive } from '../support/invocation.ts';

/** Runs the matrix to its end, with a report that is held against its schema. */
async function runMatrix(
  flags: readonly string[],
  program: readonly string[],
  given: Parameters<typeof invoke>[2] = {},
) {
  const file = join(temporaryFolder(), 'matrix.json');
  const invoked = invoke(matrix, ['--report', file, ...flags, ...program], given);
  const code = await invoked.code;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Matrix;
  expectFits('Matrix', report);
  return {
    code,
    ...invoked.said(),
    report,
    results: Object.fromEntries(report.runs.map(({ name, result }) => [name, result])),
  };
}

const good = client("await call('get-all-instructors');");
const nothing = ['--', 'true'];

const optionRuns = Object.entries(assumptions).flatMap(([name, { options, default: usual }]) =>
  Object.keys(options)
    .filter((option) => option !== usual && option !== 'template')
    .map((option) => `${name}=${option}`),
);
const scenarioRuns = readdirSync('fixtures/scenarios').map((file) => `scenario:${file.replace('.yaml', '')}`);
const profileRuns = ['always-200', 'problem-json', 'gateway', 'strict'].map((name) => `profile:${name}`);

describe('the runs of lp-sandbox matrix', () => {
  it('are one with the defaults, one per other option of every assumption that needs no text, and one per scenario that ships', async () => {
    const { report, code } = await runMatrix(['--jobs', '8'], nothing);
    expect(report.runs.map(({ name }) => name)).toEqual([
      'defaults',
      ...optionRuns,
      ...scenarioRuns.toSorted(),
    ]);
    expect(new Set(report.runs.map(({ kind }) => kind))).toEqual(
      new Set(['defaults', 'assumption', 'scenario']),
    );
    expect([code, report.failed, report.skipped]).toEqual([1, 1, optionRuns.length + scenarioRuns.length]);
  });

  it('are only the first one if that makes no call, which fails even if every run may fail', async () => {
    const { code, err, out, report } = await runMatrix(['--only', 'unknownId', '--allow'], nothing);
    expect([code, report.runs.map(({ result }) => result)]).toEqual([1, ['failed', 'skipped', 'skipped']]);
    expect(report.runs[1]?.reason).toBe('the run "defaults" made no call');
    expect(out).toContain('2 skipped, because the command made no call in the run "defaults".');
    expect(err).toContain(
      'lp-sandbox: the command made no call in the run "defaults", so the other 2 runs were skipped. Check that the command starts, and that it sends its calls to SANDBOX_URL.\n',
    );
  });

  it('begin with those that take the longest, after the one with the defaults', async () => {
    const only = 'unknownId=http-404,key-revoked,lost-replies,slow-day';
    const { err, report } = await runMatrix(['--only', only], good);
    expect([...err.matchAll(/^\d\/5 {2}(\S+)/gm)].map(([, name]) => name)).toEqual([
      'defaults',
      'scenario:slow-day',
      'scenario:key-revoked',
      'scenario:lost-replies',
      'unknownId=http-404',
    ]);
    expect(report.runs[1]?.name).toBe('unknownId=http-404');
  });

  it('include an option that needs a template only if it is named', async () => {
    const template = ['--refusal-template', '{"text":"{{message}}"}'];
    const { report } = await runMatrix(['--only', 'refusalBody=template', ...template], good);
    expect(report.runs.map(({ name }) => name)).toEqual(['defaults', 'refusalBody=template']);
  });

  it.each([
    [
      'a profile each, too',
      ['--profiles', '--only', 'bad-gateway'],
      ['scenario:bad-gateway', ...profileRuns],
    ],
    ['an assumption', ['--only', 'unknownId'], ['unknownId=http-404', 'unknownId=synthesise']],
    ['an option', ['--only', 'missingKey=http-403'], ['missingKey=http-403']],
    [
      'several, in the order of the plan',
      ['--only', 'lost-replies, unknownId', '--only=strict'],
      ['unknownId=http-404', 'unknownId=synthesise', 'scenario:lost-replies', 'profile:strict'],
    ],
    [
      'a run by its own name',
      ['--only', 'profile:strict,scenario:slow-day'],
      ['scenario:slow-day', 'profile:strict'],
    ],
    ['all scenarios', ['--only', 'scenarios'], scenarioRuns.toSorted()],
    ['all profiles', ['--only', 'profiles'], profileRuns],
    ['nothing but the defaults', ['--only', 'defaults'], []],
  ])('are those that are asked for beside the defaults: %s', async (_, flags, names) => {
    const { report } = await runMatrix([...flags, '--jobs', '8'], nothing);
    expect(report.runs.map(({ name }) => name)).toEqual(['defaults', ...names]);
  });

  it('have a server and a sandbox each, with what the run is about on top of what is asked for all', async () => {
    const folder = temporaryFolder();
    const body = `
      await call('get-all-instructors');
      const one = JSON.parse(await control('GET', '/sandboxes/' + env.SANDBOX_ID));
      const { assumptions } = JSON.parse(await control('GET', '/sandboxes/' + env.SANDBOX_ID + '/assumptions'));
      const chosen = assumptions.filter((one) => one.chosen !== one.default).map(({ name, chosen }) => name + '=' + chosen);
      const { randomSeed, scenario } = one;
      const told = { run: env.SANDBOX_RUN, key: env.SANDBOX_API_KEY, url: env.SANDBOX_URL, token: env.SANDBOX_CONTROL_TOKEN, randomSeed, scenario, chosen };
      writeFileSync(${JSON.stringify(folder)} + '/' + env.SANDBOX_ID, JSON.stringify(told));`;
    const flags = [
      '--only',
      'unknownId=http-404,refusalBody=html,bad-gateway,profile:gateway',
      '--scenario',
      'slow-day',
      '--assume',
      'refusalBody=empty',
    ];
    const { report } = await runMatrix(
      [...flags, '--jobs', '4', '--random-seed', '9', '--control-token', 'a-good-token'],
      client(body),
    );
    const told = readdirSync(folder).map(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>,
    );
    expect(new Set(told.map(({ url }) => url)).size).toBe(told.length);
    const common = { token: 'a-good-token', randomSeed: 9, url: expect.stringContaining('http://') };
    const basis = 'refusalBody=empty';
    expect(told.toSorted((one, other) => String(one['run']).localeCompare(String(other['run'])))).toEqual([
      { ...common, run: 'defaults', key: 'sbx_defaults_riverside', scenario: 'slow-day', chosen: [basis] },
      {
        ...common,
        run: 'profile:gateway',
        key: 'sbx_profile-gateway_riverside',
        scenario: 'slow-day',
        chosen: [
          'missingKey=http-403',
          'invalidKey=http-403',
          basis,
          'gatewayRefusalBody=html',
          'throttleReply=http-503',
          'retryAfter=none',
        ],
      },
      {
        ...common,
        run: 'refusalBody=html',
        key: 'sbx_refusal-body-html_riverside',
        scenario: 'slow-day',
        chosen: ['refusalBody=html'],
      },
      {
        ...common,
        run: 'scenario:bad-gateway',
        key: 'sbx_scenario-bad-gateway_riverside',
        scenario: 'bad-gateway',
        chosen: [basis],
      },
      {
        ...common,
        run: 'unknownId=http-404',
        key: 'sbx_unknown-id-http-404_riverside',
        scenario: 'slow-day',
        chosen: [basis, 'unknownId=http-404'],
      },
    ]);
    expect(report.runs.find(({ name }) => name === 'unknownId=http-404')).toMatchObject({
      assumptions: { refusalBody: 'empty', unknownId: 'http-404' },
      scenario: 'slow-day',
    });
  });

  it('come as many at once as --jobs says, but the one with the defaults is alone', async () => {
    const folder = temporaryFolder();
    const body = `
      const folder = ${JSON.stringify(folder)};
      const others = () => readdirSync(folder).length;
      await call('get-all-instructors');
      if (env.SANDBOX_RUN === 'defaults') process.exit(others() === 0 ? 0 : 9);
      writeFileSync(folder + '/' + env.SANDBOX_ID, '');
      while (others() < 3) await new Promise((done) => setTimeout(done, 20));`;
    const { report } = await runMatrix(
      ['--only', 'batchProcessing', '--jobs', '3', '--timeout', '10'],
      client(body),
    );
    expect(report.runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  });

  it.each([
    [
      ['--only', 'missingKy'],
      '--only: unknown run "missingKy". Did you mean "missingKey"? Known: assumptions, scenarios, profiles, defaults, bad-gateway,',
    ],
    [['--only', 'unknownId,'], '--only: unknown run "".'],
    [
      ['--only', 'missingKey=http-402'],
      'missingKey has no option "http-402". Did you mean "http-403"? Known: http-403, output-error.',
    ],
    [
      ['--only', 'missingKey=http-401'],
      'missingKey=http-401 is the default, which the run "defaults" covers.',
    ],
    [['--allow', 'lost-replys'], '--allow: unknown run "lost-replys". Did you mean "lost-replies"?'],
    [['--jobs', '0'], '--jobs must be a whole number from 1 to 100, but is "0".'],
    [
      ['--timeout', '0'],
      '--timeout must be a number of seconds above 0 and up to 86400 (one day), but is "0".',
    ],
    [
      ['--report', 'a.pdf'],
      '--report "a.pdf" must end in one of .json, .html, .junit.xml, .md; any .xml is JUnit.',
    ],
    [['--data', 'x'], 'matrix has no flag --data.'],
    [
      ['--port', '4011', '--jobs', '2'],
      '--port cannot be used with --jobs 2, because each run has a server of its own.',
    ],
    [
      ['--junit', 'tests.xml', '--jobs', '2'],
      '--junit "tests.xml" must contain {run} if --jobs is more than 1',
    ],
    [['--fail-on', 'limit'], 'Unknown name in --fail-on: "limit". Did you mean "limits"?'],
    [['--allow', 'limits:list-assignments'], '--allow has no effect without --fail-on'],
    [['--min-coverage', 'faults=3'], 'Unknown group in --min-coverage: "faults".'],
  ])('are none for wrong usage: %j', async (flags, message) => {
    const ended = invoke(matrix, [...flags, ...nothing]).code;
    await expect(ended).rejects.toThrow(SandboxError);
    await expect(ended).rejects.toThrow(message);
  });

  it('are none where the program cannot be run', async () => {
    const { code, said } = invoke(matrix, ['--', '/nowhere/to/be/found']);
    await expect(code).rejects.toThrow(CannotRun);
    expect(said().out).toBe('');
  });
});

describe('a run of lp-sandbox matrix', () => {
  /** Fails under one option and in no other run. */
  const fragile = client(`
    const [{ output }] = JSON.parse(await call('get-all-instructors'));
    for (const { createdAt } of output.data.instructors) if (!/^\\d{4}-/.test(createdAt)) throw new TypeError('bad date ' + typeof createdAt);`);

  it('fails where the client breaks under its option, and nowhere else', async () => {
    const flags = ['--only', 'instructorTimestampFormat,rateLimitHeaders,openValues', '--jobs', '3'];
    const { code, results, report } = await runMatrix(flags, fragile);
    expect(results).toEqual({
      defaults: 'passed',
      'instructorTimestampFormat=epoch-milliseconds': 'failed',
      'instructorTimestampFormat=rfc-1123': 'failed',
      'rateLimitHeaders=ietf': 'passed',
      'rateLimitHeaders=ratelimit': 'passed',
      'rateLimitHeaders=x-ratelimit': 'passed',
      'openValues=plausible': 'not-met',
    });
    expect(code).toBe(1);
    expect([report.passed, report.failed, report.notMet]).toEqual([4, 2, 1]);
    const failed = report.runs.find(({ result }) => result === 'failed');
    expect(failed).toMatchObject({
      exitCode: 1,
      calls: 1,
      reason: 'exit code 1: TypeError: bad date string',
    });
    expect(failed?.output).toContain('TypeError: bad date');
  });

  const call = `curl --silent --output /dev/null "$SANDBOX_URL/public/get-all-instructors" -H "SERVICE-API-KEY: $SANDBOX_API_KEY" -H 'Content-Type: application/json' -d '{"data":[{"data":{}}]}'`;
  const brief = ['--', 'sh', '-c', `${call}; case "$SANDBOX_RUN" in instructor*) exit 1 ;; esac`];

  it.each([
    [['--allow'], 0],
    [['--allow', 'instructorTimestampFormat'], 0],
    [
      [
        '--allow=instructorTimestampFormat=rfc-1123',
        '--allow',
        'instructorTimestampFormat=epoch-milliseconds',
      ],
      0,
    ],
    [['--allow', 'instructorTimestampFormat=rfc-1123'], 1],
    [['--allow', 'scenarios'], 1],
  ])('that fails makes the whole end with 1, unless it may: %j', async (allow, code) => {
    const ended = await runMatrix(['--only', 'instructorTimestampFormat', ...allow, '--jobs', '3'], brief);
    expect(ended.code).toBe(code);
    expect(ended.report.failed).toBe(2);
  });

  it('is never a pass without a call to its sandbox', async () => {
    const { report, code, out } = await runMatrix(['--only', 'defaults'], nothing);
    expect(code).toBe(1);
    expect(report.runs).toMatchObject([
      { result: 'failed', calls: 0, exitCode: 0, reason: 'did not call its sandbox' },
    ]);
    expect(out).toContain(
      '1 run: 0 passed, 1 failed. Check that the command starts, and that it sends its calls to SANDBOX_URL. All runs',
    );
  });

  it.each([
    ['with an invalid key', "await call('get-all-instructors', {}, 'x');"],
    ['at a wrong path', "await call('Get-All-Instructors');"],
  ])('is never a pass with nothing but calls %s', async (_, body) => {
    const { report } = await runMatrix(['--only', 'defaults'], client(body));
    expect(report.runs).toMatchObject([
      { result: 'failed', calls: 1, reason: 'did not call an operation with a valid key' },
    ]);
  });

  it('has its option for every key, with any school and sandbox', async () => {
    const body = `
      const [{ output }] = JSON.parse(await call('get-all-instructors', {}, 'sbx_own_hillcrest'));
      const { id } = JSON.parse(await control('POST', '/sandboxes', {}));
      await call('get-all-instructors', {}, 'sbx_' + id + '_riverside');
      console.log(output.data.instructors[0].createdAt);`;
    const { report } = await runMatrix(
      ['--only', 'instructorTimestampFormat=rfc-1123,flaky-network', '--jobs', '2'],
      client(body),
    );
    expect(report.runs).toMatchObject([
      { calls: 2, output: expect.stringMatching(/^20/) },
      { calls: 2, result: 'passed', output: expect.stringMatching(/ GMT\n$/) },
      { calls: 2, result: 'passed' },
    ]);
  });

  it('that never came to what it is about is told apart from those that passed', async () => {
    const { code, report, out, results } = await runMatrix(
      ['--only', 'unknownId=http-404,bad-gateway,strict', '--jobs', '3'],
      good,
    );
    expect(code).toBe(0);
    expect(results).toEqual({
      defaults: 'passed',
      'unknownId=http-404': 'not-met',
      'scenario:bad-gateway': 'not-met',
      'profile:strict': 'not-met',
    });
    expect(report.runs.slice(1).map(({ reason }) => reason)).toEqual([
      'passed, but not met: no response depended on unknownId',
      'passed, but not met: no rule of the scenario fired',
      'passed, but not met: no response depended on the options of the profile',
    ]);
    expect(out).toContain('4 runs: 1 passed, 0 failed, 3 not met.');
  });

  it('came to what it is about where a reply was shaped by it, or a rule fired, whatever the client does afterwards', async () => {
    const body = `
      await call('get-quiz-details', { quizId: 'unknown' });
      await call('get-quiz-details', { quizId: 'unknown', note: 1 });
      await call('get-all-instructors').catch(() => {});
      await control('POST', '/sandboxes/' + env.SANDBOX_ID + '/reset');
      await control('DELETE', '/sandboxes/' + env.SANDBOX_ID);`;
    const { results } = await runMatrix(
      ['--only', 'unknownId,flaky-network,strict', '--jobs', '3'],
      client(body),
    );
    expect(new Set(Object.values(results))).toEqual(new Set(['passed']));
  });

  it.each(['1', '2'])('has its option without a usable key, too, with --jobs %s', async (jobs) => {
    const body = `
      await call('get-all-instructors');
      const statusWith = async (headers) => (await fetch(env.SANDBOX_URL + '/public/get-all-instructors', { method: 'POST', headers })).status;
      console.log(await statusWith({}), await statusWith({ 'SERVICE-API-KEY': 'x' }));`;
    const { report } = await runMatrix(
      ['--only', 'missingKey,invalidKey=http-403', '--jobs', jobs],
      client(body),
    );
    expect(report.runs.map(({ name, result, output }) => [name, result, output.trim()])).toEqual([
      ['defaults', 'passed', '401 401'],
      ['missingKey=http-403', 'passed', '403 401'],
      ['missingKey=output-error', 'passed', '200 401'],
      ['invalidKey=http-403', 'passed', '401 403'],
    ]);
  });

  it('that takes too long is ended with all that it has started, and fails; one that does not end when it is asked to is made to', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const flags = ['--only', 'defaults', '--timeout', '0.5'];
    const [obedient, deaf] = await Promise.all([
      runMatrix(flags, ['--', 'sh', '-c', `sleep 60 & echo $! >'${pidFile}'; wait; exit 0`]),
      runMatrix(flags, ['--', 'sh', '-c', "trap '' TERM; while :; do sleep 0.1; done"]),
    ]);
    const common = { result: 'failed', exitCode: null, reason: 'took longer than 0.5 s' };
    expect(obedient.report.runs).toMatchObject([{ ...common, signal: 'SIGTERM' }]);
    expect(deaf.report.runs).toMatchObject([{ ...common, signal: 'SIGKILL' }]);
    await eventually(() => expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false));
  });

  it('leaves nothing behind', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const { report } = await runMatrix(
      ['--only', 'defaults'],
      ['--', 'sh', '-c', `sleep 60 & echo $! >'${pidFile}'; exit 3`],
    );
    expect(report.runs).toMatchObject([{ exitCode: 3, reason: 'exit code 3, no output' }]);
    await eventually(() => expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false));
  });

  it('that a signal ends says so', async () => {
    const { report } = await runMatrix(['--only', 'defaults'], ['--', 'sh', '-c', 'kill -9 $$']);
    expect(report.runs).toMatchObject([
      { result: 'failed', exitCode: null, signal: 'SIGKILL', reason: 'ended by SIGKILL' },
    ]);
  });
});
