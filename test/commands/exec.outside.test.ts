import { existsSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { exec } from '../../src/commands/exec/command.ts';
import { joined } from '../../src/base/wire-text.ts';
import { toEntry } from '../../src/sandbox/journal-entry.ts';
import { Recorder } from '../../src/commands/recorder.ts';
import type { StoredEntry } from '../../src/sandbox/journal-entry.ts';
import { CannotRun } from '../../src/commands/child.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { startServer } from '../../src/server/server.ts';
import { client } from '../support/client-program.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectFits } from '../support/control.ts';
import { eventually } from '../support/eventually.ts';
import { invoke, isAlive } from '../support/invocation.ts';

interface Exec {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a client to its end. `told` is what it has told with `tell(value)`, the last time. */
async function runExec(body: string, { flags = [], env = {} }: Exec = {}) {
  const file = join(temporaryFolder(), 'told.json');
  const tell = `const tell = (value) => writeFileSync(${JSON.stringify(file)}, JSON.stringify(value));`;
  const invoked = invoke(exec, [...flags, ...client(`${tell}\n${body}`)], { env });
  const code = await invoked.code;
  const told: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  return { code, ...invoked.said(), told };
}

const tellEnvironment =
  "tell(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('SANDBOX_'))));";

describe('the program that lp-sandbox exec runs', () => {
  it('is told where its sandbox is, and nothing of another one', async () => {
    const env = {
      SANDBOX_URL: 'http://127.0.0.1:1',
      SANDBOX_API_KEY: 'sbx_other_school',
      SANDBOX_RUN: 'other',
      SANDBOX_PORT: '1',
    };
    const { told, out } = await runExec(tellEnvironment, { env });
    expect(out).toBe('');
    expect(told).toEqual({
      SANDBOX_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:(?!1$)\d+$/),
      SANDBOX_API_KEY: 'sbx_default_riverside',
      SANDBOX_CONTROL_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/control$/),
      SANDBOX_ID: 'default',
      SANDBOX_PORT: '1',
    });
  });

  it('is told where the control plane is, and its token', async () => {
    const body = `${tellEnvironment.replace('tell(', 'const variables = (')} tell([variables, JSON.parse(await control('GET', '/sandboxes'))]);`;
    const own = await runExec(body, { flags: ['--control-port', '0', '--control-token', 'a-good-token'] });
    const [variables, answer] = own.told as [Record<string, string>, object];
    expect(new URL(variables['SANDBOX_CONTROL_URL'] ?? '').port).not.toBe(
      new URL(variables['SANDBOX_URL'] ?? '').port,
    );
    expect(variables['SANDBOX_CONTROL_TOKEN']).toBe('a-good-token');
    expect(answer).toHaveProperty('sandboxes');
    const none = await runExec(tellEnvironment, {
      flags: ['--control-port', 'off'],
      env: { SANDBOX_CONTROL_TOKEN: 'a-good-token' },
    });
    expect(none.told).toEqual(
      expect.not.objectContaining({ SANDBOX_CONTROL_URL: expect.anything() as unknown }),
    );
    expect(none.told).toEqual(
      expect.not.objectContaining({ SANDBOX_CONTROL_TOKEN: expect.anything() as unknown }),
    );
  });

  it('finds the sandbox that the flags ask for', async () => {
    const flags = [
      '--seed',
      'empty',
      '--random-seed',
      '77',
      '--profile',
      'gateway',
      '--assume',
      'unknownId=http-404',
      '--scenario',
      'slow-day',
    ];
    const body = `const [one, { assumptions }, faults] = await Promise.all(
      ['', '/assumptions', '/faults'].map(async (path) => JSON.parse(await control('GET', '/sandboxes/default' + path))));
    tell([one, assumptions.filter(({ chosen, default: usual }) => chosen !== usual).map(({ name }) => name), faults]);`;
    const { told } = await runExec(body, { flags });
    expect(told).toEqual([
      expect.objectContaining({ seed: 'empty', randomSeed: 77, scenario: 'slow-day' }),
      ['missingKey', 'invalidKey', 'gatewayRefusalBody', 'unknownId', 'throttleReply', 'retryAfter'],
      expect.anything(),
    ]);
  });

  it('has a port and a memory of its own, whatever variables and a file say for another server', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'sandbox.config.yaml');
    writeFileSync(file, `port: 1\ncontrol-port: 2\nhost: 192.0.2.1\ndata: ${folder}/state\nrandom-seed: 5\n`);
    const env = {
      SANDBOX_PORT: '1',
      SANDBOX_HOST: '192.0.2.1',
      SANDBOX_DATA: `${folder}/other`,
      SANDBOX_PUBLIC_URL: 'https://x.example',
    };
    const body =
      "tell([env.SANDBOX_URL, JSON.parse(await control('GET', '/sandboxes/default')).randomSeed]);";
    const runs = await Promise.all([1, 2, 3].map(() => runExec(body, { flags: ['--config', file], env })));
    const told = runs.map((run) => run.told as [string, number]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(told.map(([url]) => url)).size).toBe(3);
    expect(told.map(([, seed]) => seed)).toEqual([5, 5, 5]);
    expect([existsSync(join(folder, 'state')), existsSync(join(folder, 'other'))]).toEqual([false, false]);
  });

  it('keeps its state where --data says so', async () => {
    const data = join(temporaryFolder(), 'state');
    const create =
      "await call('create-instructor-account', { instructorEmail: 'a@b.example', instructorName: 'A' });";
    await runExec(create, { flags: ['--data', data] });
    expect(existsSync(data)).toBe(true);
  });
});

describe('the report of lp-sandbox exec', () => {
  it('is about every call, in whichever sandbox, though the client clears journals and removes sandboxes', async () => {
    const file = join(temporaryFolder(), 'report.json');
    const body = `
      await call('get-all-instructors');
      await call('get-quiz-details', { quizId: 7 }, 'sbx_other_riverside');
      await control('DELETE', '/sandboxes/default/journal');
      await control('DELETE', '/sandboxes/other');
      await call('get-all-instructors');`;
    const { err } = await runExec(body, { flags: ['--report', file] });
    const report = JSON.parse(readFileSync(file, 'utf8')) as {
      calls: number;
      sandbox: string;
      violations: unknown[];
    };
    expect(report).toMatchObject({ calls: 3, sandbox: 'default, other', evicted: 0 });
    expect(report.violations).toHaveLength(1);
    expect(err).toMatch(
      new RegExp(`^lp-sandbox: .*\\n +calls +3 to 2 of ${operationNames.length} operations\\n`),
    );
  });

  it('begins as HTML with what failed, and has the last calls that did not succeed', async () => {
    const page = join(temporaryFolder(), 'report.html');
    const calls =
      "await call('get-all-instructors'); await call('get-quiz-details', { quizId: 'no-such-quiz' });";
    const flags = ['--report', page, '--min-coverage', 'operations=100'];
    const { code } = await runExec(`${calls} process.exit(4);`, { flags });
    expect(code).toBe(4);
    const html = readFileSync(page, 'utf8');
    const [first = '', second = ''] = [...html.matchAll(/<p class="verdict [^]*?<\/p>/g)].map(
      ([text]) => text,
    );
    expect(first).toContain('The command ended with exit code 4.');
    expect(second).toContain('verdict broken');
    const [evidence = ''] = /<section id="last-calls"[^]*?<\/section>/.exec(html) ?? [];
    expect(evidence).toContain('POST /public/get-quiz-details');
    expect(evidence).toContain('The school has no quiz');
    expect(evidence).not.toContain('/public/get-all-instructors');
    await runExec(calls, { flags: ['--report', page] });
    expect(readFileSync(page, 'utf8')).not.toContain('last-calls');
  });

  it('is written to every file, in the form that its suffix asks for, in folders that were not there', async () => {
    const folder = temporaryFolder();
    const names = [
      'deep/er/report.json',
      'report.html',
      'junit.xml',
      'other.junit.xml',
      'plain.xml',
      'REPORT.MD',
    ];
    const [a = '', b = '', c = '', ...more] = names.map((name) => join(folder, name));
    const { code, err } = await runExec("await call('get-all-instructors');", {
      flags: ['--report', a, b, `--report=${c}`, '--report', ...more],
    });
    expect(code).toBe(0);
    expect(err).toMatch(/\nlp-sandbox: wrote .*report\.json, .*report\.html, .*REPORT\.MD\n$/);
    const starts = names.map((name) => readFileSync(join(folder, name), 'utf8').slice(0, 15));
    expect(starts).toEqual(
      ['{\n  "version": 1,', '<!doctype html>', ...Array(3).fill('<?xml version="'), '### ✓ The clien'].map(
        (text) => text.slice(0, 15),
      ),
    );
    expectFits('Report', JSON.parse(readFileSync(a, 'utf8')));
  });

  it('is also an HTTP Archive with every call, in whichever sandbox', async () => {
    const file = join(temporaryFolder(), 'run.har');
    const body = `await call('get-all-instructors'); await call('get-quiz-details', { quizId: 7 }, 'sbx_other_riverside');`;
    await runExec(body, { flags: ['--report', file] });
    const har: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expectFits('Har', har);
    const { log } = har as { log: { entries: readonly { _requestId: string; request: { url: string } }[] } };
    expect(log.entries.map(({ _requestId }) => _requestId)).toEqual(['default-1', 'other-1']);
    for (const { request } of log.entries)
      expect(request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/public\/get-/);
  });

  it('is an HTTP Archive without entries where the client made no call', async () => {
    const file = join(temporaryFolder(), 'run.har');
    await runExec('', { flags: ['--report', file] });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ log: { version: '1.2', entries: [] } });
  });

  it('fails in JUnit what a threshold asks for, and nothing else', async () => {
    const file = join(temporaryFolder(), 'junit.xml');
    const body = "await call('get-quiz-details', { quizId: 7 });";
    await runExec(body, { flags: ['--report', file] });
    expect(readFileSync(file, 'utf8')).not.toContain('<failure');
    await runExec(body, { flags: ['--report', file, '--fail-on', 'violations'] });
    expect(readFileSync(file, 'utf8')).toContain('type="contract-violation"');
  });

  it('says so where the client made no call', async () => {
    expect((await runExec('')).err).toContain(
      'Does the command use SANDBOX_URL and SANDBOX_API_KEY to call the sandbox?',
    );
    expect((await runExec("await call('get-all-instructors');")).err).not.toContain('Does the command use');
  });

  it('counts headers as memory, with their names', () => {
    const recorder = new Recorder({ exchanges: 100, bytes: 100_000 });
    for (let number = 0; number < 20; number += 1) {
      const requestHeaders =
        number % 2 === 0 ? ['X-Big', 'y'.repeat(15_000)] : [`X-${'n'.repeat(15_000)}`, 'y'];
      recorder.record(anEntry({ number, requestHeaders }));
    }
    expect(recorder.stored.map((one) => toEntry(one).requestId)).toEqual([
      'a-14',
      'a-15',
      'a-16',
      'a-17',
      'a-18',
      'a-19',
    ]);
    expect(recorder.evicted).toBe(14);
  });

  it('counts what had to make room', async () => {
    const recorder = new Recorder({ exchanges: 3, bytes: 1_000_000 });
    const small = new Recorder({ exchanges: 100, bytes: 3000 });
    const observe: Recorder['record'] = (exchange) =>
      [recorder, small].forEach(({ record }) => record(exchange));
    const { url, stop } = await startServer(
      { port: 0 },
      { out: () => {}, err: () => {}, owner: 'a test', observe },
    );
    for (let count = 0; count < 9; count += 1) {
      const headers = { 'SERVICE-API-KEY': `sbx_s${count}_riverside`, 'Content-Type': 'application/json' };
      await fetch(`${url}/public/get-quiz-details`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ data: [{ data: { quizId: 'unknown' } }] }),
      });
    }
    await stop();
    expect([recorder.sandboxIds(), recorder.evicted]).toEqual([['s6', 's7', 's8'], 6]);
    expect(recorder.stored.map((one) => toEntry(one).requestId)).toEqual(['s6-1', 's7-1', 's8-1']);
    expect(small.evicted).toBeGreaterThan(0);
    expect(
      small.stored
        .map(toEntry)
        .reduce((sum, { request, response }) => sum + request.length + response.length, 0),
    ).toBeLessThanOrEqual(1000);
    expect(small.stored.map(toEntry).at(-1)?.requestId).toBe('s8-1');
  });
});

/** An entry of the journal with some parts of its own. */
function anEntry(own: Partial<StoredEntry>): StoredEntry {
  const lists = {
    keyElsewhere: [],
    elements: [],
    faults: [],
    assumed: [],
    violations: [],
    requestHeaders: [],
    responseHeaders: [],
  };
  const texts = { query: '', request: '', response: joined('') };
  const numbers = {
    number: 1,
    at: 0,
    receivedMs: 0,
    durationUs: 0,
    port: 1,
    status: 200,
    requestCut: 0,
    responseCut: 0,
  };
  const names = {
    sandboxId: 'a',
    operation: 'get-quiz-details',
    scope: null,
    page: null,
    school: null,
    key: null,
    address: '',
    refusal: null,
    method: 'POST',
    path: null,
    delivery: null,
    connection: { openedMs: 0, closedMs: null },
  };
  return { ...lists, ...texts, ...numbers, ...names, ...own };
}

describe('lp-sandbox exec ends', () => {
  const wrong = "await call('get-quiz-details', { quizId: 7 });";

  it.each([
    ['0 where the program passes', 0, "await call('get-all-instructors');", []],
    ["the program's own code", 7, 'process.exit(7);', []],
    ['128 and the number of the signal that ended it', 137, "process.kill(process.pid, 'SIGKILL');", []],
    [
      '0 where thresholds are kept',
      0,
      "await call('get-all-instructors');",
      ['--fail-on', 'violations,conduct', '--min-coverage', '1'],
    ],
    ['3 where the contract was broken', 3, wrong, ['--fail-on', 'violations']],
    ['3 where no call was made though a threshold is set', 3, '', ['--fail-on', 'conduct:must']],
    ['0 where no call was made and no threshold is set', 0, '', []],
    [
      '0 where what was found is allowed',
      0,
      wrong,
      ['--fail-on', 'violations', '--allow', 'violations:get-quiz-details'],
    ],
    [
      '3 where a group was covered too little',
      3,
      "await call('get-all-instructors');",
      ['--min-coverage', 'operations=1,failures=1'],
    ],
    ['3 where too little was covered', 3, "await call('get-all-instructors');", ['--min-coverage', '50.5']],
    [
      "the program's own code though a threshold was missed",
      7,
      `${wrong} process.exit(7);`,
      ['--fail-on', 'violations'],
    ],
  ])('with %s', async (_, code, body, flags) => {
    expect((await runExec(body, { flags })).code).toBe(code);
  });

  it('with a sentence for every threshold that was missed', async () => {
    const { code, err } = await runExec(wrong, {
      flags: ['--fail-on', 'violations', '--min-coverage', '99'],
    });
    expect(code).toBe(3);
    expect(err).toMatch(
      /lp-sandbox: The client violated the contract once: violations:get-quiz-details:\/data\/\*\/data\/quizId:[0-9a-f]{8}\n/,
    );
    expect(err).toMatch(/lp-sandbox: The client met \d+ of \d+ situations \(\d+ %\); 99 % are required\.\n/);
  });

  it('with 0 where all that was found is in the baseline that an earlier run wrote, and with 3 for what is new', async () => {
    const file = join(temporaryFolder(), 'deep', 'findings.json');
    const first = await runExec(wrong, {
      flags: ['--fail-on', 'violations', '--baseline', file, '--write-baseline', file],
    });
    expect([first.code, first.err]).toEqual([0, expect.stringMatching(/wrote .*findings\.json\n$/)]);
    const flags = ['--fail-on', 'violations', '--baseline', file];
    expect((await runExec(wrong.replace('7', '8'), { flags })).code).toBe(0);
    const more = await runExec(`${wrong} await call('get-quiz-details', { quizId: null });`, { flags });
    expect(more.code).toBe(3);
    expect(more.err.match(/violations:[^\s,]+/g)).toHaveLength(1);
    const repaired = await runExec("await call('get-all-instructors');", { flags });
    expect(repaired.code).toBe(0);
    expect(repaired.err).toMatch(/Known findings that did not occur: violations:get-quiz-details:\S+\. If/);
  });

  it('without a new baseline where the client made no call', async () => {
    const file = join(temporaryFolder(), 'findings.json');
    expect((await runExec('', { flags: ['--write-baseline', file] })).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('with 1 if the program prevents a report from being written; the other reports are written', async () => {
    const folder = temporaryFolder();
    const good = join(folder, 'good.md');
    const flags = ['--report', join(folder, 'file', 'report.json'), good];
    const program = `(await import('node:fs')).writeFileSync(${JSON.stringify(join(folder, 'file'))}, '');`;
    const passed = await runExec(program, { flags });
    expect(passed.code).toBe(1);
    expect(passed.err).toMatch(
      /lp-sandbox: wrote .*good\.md\nlp-sandbox: Cannot write the report to .*report\.json: a part of its path is a file\. Use another path \(EEXIST/,
    );
    expect(existsSync(good)).toBe(true);
    rmSync(join(folder, 'file'));
    expect((await runExec(`${program} process.exit(4);`, { flags })).code).toBe(4);
  });

  it.each([
    [
      'no program',
      ['--seed', 'demo'],
      'exec needs a command after --, for example: lp-sandbox exec -- npm test',
    ],
    ['nothing behind --', ['--'], 'exec needs a command after --'],
    [
      'a program without --',
      ['npm', 'run', 'test all', '--x'],
      "before it. Did you mean: lp-sandbox exec -- npm run 'test all' --x",
    ],
    [
      'a program behind flags',
      ['--seed', 'demo', 'npm', 'test'],
      'Did you mean: lp-sandbox exec --seed demo -- npm test',
    ],
    [
      '--report without a file',
      ['--report', '--seed', 'demo', '--', 'x'],
      '--report needs a value: --report FILE…',
    ],
    [
      '--report without a file at the end',
      ['--report', 'a.json', '--report', '--', 'x'],
      '--report needs a value: --report FILE…',
    ],
    [
      'another suffix',
      ['--report', 'a.json', 'a.pdf', '--', 'x'],
      '--report "a.pdf" must end in one of .json, .html, .junit.xml, .md, .har; any .xml is JUnit.',
    ],
    ['no suffix', ['--report', 'json', '--', 'x'], '--report "json" must end in one of'],
    [
      'an unknown finding',
      ['--fail-on', 'conduct', '--allow', 'limit:x', '--', 'x'],
      'Did you mean "limits"?',
    ],
    [
      'findings allowed for no threshold',
      ['--allow', 'limits', '--', 'x'],
      '--allow has no effect without --fail-on',
    ],
    [
      'a baseline for no threshold',
      ['--baseline', 'a.json', '--', 'x'],
      '--baseline has no effect without --fail-on',
    ],
    [
      'a baseline that is not there',
      ['--fail-on', 'conduct', '--baseline', '/nowhere/a.json', '--', 'x'],
      '--baseline "/nowhere/a.json" does not exist. Create a baseline with --write-baseline.',
    ],
    [
      'an unknown group of coverage',
      ['--min-coverage', 'calls=5', '--', 'x'],
      'Unknown group in --min-coverage: "calls". Known: operations, failures.',
    ],
    [
      'too much coverage of a group',
      ['--min-coverage', 'operations=101', '--', 'x'],
      '--min-coverage operations must be a number from 0 to 100, but is "101".',
    ],
    ['an unknown check', ['--fail-on', 'retry-aftr', '--', 'x'], 'Did you mean "retry-after"?'],
    [
      'too much coverage',
      ['--min-coverage', '101', '--', 'x'],
      '--min-coverage must be a number from 0 to 100, but is "101".',
    ],
    [
      'no number of coverage',
      ['--min-coverage', 'all', '--', 'x'],
      '--min-coverage must be a number from 0 to 100, but is "all".',
    ],
    ['an unknown flag', ['--prot', '1', '--', 'x'], 'exec has no flag --prot. Did you mean "port"?'],
    ['an unknown profile', ['--profile', 'stict', '--', 'x'], 'Did you mean "strict"?'],
  ])('before the program runs, for wrong usage: %s', async (_, args, message) => {
    const ended = invoke(exec, args).code;
    await expect(ended).rejects.toThrow(SandboxError);
    await expect(ended).rejects.toThrow(message);
  });

  it('with its server, also where there is no program', async () => {
    await expect(invoke(exec, ['--', '/nowhere/to/be/found']).code).rejects.toThrow(CannotRun);
  });
});

describe('a signal to lp-sandbox exec', () => {
  it('that comes before the program is there keeps it from being started', async () => {
    const file = join(temporaryFolder(), 'started');
    const { code, said } = invoke(exec, ['--', 'touch', file], { early: 'SIGTERM' });
    expect(await code).toBe(143);
    expect([existsSync(file), said()]).toEqual([false, { out: '', err: '' }]);
  });

  it.each([
    ['SIGINT', 'on a terminal is not sent a second time', true, []],
    ['SIGQUIT', 'on a terminal is not sent a second time', true, []],
    ['SIGINT', 'elsewhere is passed on', false, ['SIGINT']],
  ] as const)('%s %s', async (signal, _, isTerminal, met) => {
    const file = join(temporaryFolder(), 'met');
    const path = JSON.stringify(file);
    const body = `
      for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM']) process.on(signal, () => appendFileSync(${path}, signal + ' '));
      // Whichever of two signals is told first, both are.
      process.on('SIGTERM', () => setTimeout(() => process.exit(5), 100));
      writeFileSync(${path}, String(process.pid) + ' ');
      setInterval(() => {}, 1000);`;
    const invoked = invoke(exec, client(body), { terminals: { in: isTerminal } });
    await eventually(() => expect(readFileSync(file, 'utf8')).toMatch(/ $/));
    const pid = parseInt(readFileSync(file, 'utf8'), 10);
    invoked.signal(signal);
    invoked.signal('SIGTERM');
    expect(await invoked.code).toBe(5);
    expect(readFileSync(file, 'utf8').split(' ').toSorted()).toEqual(['', String(pid), ...met, 'SIGTERM']);
    expect(isAlive(pid)).toBe(false);
  });
});
