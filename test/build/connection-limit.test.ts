import { expect, it } from 'vitest';
import { connectionsWith } from '../../src/server/connection-limit.ts';

it('Connections leave a quarter of the file descriptors, 44 to 256, and a proxy needs two for each call', () => {
  const limits = [16, 64, 256, 1024, 20_000, 1_048_576];
  expect(limits.map((limit) => connectionsWith(limit, false))).toEqual([1, 20, 192, 768, 19_744, 1_048_320]);
  expect(limits.map((limit) => connectionsWith(limit, true))).toEqual([1, 10, 96, 384, 9872, 524_160]);
});
