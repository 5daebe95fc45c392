import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matrix } from '../../src/commands/matrix/command.ts';
import type { Matrix } from '../../src/commands/matrix/plan.ts';
import type { Report } from '../../src/report/report.ts';
import { client } from '../support/client-program.ts';
import { lpSandbox, run, temporaryFolder } from '../support/command.ts';
import { expectFits } from '../support/control.ts';
import { invoke } from '../support/invocation.ts';

async function runMatrix(flags: readonly string[], program: readonly string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'matrix.json');
  const invoked = invoke(matrix, ['--report', file, ...flags, ...program]);
  const code = await invoked.code;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Matrix;
  expectFits('Matrix', report);
  const results = Object.fromEntries(report.runs.map(({ name, result }) => [name, result]));
  return { code, folder, ...invoked.said(), report, results };
}

/** Breaks the contract in the run with the gateway's errors. */
const wrongAtGateway = client(`
  await call('get-all-instructors').catch(() => {});
  await call('get-quiz-details', env.SANDBOX_RUN.startsWith('scenario') ? { quizId: 7 } : { quizId: 'x' });`);

const violations = ['--fail-on', 'violations'];

describe('a run of lp-sandbox matrix is graded', () => {
  const flags = ['--only', 'flaky-network,unknownId=http-404', '--jobs', '2'];

  it('by --fail-on: a threshold that it misses makes it fail, with the finding as the reason', async () => {
    const { code, report, results, out, err } = await runMatrix([...flags, ...violations], wrongAtGateway);
    expect(code).toBe(3);
    expect(results).toEqual({
      defaults: 'passed',
      'unknownId=http-404': 'passed',
      'scenario:flaky-network': 'failed',
    });
    const sentence = expect.stringContaining(
      'The client violated the contract once: violations:get-quiz-details:/data/*/data/quizId:',
    );
    expect(report.runs.find(({ result }) => result === 'failed')).toMatchObject({
      exitCode: 0,
      reason: sentence,
      missed: [sentence],
      violations: 1,
    });
    expect(report.report.violations).toMatchObject([{ count: 1, requestIds: ['scenario-flaky-network-2'] }]);
    expect(out).toMatch(/\nscenario:flaky-network +failed +2 +1 +.*violations:get-quiz-details/);
    expect(err).toContain('scenario:flaky-network failed (');
  });

  it.each([
    ['without a threshold', [], 0],
    ['if the finding is allowed', [...violations, '--allow', 'violations:get-quiz-details'], 0],
    ['if its run is allowed', [...violations, '--allow', 'flaky-network'], 0],
    [
      'if one is allowed beside another run',
      [...violations, '--allow', 'unknownId,violations:get-quiz-details'],
      0,
    ],
    ['unless only another finding is', [...violations, '--allow', 'violations:list-assignments'], 3],
  ])('and the violation fails nothing %s', async (_, more, code) => {
    expect((await runMatrix([...flags, ...more], wrongAtGateway)).code).toBe(code);
  });

  it('by new findings only, with a baseline', async () => {
    const baseline = join(temporaryFolder(), 'findings.json');
    const written = await runMatrix([...flags, ...violations, '--write-baseline', baseline], wrongAtGateway);
    expect(written.code).toBe(0);
    expect(readFileSync(baseline, 'utf8')).toContain('"violations:get-quiz-details:/data/*/data/quizId:');
    const known = await runMatrix([...flags, ...violations, '--baseline', baseline], wrongAtGateway);
    expect([known.code, known.report.failed]).toEqual([0, 0]);
    expect(known.report.runs[0]?.command).toContain(`--baseline ${baseline}`);
  });

  it('with 1 if its command fails, even if another run only misses a threshold', async () => {
    const failing = client(`
      await call('get-quiz-details', { quizId: 7 });
      if (env.SANDBOX_RUN === 'unknownId=http-404') process.exit(5);`);
    expect((await runMatrix([...flags, ...violations], failing)).code).toBe(1);
  });

  it('together with all others by --min-coverage', async () => {
    const body = `
      await call(env.SANDBOX_RUN === 'defaults' ? 'get-all-instructors' : 'list-assignments', { page: 1 }).catch(() => {});`;
    const only = ['--only', 'rateLimitHeaders=ietf'];
    const { report, code, out } = await runMatrix([...only, '--min-coverage', '1'], client(body));
    const { met, of, percent } = report.report.situations;
    expect([code, met, report.report.calls]).toEqual([0, 2, 2]);
    expect(out).toContain(`All runs together met 2 of ${of} situations (${percent} %).`);
    const missed = await runMatrix([...only, '--min-coverage', String(percent + 1)], client(body));
    expect([missed.code, missed.report.failed]).toEqual([3, 0]);
    const sentence = `The client met 2 of ${of} situations (${percent} %); ${percent + 1} % are required.`;
    expect(missed.report.missed).toEqual([sentence]);
    expect(missed.err).toContain(`lp-sandbox: ${sentence}\n`);
  });

  it('alike with any number of jobs', async () => {
    const body = `
      await call('get-quiz-details', { quizId: 'x' });
      await call('get-all-instructors', {}, null);
      await call('get-all-instructors', {}, 'sbx_' + env.SANDBOX_ID + '-two_hillcrest');
      if ((await call('get-all-instructors', {}, 'wrong')).includes('<html')) process.exit(1);`;
    const graded = async (jobs: string) => {
      const { report, code } = await runMatrix(
        ['--only', 'missingKey,invalidKey,refusalBody,unknownId', ...violations, '--jobs', jobs],
        client(body),
      );
      const runs = report.runs.map(({ name, result, reason, calls, violations: count, conduct }) => [
        name,
        result,
        reason,
        calls,
        count,
        conduct,
      ]);
      return { code, runs, met: report.report.situations.met };
    };
    const [one, four] = [await graded('1'), await graded('4')];
    expect(four).toEqual(one);
    expect(one.runs.map(([, result]) => result)).toContain('failed');
  });
});

describe('a failed run of lp-sandbox matrix', () => {
  const failing = client(`
    await call('get-all-instructors');
    await call('get-quiz-details', { quizId: 'x' });
    const file = process.env.OUT + '/' + env.SANDBOX_ID + '.xml';
    writeFileSync(file, '<testsuites><testsuite><testcase classname="quizzes" name="shows &lt;all&gt;"/><testcase classname="quizzes" name="shows &lt;one&gt;"><failure>no</failure></testcase></testsuite></testsuites>');
    if (env.SANDBOX_RUN !== 'defaults') process.exit(1);`);

  it('names its failed tests, its calls, its files, and the command that repeats it', async () => {
    const out = temporaryFolder();
    const program = ['--', 'env', `OUT=${out}`, ...failing.slice(1)];
    const flags = ['--only', 'unknownId=http-404', '--random-seed', '7', '--fail-on', 'conduct'];
    const {
      report,
      folder,
      out: said,
    } = await runMatrix([...flags, '--junit', join(out, '{run}.xml')], program);
    const [defaults, failed] = report.runs;
    const kept = ['html', 'json', 'har'].map((suffix) =>
      join(folder, 'matrix-runs', `unknown-id-http-404.${suffix}`),
    );
    expect(failed).toMatchObject({
      reason: 'exit code 1: quizzes: shows <one>',
      failedTests: ['quizzes: shows <one>'],
      lastCalls: [{ requestId: 'unknown-id-http-404-2', operation: 'get-quiz-details', status: 404 }],
      files: kept,
    });
    const command =
      'lp-sandbox exec --random-seed 7 --fail-on conduct --assume unknownId=http-404 -- env OUT=';
    expect(failed?.command).toContain(command);
    expect(said).toContain(`\nunknownId=http-404\n  tests  quizzes: shows <one>\n  calls  unknown-id`);
    expect(said).toContain(`  repeat ${command}`);
    expect(defaults).toMatchObject({ files: [], lastCalls: [] });
    const [, json = '', har = ''] = kept;
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      sandbox: 'unknown-id-http-404',
      calls: 2,
    });
    const { log } = JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: unknown[] } };
    expect(log.entries).toHaveLength(2);
    expect(existsSync(join(folder, 'matrix-runs', 'defaults.json'))).toBe(false);
  });

  it('keeps its files in the folder of --keep, also without a report', async () => {
    const keep = join(temporaryFolder(), 'kept');
    const { code } = invoke(matrix, ['--only', 'defaults', '--keep', keep, '--', 'false']);
    expect(await code).toBe(1);
    expect(existsSync(join(keep, 'defaults.html'))).toBe(true);
  });

  it('does not name tests of a file that it has not written', async () => {
    const out = temporaryFolder();
    const junit = ['--junit', join(out, 'defaults.xml')];
    const program = ['--', 'env', `OUT=${out}`, ...failing.slice(1)];
    await runMatrix(['--only', 'defaults', ...junit], program);
    const { report } = await runMatrix(['--only', 'defaults', ...junit], ['--', 'false']);
    expect(report.runs[0]).toMatchObject({ failedTests: [], reason: 'exit code 1, no output' });
  });

  it('fails again with the command that it names, which a shell can read', async () => {
    const sentence = 'it\'s "wrong" here\nand $there';
    const program = client(`
      await call('get-quiz-details', { quizId: 'x' });
      console.log(${JSON.stringify(sentence)});
      if (env.SANDBOX_ID === 'default') process.exit(9);
      process.exit(1);`);
    const { report } = await runMatrix(['--only', 'unknownId=http-404'], program);
    const command = (report.runs[1]?.command ?? '').replace('lp-sandbox', lpSandbox.join(' '));
    const { code, out } = await run([command], { program: ['sh', '-c'] });
    expect([code, out]).toEqual([9, `${sentence}\n`]);
  });
});

describe('lp-sandbox matrix --skip-unmet', () => {
  const flags = [
    '--only',
    'unknownId,missingKey,rateLimitHeaders,cors,listOrder=reversed,responseFields=not-empty,bad-gateway,flaky-network,strict',
    '--skip-unmet',
  ];

  it('skips the runs that the run with the defaults shows cannot be met, and says why', async () => {
    const { code, results, report, out } = await runMatrix(
      flags,
      client("await call('get-all-instructors');"),
    );
    expect(code).toBe(0);
    expect(results).toMatchObject({
      defaults: 'passed',
      'unknownId=http-404': 'skipped',
      'unknownId=synthesise': 'skipped',
      'missingKey=http-403': 'skipped',
      // Every response has these headers.
      'rateLimitHeaders=ietf': 'passed',
      'cors=any-origin': 'passed',
      // The response with the defaults does not list them.
      'listOrder=reversed': 'passed',
      'responseFields=not-empty': 'passed',
      // It has rules for every fifth call and more, and the other one for any.
      'scenario:bad-gateway': 'skipped',
      'scenario:flaky-network': 'passed',
      'profile:strict': 'skipped',
    });
    expect(report.skipped).toBe(Object.values(results).filter((result) => result === 'skipped').length);
    expect(report.runs[1]).toMatchObject({
      reason: 'no response of the run "defaults" depends on missingKey',
      calls: 0,
      seconds: 0,
    });
    expect(out).toContain(
      `${report.skipped} skipped, because the run "defaults" shows that the command cannot trigger them`,
    );
  });

  it('skips nothing that the run with the defaults meets, and nothing after that has failed', async () => {
    const meeting = client(
      "await call('get-quiz-details', { quizId: 'x' }); await call('get-all-instructors', {}, null);",
    );
    const met = await runMatrix(['--only', 'unknownId,missingKey', '--skip-unmet'], meeting);
    expect([met.report.passed, met.report.skipped]).toEqual([5, 0]);
    const failing = client("await call('get-all-instructors'); process.exit(1);");
    const failed = await runMatrix(['--only', 'unknownId', '--skip-unmet'], failing);
    expect([failed.report.failed, failed.report.skipped]).toEqual([3, 0]);
  });
});

it('the merged report of a matrix is one that report merge reads', async () => {
  const { report } = await runMatrix(['--only', 'defaults'], client("await call('get-all-instructors');"));
  const merged: Report = report.report;
  expectFits('Report', merged);
  expect(merged).toMatchObject({ sandbox: 'defaults', calls: 1 });
});
