import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exec } from '../../src/commands/exec/command.ts';
import { generate } from '../../src/commands/generate/command.ts';
import { matrix } from '../../src/commands/matrix/command.ts';
import { report } from '../../src/commands/report/command.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
import { belowFile, expectUnusable } from '../support/unusable.ts';

describe('exec, matrix, report and generate say before their work', () => {
  it.each([
    { flag: '--report', command: exec },
    { flag: '--write-baseline', command: exec },
    { flag: '--report', command: matrix },
    { flag: '--write-baseline', command: matrix },
    { flag: '--keep', command: matrix },
  ] as const)(
    'that the file of $flag cannot be written, without running the program of $command.name',
    async ({ flag, command }) => {
      const folder = temporaryFolder();
      const trace = join(folder, 'trace');
      const run = invoke(command, [flag, below(folder), '--', 'touch', trace]);
      await expectUnusable(run.code, flag, belowFile);
      expect(existsSync(trace)).toBe(false);
    },
  );

  it.each(['--report', '--write-baseline'])('that the file of %s cannot be written', async (flag) => {
    const run = invoke(report, ['merge', 'missing.json', flag, below(temporaryFolder())]);
    await expectUnusable(run.code, flag, belowFile);
  });

  it('that the folder cannot be written', async () => {
    await expectUnusable(invoke(generate, ['--out', below(temporaryFolder())]).code, '--out', belowFile);
  });

  it('that the path of --keep is empty', async () => {
    const run = invoke(matrix, ['--keep', '', '--', 'true']);
    await expect(run.code).rejects.toThrow(
      '--keep cannot be used: its path is empty. Set the path to write to.',
    );
  });
});

/** Returns a path below a file. */
function below(folder: string): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file', 'a.json');
}
