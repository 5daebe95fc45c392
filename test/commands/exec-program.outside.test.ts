import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { client } from '../support/client-program.ts';
import { lpSandbox, run, temporaryFolder, watched } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/invocation.ts';

const python = ['python3', 'python'].find(isThere);

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const script = `set -e
for id in 1 2 3; do
  curl --silent --show-error --fail "$SANDBOX_URL/public/get-all-instructors" \\
    -H "SERVICE-API-KEY: $SANDBOX_API_KEY" -H 'Content-Type: application/json' -d '{"data":[{"data":{}}]}' >/dev/null
done
`;

const pythonProgram = `
import json, os, urllib.request
for _ in range(4):
    request = urllib.request.Request(
        os.environ["SANDBOX_URL"] + "/public/get-all-instructors",
        data=json.dumps({"data": [{"data": {}}]}).encode(),
        headers={"SERVICE-API-KEY": os.environ["SANDBOX_API_KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:
        assert json.load(reply)[0]["output"]["status"] == "ok"
`;

/** Runs `exec` with a report. What it came to, and how many good calls the report counts. */
async function counted(program: readonly string[]) {
  const file = join(temporaryFolder(), 'report.json');
  const { code, out } = await run(['exec', '--report', file, ...program]);
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    calls: number;
    coverage: { outcomes: Record<string, number> }[];
  };
  return {
    code,
    out,
    calls: report.calls,
    ok: report.coverage.reduce((sum, { outcomes }) => sum + (outcomes['ok'] ?? 0), 0),
  };
}

describe('lp-sandbox exec', () => {
  it('serves a program of Node', async () => {
    const program = client("for (let count = 0; count < 2; count += 1) await call('get-all-instructors');");
    expect(await counted(program)).toEqual({ code: 0, out: '', calls: 2, ok: 2 });
  });

  it('serves a shell script that uses curl', async () => {
    const file = join(temporaryFolder(), 'client.sh');
    writeFileSync(file, `#!/bin/sh\n${script}`);
    chmodSync(file, 0o755);
    expect(await counted(['--', file])).toEqual({ code: 0, out: '', calls: 3, ok: 3 });
  });

  it.skipIf(python === undefined)(
    "serves a program that uses Python's own library (skipped where there is no python3)",
    async () => {
      expect(await counted(['--', python ?? '', '-c', pythonProgram])).toEqual({
        code: 0,
        out: '',
        calls: 4,
        ok: 4,
      });
    },
  );

  it('leaves what the program reads and writes untouched, byte for byte, and speaks after it', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));
    const echo = "process.stdin.on('data', (d) => { process.stdout.write(d); process.stderr.write(d); })";
    // The server has something to say before the program runs: it cannot use this file.
    const data = join(temporaryFolder(), 'state.json');
    writeFileSync(data, '{"format":"learning-platform-sandbox/state",');
    const [node, main] = lpSandbox;
    const args = [main, 'exec', '--data', data, '--log', 'json', '--', process.execPath, '--eval', echo];
    const child = spawn(node, args, { cwd: tmpdir() });
    const read = { out: [] as Buffer[], err: [] as Buffer[] };
    child.stdout.on('data', (piece: Buffer) => read.out.push(piece));
    child.stderr.on('data', (piece: Buffer) => read.err.push(piece));
    child.stdin.end(bytes);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(Buffer.concat(read.out).equals(bytes)).toBe(true);
    const err = Buffer.concat(read.err);
    expect(err.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(err.subarray(bytes.length).toString('utf8')).toMatch(
      new RegExp(
        `^.*state\\.json cannot be used .*\\nlp-sandbox: .*\\n +calls +0 to 0 of ${operationNames.length} operations\\n`,
      ),
    );
  });

  it('ends as a shell would for a program that cannot be run, and says why', async () => {
    const [missing, quoted, folder] = await Promise.all([
      run(['exec', '--', 'nowhere-to-be-found']),
      run(['exec', '--', 'npm test']),
      run(['exec', '--', tmpdir()]),
    ]);
    expect(missing).toMatchObject({ code: 127, out: '' });
    expect(missing.err).toMatch(
      /^lp-sandbox: Program "nowhere-to-be-found" not found\. Check its name, PATH, and the interpreter .*\n$/,
    );
    expect(quoted).toMatchObject({
      code: 127,
      err: expect.stringContaining('Do not quote the program together with its arguments.'),
    });
    expect(folder).toMatchObject({
      code: 126,
      err: expect.stringContaining(`Cannot run "${tmpdir()}": it is a folder or not executable`),
    });
  });

  it('passes every signal on, waits for the program, and ends as it does', async () => {
    const signals = ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGINT', 'SIGTERM'] as const;
    const file = join(temporaryFolder(), 'report.json');
    const program = client(`
      await call('get-all-instructors');
      for (const signal of ${JSON.stringify(signals)}) process.on(signal, () => {
        process.stdout.write(signal + ' ');
        if (signal === 'SIGTERM') process.exit(5);
      });
      process.stdout.write('ready ');
      setInterval(() => {}, 1000);`);
    const { child, said, ended } = watched(['exec', '--report', file, ...program], {});
    let expected = 'ready ';
    for (const signal of signals) {
      await eventually(() => expect(said().out).toBe(expected));
      child.kill(signal);
      expected += `${signal} `;
    }
    expect(await ended).toMatchObject({ code: 5, signal: null, out: expected });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ calls: 1 });
  });

  it('is not held up by what the program leaves behind, with its connection open', async () => {
    const folder = temporaryFolder();
    const marker = join(folder, 'called');
    const [, ...program] = client(
      `await call('get-all-instructors'); writeFileSync(${JSON.stringify(marker)}, ''); setInterval(() => {}, 1000);`,
    );
    const background = `"$@" </dev/null >/dev/null 2>&1 & echo $!; while [ ! -e '${marker}' ]; do sleep 0.05; done`;
    const { said, ended } = watched(['exec', '--', 'sh', '-c', background, 'sh', ...program], {});
    const how = await ended;
    const pid = Number(said().out);
    onTestFinished(() => void process.kill(pid));
    expect(how).toMatchObject({
      code: 0,
      err: expect.stringContaining(` 1 to 1 of ${operationNames.length} operations\n`),
    });
    expect({ alive: isAlive(pid), called: existsSync(marker) }).toEqual({ alive: true, called: true });
  });
});
