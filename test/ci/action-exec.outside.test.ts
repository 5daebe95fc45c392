import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Runner } from '../support/action.ts';
import { temporaryFolder } from '../support/command.ts';

/** A client in the shell: one good call, and the variables it was given. */
const client = `env | grep '^SANDBOX_' | sort > "$RUNNER_TEMP/variables"
curl --silent --show-error --fail "$SANDBOX_URL/public/get-all-instructors" \\
  -H "SERVICE-API-KEY: $SANDBOX_API_KEY" -H 'Content-Type: application/json' -d '{"data":[{"data":{}}]}' > "$RUNNER_TEMP/answer"`;

/** A client that breaks the contract. */
const careless = `curl --silent --show-error "$SANDBOX_URL/public/get-quiz-details" \\
  -H "SERVICE-API-KEY: $SANDBOX_API_KEY" -H 'Content-Type: application/json' -d '{"data":[{"data":{"quizID":"x"}}]}'`;

function reportsOf(machine: Runner): readonly string[] {
  const folder = join(machine.temp, 'lp-sandbox');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.startsWith('report.'))
        .toSorted()
    : [];
}

const reports = ['report.html', 'report.json', 'report.junit.xml', 'report.md'];

describe('the action with a command', () => {
  it('runs it against a sandbox of its own, shows the report in the summary, and keeps it', async () => {
    const machine = new Runner(temporaryFolder());
    const used = await machine.use({ run: client, scenario: 'rate-limit-storm', 'random-seed': '7' });
    expect(used.failed).toBe(false);
    expect(JSON.parse(readFileSync(join(machine.temp, 'answer'), 'utf8'))).toMatchObject([
      { output: { status: 'ok' } },
    ]);
    const variables = readFileSync(join(machine.temp, 'variables'), 'utf8');
    const [, url = ''] = /^SANDBOX_URL=(http:\/\/127\.0\.0\.1:\d+)$/m.exec(variables) ?? [];
    expect(variables).toContain('SANDBOX_API_KEY=sbx_default_riverside\n');
    expect(variables).toContain(`SANDBOX_CONTROL_URL=${url}/control\n`);
    expect(variables).toContain('SANDBOX_ID=default\n');
    expect(machine.summary).toContain('get-all-instructors');
    expect(reportsOf(machine)).toEqual(reports);
    expect(used.steps.at(-1)?.with).toMatchObject({ path: `${machine.temp}/lp-sandbox/report.*` });
  });

  it('fails as the command does, at the first of its lines that fails, and reports all the same', async () => {
    const machine = new Runner(temporaryFolder());
    const { steps, failed } = await machine.use({ run: `${client}\nfalse\ntouch "$RUNNER_TEMP/after"` });
    expect(failed).toBe(true);
    expect(steps.map(({ name, code }) => [name, code])).toContainEqual([
      'Run the command against a sandbox, or start one',
      1,
    ]);
    expect(existsSync(join(machine.temp, 'after'))).toBe(false);
    expect(machine.summary).toContain('get-all-instructors');
    expect(steps.at(-1)?.with).toMatchObject({ name: 'sandbox-report' });
  });

  it('fails with 3 where a threshold is missed that it passes on', async () => {
    const machine = new Runner(temporaryFolder());
    const { steps } = await machine.use({
      run: careless,
      'fail-on': 'violations,conduct',
      'min-coverage': '1',
    });
    expect(steps.map(({ code }) => code)).toContain(3);
    expect(reportsOf(machine)).toEqual(reports);
  });

  it('passes where all that was found is allowed or known', async () => {
    const folder = temporaryFolder();
    const baseline = join(folder, 'findings.json');
    writeFileSync(
      baseline,
      JSON.stringify({ format: 'learning-platform-sandbox/baseline', version: 1, findings: [] }),
    );
    const machine = new Runner(folder);
    const demands = { run: careless, 'fail-on': 'violations' };
    expect((await machine.use({ ...demands, baseline })).failed).toBe(true);
    expect((await machine.use({ ...demands, baseline, allow: 'violations' })).failed).toBe(false);
  });

  it('fails with 2 where a setting is none, and shows no report of an earlier use', async () => {
    const machine = new Runner(temporaryFolder());
    await machine.use({ run: client });
    const { summary } = machine;
    const { steps } = await machine.use({ run: client, profile: 'lenient' });
    expect(steps.map(({ code }) => code)).toContain(2);
    expect(reportsOf(machine)).toEqual([]);
    expect(machine.summary).toBe(summary);
  });
});
