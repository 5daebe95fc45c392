import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { matrix } from '../../src/commands/matrix/command.ts';
import type { Matrix } from '../../src/commands/matrix/plan.ts';
import { client } from '../support/client-program.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';

/** A test of a suite: the inside of a function in which `ask` sends elements, and `expect` fails. */
type Tests = Readonly<Record<string, string>>;

interface Suite {
  readonly tests: Tests;
  /** Whether the others are skipped after a failed test. */
  readonly bails?: boolean;
  readonly hasScopes?: boolean;
}

/** A program that runs tests, each in its scope, and writes JUnit. */
function suiteIn(folder: string, { tests, bails = false, hasScopes = true }: Suite): readonly string[] {
  const bodies = Object.entries(tests).map(
    ([name, body]) => `[${JSON.stringify(name)}, async (ask) => { ${body} }]`,
  );
  return client(`
    const cases = [];
    let failed = 0;
    const expect = (isAsExpected) => { if (!isAsExpected) throw new Error('not as expected'); };
    for (const [name, body] of [${bodies.join(',')}]) {
      const headers = { 'Content-Type': 'application/json', ...(${hasScopes} ? { 'Sandbox-Scope': name } : {}) };
      const ask = async (operation, elements, key = env.SANDBOX_API_KEY) => {
        const all = key === null ? headers : { ...headers, 'SERVICE-API-KEY': key };
        const body = JSON.stringify({ data: elements.map((data) => ({ data })) });
        const reply = await fetch(env.SANDBOX_URL + '/public/' + operation, { method: 'POST', headers: all, body });
        return { status: reply.status, text: await reply.text() };
      };
      let end = '/>';
      if (${bails} && failed > 0) end = '><skipped/></testcase>';
      else await body(ask).catch(() => { failed += 1; end = '><failure/></testcase>'; });
      cases.push('<testcase name="' + name + '"' + end);
    }
    writeFileSync(${JSON.stringify(folder)} + '/' + env.SANDBOX_ID + '.xml', '<testsuite>' + cases.join('') + '</testsuite>');
    process.exit(failed > 0 ? 1 : 0);`);
}

async function runMatrix(flags: readonly string[], suite: Suite) {
  const folder = temporaryFolder();
  const file = join(folder, 'matrix.json');
  const given = ['--report', file, '--junit', join(folder, '{run}.xml'), ...flags];
  const invoked = invoke(matrix, [...given, ...suiteIn(folder, suite)]);
  await invoked.code;
  // Written by the program that is tested.
  const { runs } = JSON.parse(readFileSync(file, 'utf8')) as Matrix;
  const { err } = invoked.said();
  const processes = err.match(/\(\d+\.\d s\)/g)?.length ?? 0;
  return { runs, err, processes, verdicts: runs.map(({ name, result }) => [name, result]) };
}

/** Runs a suite with and without `--combine`, and expects the same verdicts. */
async function compared(only: string, suite: Suite, jobs = '2') {
  const flags = ['--only', only, '--jobs', jobs];
  const combined = await runMatrix([...flags, '--combine'], suite);
  const single = await runMatrix([...flags, '--skip-unmet'], suite);
  expect(combined.verdicts).toEqual(single.verdicts);
  const failed = combined.runs.filter(({ result }) => result === 'failed');
  const failedTests = Object.fromEntries(failed.map(({ name, failedTests: tests }) => [name, tests]));
  // Alone, an option may also fail later tests, which miss what a failed one did not write.
  expect(Object.values(failedTests).every((tests) => tests.length > 0)).toBe(true);
  for (const { name, failedTests: alone } of single.runs)
    expect(alone).toEqual(expect.arrayContaining([...(failedTests[name] ?? [])]));
  return { ...combined, failedTests };
}

const unknown = "expect((await ask('get-quiz-details', [{ quizId: 'x' }])).status === 200);";
const withoutKey = "expect((await ask('get-all-instructors', [{}], null)).status === 401);";
const empty = "expect((await ask('get-quiz-details', [])).text.startsWith('['));";
const videos = "expect((await ask('get-video-library', [{ pageNumber: 99 }])).status === 200);";

describe('the options to blame for a failed run of lp-sandbox matrix --combine', () => {
  it.each(['1', '2'])(
    'each fail in a run alone, and the others pass together, with --jobs %s',
    async (jobs) => {
      const tests = {
        'is unknown': unknown,
        'has no key': withoutKey,
        'sends nothing': empty,
        'lists videos': videos,
      };
      const only = 'unknownId=http-404,missingKey=http-403,videoPageSize,folderListing';
      const { failedTests, runs, processes } = await compared(only, { tests }, jobs);
      expect(failedTests).toEqual({
        'missingKey=http-403': ['has no key'],
        'unknownId=http-404': ['is unknown'],
      });
      // The defaults, one for each of the three other sizes of a page, one for each option that fails, and one without both.
      expect(processes).toBe(7);
      const failed = runs.find(({ name }) => name === 'unknownId=http-404');
      expect(failed?.reason).toBe('exit code 1: is unknown');
      expect(failed?.lastCalls.map(({ scope }) => scope)).toEqual(['is unknown']);
    },
  );

  it('run again if another option hid them: the test failed before it came to them', async () => {
    const twice = `
      const { status, text } = await ask('get-quiz-details', [{ quizId: 'x' }]);
      expect(status === 200);
      await ask('get-all-instructors', [{ note: 'a' }]);
      expect((await ask('get-all-instructors', [{}], null)).status === 401);`;
    const { failedTests, processes } = await compared('unknownId=http-404,missingKey=http-403', {
      tests: { 'is unknown': twice },
    });
    expect(Object.keys(failedTests)).toEqual(['missingKey=http-403', 'unknownId=http-404']);
    expect(processes).toBe(4);
  });

  it('are not those of a test that misses what a failed one did not write', async () => {
    const writes = `${withoutKey}
      await ask('create-instructor-account', [{ instructorName: 'Ada', instructorEmail: 'ada@example.com' }]);`;
    const reads = "expect((await ask('get-all-instructors', [{}])).text.includes('ada@example.com'));";
    const { failedTests } = await compared('missingKey=http-403,instructorTimestampFormat', {
      tests: { writes, reads },
    });
    expect(Object.keys(failedTests)).toEqual(['missingKey=http-403']);
  });

  it.each([
    ['another call', "await ask('get-all-live-events', [{}]);"],
    ['no call', ''],
  ])('are those of a response that another test left to one with %s of its own', async (_, own) => {
    const tests = {
      'loads presets': `globalThis.presets = await ask('get-instructor-permission-presets', [{ pageNumber: 1 }]);`,
      'uses presets': `${own} expect(!globalThis.presets.text.includes('"resource"'));`,
    };
    const { failedTests } = await compared('permissionShape,openValues', { tests });
    expect(failedTests).toEqual({ 'permissionShape=objects': ['uses presets'] });
  });

  it('are not mixed up if an earlier test has the name of the failed one, which makes no call', async () => {
    const tests = {
      'presets > shape': "await ask('get-instructor-permission-presets', [{ pageNumber: 1 }]);",
      'folders > load':
        "globalThis.none = await ask('get-video-library', [{ pageNumber: 1, folderPath: '/none' }]);",
      shape: "expect(globalThis.none.text.includes('error'));",
    };
    const { failedTests } = await compared('permissionShape,unknownFolder', { tests });
    expect(failedTests).toEqual({ 'unknownFolder=empty-list': ['shape'] });
  });

  it('are those of limits that the test has changed and restored', async () => {
    const throttled = `
      const change = (limits) => fetch(env.SANDBOX_CONTROL_URL + '/sandboxes/' + env.SANDBOX_ID + '/limits', {
        method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(limits),
      });
      await change({ operations: { 'get-all-instructors': 2 } });
      const { status } = await ask('get-all-instructors', [{}, {}, {}]);
      await change({});
      await ask('get-instructor-permission-presets', [{ pageNumber: 1 }]);
      expect(status === 200);`;
    const { failedTests } = await compared('permissionShape,rateLimitUnit', { tests: { throttled } });
    expect(Object.keys(failedTests)).toEqual(['rateLimitUnit=element']);
  });

  it('are found in halves if the likeliest ones are innocent', async () => {
    const tests = {
      'loads presets': `globalThis.presets = await ask('get-instructor-permission-presets', [{ pageNumber: 1 }]);`,
      'lists instructors': "await ask('get-all-instructors', [{}]);",
      'lists videos': "await ask('get-video-library', [{ pageNumber: 1, folderPath: '/' }]);",
      'uses presets': `await ask('get-all-live-events', [{}]); expect(!globalThis.presets.text.includes('"resource"'));`,
    };
    const only =
      'permissionShape,openValues,listOrder=reversed,responseFields=not-null,cors,rateLimitHeaders=ietf,instructorTimestampFormat=rfc-1123,folderListing,folderMatching,presetPageSize=10,videoPageSize=50';
    const { failedTests, processes } = await compared(only, { tests });
    expect(failedTests).toEqual({ 'permissionShape=objects': ['uses presets'] });
    // Fewer than one for each option and the defaults.
    expect(processes).toBeLessThan(12);
  });

  it('are found without scopes too, in more runs', async () => {
    const tests = { 'is unknown': unknown, 'has no key': withoutKey, 'lists videos': videos };
    const only = 'unknownId=http-404,missingKey=http-403,folderListing';
    const { failedTests } = await compared(only, { tests, hasScopes: false });
    expect(Object.keys(failedTests)).toEqual(['missingKey=http-403', 'unknownId=http-404']);
  });

  it('are found if the command skips its other tests after the first failed one', async () => {
    const tests = { 'lists videos': videos, 'is unknown': unknown, 'has no key': withoutKey };
    const only = 'unknownId=http-404,missingKey=http-403,folderListing';
    const { failedTests } = await compared(only, { tests, bails: true });
    expect(failedTests).toEqual({
      'missingKey=http-403': ['has no key'],
      'unknownId=http-404': ['is unknown'],
    });
  });

  it.each([
    ['passes', "expect((await ask('get-all-instructors', [{}], 'sbx_wrong')).status > 400);"],
    ['fails', "expect(JSON.parse((await ask('get-all-instructors', [{}], 'sbx_wrong')).text)[0].output);"],
  ])('take no run each for bodies of refusals that are the same, if the command %s', async (_, wrongKey) => {
    const tests = { 'has a wrong key': wrongKey, 'lists videos': videos };
    const { processes } = await compared('refusalBody,gatewayRefusalBody,folderListing', { tests });
    // The defaults, and one for each option of gatewayRefusalBody.
    expect(processes).toBe(8);
  });
});
