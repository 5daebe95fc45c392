import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/pages/browser/code-snippets.ts';
import { temporaryFolder } from '../support/command.ts';
import { serve } from '../support/serve.ts';

/** How to run a program of a language: its file, and the command before it. */
const runs: Readonly<Record<string, { readonly file: string; readonly command: readonly string[] }>> = {
  curl: { file: 'call.sh', command: ['sh'] },
  fetch: { file: 'call.mjs', command: ['node'] },
  Python: { file: 'call.py', command: ['/usr/bin/python3'] },
  Java: { file: 'Call.java', command: ['java'] },
  Go: { file: 'call.go', command: ['go', 'run'] },
};

const probes: Readonly<Record<string, readonly string[]>> = {
  Python: ['/usr/bin/python3', '-c', 'import requests'],
  Java: ['java', '-version'],
  Go: ['go', 'version'],
};

function canRun(name: string): boolean {
  const [program, ...args] = probes[name] ?? ['true'];
  try {
    execFileSync(program ?? '', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Texts that a language may read as something else. */
const awkward = {
  data: [
    { data: { instructorEmail: 'new@teachers.example', instructorName: 'O\'Hara "Q" \\n `$x` ${y} ü %d' } },
  ],
};

describe('the code of the reference', () => {
  for (const [name, { file, command }] of Object.entries(runs)) {
    it.skipIf(!canRun(name))(
      `is a program that makes the call as it is shown: ${name}`,
      async () => {
        const server = await serve();
        const path = join(temporaryFolder(), file);
        const write = languages.find((one) => one.name === name)?.write;
        const url = `${server.url}/public/create-instructor-account`;
        const body = JSON.stringify(awkward);
        writeFileSync(path, write?.({ url, key: 'sbx_default_riverside', body }) ?? '');
        const [program = '', ...args] = command;
        const { stdout } = await promisify(execFile)(program, [...args, path]);
        expect(stdout).toContain('"ok"');
        const [entry] = await server.default.journal.list();
        expect(entry).toMatchObject({ status: 200, school: 'riverside', outcome: 'ok' });
        expect(JSON.parse(entry?.request ?? '')).toEqual(awkward);
      },
      120_000,
    );
  }
});
