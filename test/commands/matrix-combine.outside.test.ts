import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matrix } from '../../src/commands/matrix/command.ts';
import type { Matrix } from '../../src/commands/matrix/plan.ts';
import { client } from '../support/client-program.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectFits } from '../support/control.ts';
import { invoke } from '../support/invocation.ts';

async function runMatrix(flags: readonly string[], program: readonly string[]) {
  const file = join(temporaryFolder(), 'matrix.json');
  const invoked = invoke(matrix, ['--report', file, ...flags, ...program]);
  const code = await invoked.code;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Matrix;
  expectFits('Matrix', report);
  const { err } = invoked.said();
  const results = report.runs.map(({ name, result }) => [name, result]);
  // A line each, also of those that share one.
  return { code, report, results, err, processes: err.match(/\(\d+\.\d s\)/g)?.length ?? 0 };
}

/** Meets several assumptions. */
const calls = `
  await call('get-quiz-details', { quizId: 'x' });
  await call('get-video-library', { filterTerm: '', pageNumber: 99, folderPath: '/' });
  await call('get-all-instructors', { note: 'a' });
  await call('get-instructor-permission-presets', { pageNumber: 1, limit: 2.5 });
  await call('get-all-instructors', {}, null);`;

/** Fails under some options, of which one is hidden by others. */
const picky = client(`
  const body = { method: 'POST', headers: { 'SERVICE-API-KEY': env.SANDBOX_API_KEY, 'Content-Type': 'application/json' } };
  const ask = async (data) => {
    const reply = await fetch(env.SANDBOX_URL + '/public/get-quiz-details', { ...body, body: JSON.stringify({ data }) });
    return [reply.status, await reply.text()];
  };
  const [one] = await ask([{ data: { quizId: 'x' } }]);
  const [, text] = await ask([{ data: { quizId: 'x' } }]);
  const [two] = await ask([]);
  if (one === 404 || !text.includes('not found') || two !== 200) process.exit(7);
  ${calls}`);

/** As `picky`, with a path that does not exist. */
const withFindings = client(`
  await call('get-quiz-detials');
  ${programOf(picky)}`);

/** Returns the inside of the program of a client. */
function programOf(words: readonly string[]): string {
  return (words.at(-1) ?? '').slice((client('').at(-1) ?? '').length);
}

/** Returns the thresholds that each run missed. */
function missedIn({ runs }: Matrix) {
  return runs.map(({ name, missed }) => [name, missed]);
}

const some =
  'unknownId,failureMessages,operationFailureStatus,emptyBatch,unknownFields,fractionalLimit,missingKey';

describe('lp-sandbox matrix --combine', () => {
  it('tests many options in a few runs, if the command passes', async () => {
    const { code, report, results, processes } = await runMatrix(
      ['--only', 'assumptions', '--combine'],
      client(calls),
    );
    const single = await runMatrix(['--only', 'assumptions', '--skip-unmet'], client(calls));
    expect(code).toBe(0);
    expect(results).toEqual(single.results);
    expect(report.passed).toBeGreaterThan(10);
    expect(processes).toBeLessThan(report.passed / 2);
    // One run has only options that no response names: they run again, each alone.
    expect(report.report.calls).toBe(5 * (processes - 1));
    expect(report.runs.find(({ together }) => together !== undefined)).toMatchObject({
      result: 'passed',
      calls: 5,
      command: expect.stringContaining('lp-sandbox exec --assume ') as string,
    });
  });

  it.each([['1'], ['3']])('finds the options that fail, as single runs do, with --jobs %s', async (jobs) => {
    const { code, results, report } = await runMatrix(['--only', some, '--combine', '--jobs', jobs], picky);
    const single = await runMatrix(['--only', some, '--skip-unmet', '--jobs', jobs], picky);
    expect(code).toBe(1);
    expect(results).toEqual(single.results);
    const failed = report.runs.filter(({ result }) => result === 'failed');
    expect(failed.map(({ name }) => name)).toContain('unknownId=http-404');
    expect(failed.every(({ together }) => together === undefined)).toBe(true);
  });

  it.each([['1'], ['2']])(
    'compares findings with those of the defaults, and has the verdicts of single runs, with --jobs %s',
    async (jobs) => {
      const flags = ['--only', some, '--fail-on', 'violations,conduct', '--jobs', jobs];
      const { code, results, report } = await runMatrix([...flags, '--combine'], withFindings);
      const single = await runMatrix([...flags, '--skip-unmet'], withFindings);
      expect(code).toBe(1);
      expect(results).toEqual(single.results);
      expect(missedIn(report)).toEqual(missedIn(single.report));
      const { runs } = report;
      const broken = runs.filter(({ exitCode }) => exitCode === 7).map(({ name }) => name);
      expect(broken).toEqual(expect.arrayContaining(['unknownId=http-404', 'failureMessages=generic']));
      expect(broken).toContain('emptyBatch=refuse');
    },
  );

  it('settles many options in one run, if it has the findings of the defaults and no others', async () => {
    const program = client(`${calls} await call('get-quiz-detials');`);
    const flags = ['--only', 'assumptions', '--fail-on', 'violations'];
    const keep = temporaryFolder();
    const { code, report, results, processes } = await runMatrix(
      [...flags, '--combine', '--keep', keep],
      program,
    );
    const single = await runMatrix([...flags, '--skip-unmet'], program);
    expect(code).toBe(3);
    expect(results).toEqual(single.results);
    expect(processes).toBeLessThan(single.processes);
    const shared = report.runs.find(({ together }) => together !== undefined);
    expect(shared).toMatchObject({
      result: 'failed',
      exitCode: 0,
      missed: [expect.stringContaining('get-quiz-detials') as string],
      command: expect.stringMatching(/^lp-sandbox exec .*--assume /) as string,
    });
    expect(shared?.lastCalls.map(({ operation }) => operation)).toContain('get-quiz-detials');
    expect(shared?.files.length).toBeGreaterThan(0);
  });

  it('combines nothing if the command fails with the defaults', async () => {
    const { results, processes } = await runMatrix(
      ['--only', some, '--combine'],
      client("await call('get-all-instructors'); process.exit(1);"),
    );
    expect(processes).toBe(results.length);
  });
});
