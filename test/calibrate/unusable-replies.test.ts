import { describe, expect, it } from 'vitest';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { describeConnectionError } from '../../src/upstream/calibrate/connection-error.ts';
import { invoke } from '../support/invocation.ts';
import { temporaryFolder } from '../support/command.ts';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

describe('lp-sandbox calibrate says', () => {
  it('that a response cannot be read, if it arrived', () => {
    const error = new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    expect(describeConnectionError(error, (text) => text)).toBe(
      `sent a response that cannot be read: ${error.message}`,
    );
  });

  it('that a body is too large after decompression', () => {
    const cause = Object.assign(new RangeError('Cannot create a Buffer larger than 33554432 bytes'), {
      code: 'ERR_BUFFER_TOO_LARGE',
    });
    expect(describeConnectionError(new TypeError('fetch failed', { cause }), (text) => text)).toBe(
      'sent a response that cannot be read: its body is larger than 32 MiB after decompression.',
    );
  });

  it('that it cannot write the file, before the first call', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const args = ['--upstream', 'http://127.0.0.1:9', '--out', join(file, 'a.yaml'), '--force'];
    const { code } = invoke(calibrate, args, { env: { UPSTREAM_API_KEY: 'k' } });
    await expect(code).rejects.toThrow(
      /^Cannot write .*a\.yaml\.checkpoint: .*Choose another file with --out\.$/,
    );
  });
});
