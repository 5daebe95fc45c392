import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRecordingState } from '../../src/store/recording-folder.ts';
import { temporaryFolder } from '../support/command.ts';

it.each(['recording-state.json', 'checkpoint.json'])(
  'record --append says what %s is for, if it is cut off',
  (name) => {
    const folder = temporaryFolder();
    const file = join(folder, name);
    writeFileSync(file, '{"version":2,"state":{"note');
    expect(() => readRecordingState(folder)).toThrow(
      `--append: ${file} is not valid JSON. It holds what a recording needs to be continued, and is cut off or changed. Restore it from a copy, or record into a new folder.`,
    );
  },
);
