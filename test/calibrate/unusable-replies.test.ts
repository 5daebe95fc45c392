import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { invoke } from '../support/invocation.ts';
import { temporaryFolder } from '../support/command.ts';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

describe('lp-sandbox calibrate says', () => {
  it('that it cannot write the file, before the first call, which is no wrong usage', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const args = ['--upstream', 'http://127.0.0.1:9', '--out', join(file, 'a.yaml'), '--force'];
    const { code } = invoke(calibrate, args, { env: { UPSTREAM_API_KEY: 'k' } });
    const error: unknown = await code.catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/^Cannot write .*a\.yaml\.checkpoint: .* Use another path \(E\w+: .*\)\.$/),
    );
  });
});
