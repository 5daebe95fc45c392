import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { compare } from '../../src/commands/compare/command.ts';
import { exec } from '../../src/commands/exec/command.ts';
import { matrix } from '../../src/commands/matrix/command.ts';
import { replay } from '../../src/commands/replay/command.ts';
import { report } from '../../src/commands/report/command.ts';
import { start } from '../../src/commands/start/command.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
const env = { UPSTREAM_API_KEY: 'k' };
const upstream = ['--upstream', 'http://127.0.0.1:9'];

describe('A folder in place of a file to read is named as such:', () => {
  const graded = ['--fail-on', 'violations'];

  it.each([
    { flag: '--baseline', command: exec, flags: graded, program: ['--', 'true'] },
    { flag: '--baseline', command: matrix, flags: graded, program: ['--', 'true'] },
    { flag: '--baseline', command: report, flags: graded, program: ['merge', 'a.json'] },
    { flag: '--baseline', command: compare, flags: upstream, program: [] },
    { flag: '--baseline', command: replay, flags: [], program: ['a.har'] },
    { flag: '--calls', command: compare, flags: upstream, program: [] },
    { flag: '--known', command: compare, flags: upstream, program: [] },
    { flag: '--known', command: calibrate, flags: [...upstream, '--dry-run'], program: [] },
    { flag: '--check', command: calibrate, flags: upstream, program: [] },
    { flag: '--assume-file', command: compare, flags: upstream, program: [] },
    { flag: '--assume-file', command: start, flags: [], program: [] },
    { flag: '--config', command: start, flags: [], program: [] },
    { flag: '--scenario', command: start, flags: [], program: [] },
  ] as const)('$flag of $command.name', { tags: ['slow'] }, async ({ flag, command, flags, program }) => {
    const folder = join(temporaryFolder(), 'folder.yaml');
    mkdirSync(folder);
    const run = invoke(command, [...flags, flag, folder, ...program], { env });
    await expect(run.code).rejects.toThrow(new SandboxError(`${flag}: ${folder} is a folder, not a file.`));
  });

  it('the recording of replay', async () => {
    const folder = temporaryFolder();
    await expect(invoke(replay, [folder]).code).rejects.toThrow(`replay: ${folder} is a folder, not a file.`);
  });

  it('the file of a template', async () => {
    const folder = temporaryFolder();
    const flags = ['--assume', 'refusalBody=template', '--refusal-template', folder];
    await expect(invoke(start, flags).code).rejects.toThrow(`${folder} is a folder, not a file.`);
  });
});
