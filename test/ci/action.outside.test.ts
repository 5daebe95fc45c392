import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flags } from '../../src/commands/flags.ts';
import { connectSandbox } from '../../src/index.ts';
import { action, Runner } from '../support/action.ts';
import { temporaryFolder } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';

const text = readFileSync('action.yml', 'utf8');
const { steps } = action.runs;

function named(pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
}

describe('action.yml', () => {
  it('is a composite action whose steps either run a script in bash or use another action at a version', () => {
    expect(action.runs.using).toBe('composite');
    const forms = steps.map(({ name, run, shell, uses }) => ({
      name,
      fine:
        run === undefined ? /^[\w-]+\/[\w-]+@v\d+$/.test(uses ?? '') : shell === 'bash' && uses === undefined,
    }));
    expect(forms.filter(({ name, fine }) => !fine || name === undefined)).toEqual([]);
  });

  it('uses every input that it declares, and declares every input that it uses', () => {
    expect(named(/inputs\.([\w-]+)/g)).toEqual(Object.keys(action.inputs).toSorted());
    expect(
      Object.values(action.inputs).filter(
        (input) => typeof input.default !== 'string' || typeof input.description !== 'string',
      ),
    ).toEqual([]);
  });

  it('gives outputs of steps that exist, and of no others', () => {
    expect(named(/steps\.([\w-]+)\.outputs/g)).toEqual(steps.flatMap(({ id }) => id ?? []).toSorted());
  });

  it('puts nothing that a workflow gives into the text of a script, where it would be run', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('passes on flags that there are', () => {
    const [, settings = ''] = /settings=\(([^)]+)\)/.exec(text) ?? [];
    const passed = [...settings.matchAll(/--([\w-]+)/g)].map(([, name = '']) => name);
    expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(passed));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(passed));
    expect(passed).toHaveLength(5);
  });
});

/** A machine of the test's own, without what it started in the end. */
function runner(env: Readonly<Record<string, string>> = {}): Runner {
  const made = new Runner(temporaryFolder(), env);
  onTestFinished(() => {
    const pid = join(made.temp, 'lp-sandbox/pid');
    if (existsSync(pid)) process.kill(Number(readFileSync(pid, 'utf8')));
  });
  return made;
}

describe('the action without a command', () => {
  it('starts a sandbox as it was asked for, says where it is, and collects its report in the end', async () => {
    const machine = runner();
    const started = await machine.use({
      version: '0.1.0',
      seed: 'demo',
      'random-seed': '7',
      scenario: 'rate-limit-storm',
      assume: 'unknownId=http-404, emptyBatch=refuse',
      profile: 'strict',
    });
    expect(started).toMatchObject({
      failed: false,
      outputs: { 'api-key': 'sbx_default_riverside', sandbox: 'default' },
    });
    expect(machine.asked).toContain('--package learning-platform-sandbox@0.1.0 --');
    const { url = '', 'control-url': control = '' } = started.outputs;
    expect(machine.env).toMatchObject({
      SANDBOX_URL: url,
      SANDBOX_API_KEY: 'sbx_default_riverside',
      SANDBOX_CONTROL_URL: control,
      SANDBOX_ID: 'default',
    });
    expect(control).toBe(`${url}/control`);
    const { default: sandbox } = await connectSandbox({ url });
    expect(await sandbox.describe()).toMatchObject({
      seed: 'demo',
      randomSeed: 7,
      scenario: 'rate-limit-storm',
    });
    const chosen = new Map(
      (await sandbox.assumptions.list()).map(({ name, chosen: option }) => [name, option]),
    );
    expect(['unknownId', 'emptyBatch', 'rateLimitWindow'].map((name) => chosen.get(name))).toEqual([
      'http-404',
      'refuse',
      'sliding',
    ]);

    await supertest(url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: {} }] });
    const collected = await machine.use({ report: 'true', artifact: 'report-20' });
    expect(collected.failed).toBe(false);
    expect(machine.summary).toContain('get-all-instructors');
    expect(
      readdirSync(join(machine.temp, 'lp-sandbox'))
        .filter((file) => file.startsWith('report.'))
        .toSorted(),
    ).toEqual(['report.html', 'report.json', 'report.junit.xml', 'report.md']);
    expect(collected.steps.at(-1)?.with).toMatchObject({
      name: 'report-20',
      path: `${machine.temp}/lp-sandbox/report.*`,
    });
    await eventually(() => expect(supertest(url).get('/healthz')).rejects.toThrow('ECONNREFUSED'));
  });

  it('collects the report where the control plane wants a token', async () => {
    const machine = runner({ SANDBOX_CONTROL_TOKEN: 'a-token-for-the-test' });
    await machine.use({});
    expect(await machine.use({ report: 'true' })).toMatchObject({ failed: false });
    expect(machine.summary).not.toBe('');
  });

  it('fails with the reason where the sandbox does not start', async () => {
    const { steps: ran, failed } = await runner().use({ scenario: 'flaky-networks' });
    expect(failed).toBe(true);
    expect(ran.at(-1)?.out).toMatch(
      /^::error::The sandbox did not start: lp-sandbox: .*flaky-networks.*did you mean/im,
    );
  });

  it('fails where thresholds are asked for, which nothing would hold', async () => {
    const { steps: ran, failed } = await runner().use({ 'fail-on': 'violations' });
    expect({ failed, out: ran.at(-1)?.out }).toEqual({
      failed: true,
      out: expect.stringContaining('need the input `run`') as string,
    });
  });

  it('fails where there is nothing to report on', async () => {
    const { steps: ran, failed } = await runner().use({ report: 'true' });
    expect(failed).toBe(true);
    expect(ran[0]?.out).toContain('There is no sandbox to report on.');
  });

  it('takes what a workflow gives for nothing but text', async () => {
    const machine = runner();
    const { failed } = await machine.use({
      scenario: '$(touch "$RUNNER_TEMP/touched")"; touch "$RUNNER_TEMP/touched" #',
    });
    expect({ failed, touched: existsSync(join(machine.temp, 'touched')) }).toEqual({
      failed: true,
      touched: false,
    });
  });
});
