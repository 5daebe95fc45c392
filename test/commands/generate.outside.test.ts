import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSeed } from '../../src/store/read-seed.ts';
import { run, temporaryFolder } from '../support/command.ts';

describe('generate', () => {
  it('is a command of the program as it is built', async () => {
    const out = join(temporaryFolder(), 'school');
    const { code, err } = await run([
      'generate',
      '--schools',
      '1',
      '--videos',
      '3',
      '--users',
      '8',
      '--out',
      out,
    ]);
    expect([code, err]).toEqual([0, '']);
    expect((await readSeed(out)).collections.videos.byId.size).toBe(3);
  });
});
