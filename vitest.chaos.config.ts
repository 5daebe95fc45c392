import { defineConfig } from 'vitest/config';

/** `npm run test:chaos`: one phase at a time, so that the figures of its table are about nothing else. */
export default defineConfig({
  test: {
    include: ['test/chaos/*.chaos.test.ts'],
    globalSetup: ['test/support/build-first.ts'],
    pool: 'threads',
    isolate: false,
    fileParallelism: false,
    deps: { interopDefault: false },
    testTimeout: 170_000,
    reporters: ['default', './test/chaos/table.ts', './test/support/closing-line.ts'],
  },
});
