import { expect, it } from 'vitest';
import { readCheckpoint } from '../../src/upstream/calibrate/checkpoint.ts';

it('a checkpoint that is cut off is named as such', () => {
  expect(() => readCheckpoint('{"version":', 'https://a.example', 'a.checkpoint')).toThrow(
    'a.checkpoint is not valid JSON. It holds what calibrate has found so far, and is cut off or changed. Run calibrate without --resume.',
  );
});
